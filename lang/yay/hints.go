package yay

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// foreignName says what to write for a name that another language has and Yay has
// not, "" if it is none.
func foreignName(name string) string {
	switch name {
	case "true", "True":
		return "truth values have no names: write 1 == 1, or 1"
	case "false", "False":
		return "truth values have no names: write 1 == 0, or 0"
	case "null", "None", "none", "nil":
		return `there is no null: write "", the empty text`
	}
	if slices.Contains(builtinNames(), name) {
		return "it is a function: write " + name + "(x)"
	}
	return ""
}

// foreignFunction is foreignName for names that are called.
func foreignFunction(name string) string {
	switch name {
	case "default":
		return "write x else y: y is taken if x is not there"
	case "length", "count":
		return "write len(x)"
	}
	return ""
}

// foreignMethod says what to write for a method that mappings and texts have in other
// languages, "" if it is none.
func foreignMethod(x expr.Node, name string) string {
	of := dotted(x)
	if of == "" || isSecret(x.Span()) {
		of = "x"
	}
	switch name {
	case "items", "values":
		return "a loop over a mapping runs over its keys: for key in " + of + ", and " + of + "[key]"
	case "get":
		return "write " + of + ".key else y: y is taken if the key is not there"
	}
	if slices.Contains(builtinNames(), name) {
		return "there are no methods: write " + name + "(" + of + ")"
	}
	return ""
}

// flowHint says how a list or mapping is written of which a text is the notation in
// YAML, "" if the text is none.
func flowHint(text string) string {
	switch {
	case strings.HasPrefix(text, "["):
		return "a list is written {{ [1, 2] }}, or with a line for each item"
	case strings.HasPrefix(text, "{"):
		return `a mapping is written {{ {"key": 1} }}, or with a line for each key`
	}
	return ""
}

// flowText is flowHint of a value that is used as a list or mapping.
func flowText(v value.Value) string {
	if !v.Is(value.StringKind) || v.Marks() != 0 {
		return ""
	}
	return flowHint(v.Str())
}

// fileHint says that the name of a file is a text, if an operand looks like one that
// is not.
func fileHint(n expr.Node) string {
	text := n.Span().Text()
	if _, ok := n.(*expr.Select); !ok || isSecret(n.Span()) || len(text) > maxQuoted {
		return ""
	}
	for _, ending := range []string{".yay", ".yaml", ".yml", ".json", ".gpg", ".asc"} {
		if strings.HasSuffix(text, ending) {
			return `the name of a file is a text: write "` + text + `"`
		}
	}
	return ""
}
