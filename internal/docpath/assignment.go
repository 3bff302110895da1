package docpath

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// An Assignment is PATH=VALUE on a command line, or another of its forms (spec: everyday, A1):
//
//	PATH=VALUE   sets          PATH+=VALUE   appends
//	PATH:=YAML   any YAML      PATH+:=YAML
//	PATH=@FILE   text of FILE  PATH+=@FILE
//	PATH:=@FILE  YAML of FILE  PATH+:=@FILE
type Assignment struct {
	Path   string
	Append bool
	YAML   bool   // of ":="
	File   string // "" if the value is Text
	Text   string // VALUE or YAML
}

// ParseAssignment parses an assignment. The path ends at the first "=" outside of quotes and
// brackets. Messages quote nothing after it.
//
// Code: usage.
func ParseAssignment(text string) (Assignment, error) {
	a, err := parseAssignment(text)
	if file, ok := strings.CutPrefix(a.Text, "@"); ok && err == nil {
		if file == "" {
			return a, usage("the name of a file is missing after \"=@\"")
		}
		a.File, a.Text = file, ""
	}
	return a, err
}

// ParseText parses PATH=TEXT or PATH+=TEXT, whose TEXT is not read: "@" has no meaning in it.
//
// Code: usage.
func ParseText(text string) (Assignment, error) {
	a, err := parseAssignment(text)
	if a.YAML && err == nil {
		err = noOperator(":=")
	}
	return a, err
}

// parseAssignment parses an assignment whose value is Text.
func parseAssignment(text string) (Assignment, error) {
	path, rest, ok := CutAssignment(text)
	if !ok {
		before, _, has := strings.Cut(text, "=")
		if has && before != "" {
			return Assignment{}, usage("there is no \"=\" outside of quotes and brackets after %q", before)
		}
		if before != "" {
			return Assignment{}, withoutEquals(before)
		}
		return Assignment{}, usage("the path before \"=\" is missing")
	}
	a := Assignment{Path: path, Text: rest}
	if path != "::" {
		a.Path, a.YAML = strings.CutSuffix(a.Path, ":")
		a.Path, a.Append = strings.CutSuffix(a.Path, "+")
	}
	if a.Path == "" {
		return a, usage("the path before %q is missing", path+"=")
	}
	return a, a.checkOperator()
}

// CutAssignment splits PATH=TEXT at the first "=" outside of brackets and quotes:
// a[name=web].b=1 is the path a[name=web].b and the text 1. It returns false if there is
// no such "=", or no path before it.
func CutAssignment(assignment string) (path, text string, ok bool) {
	depth := 0
	var quote byte
	for i := 0; i < len(assignment); i++ {
		switch c := assignment[i]; {
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case (c == '"' || c == '\'') && (i == 0 || assignment[i-1] == '.' || assignment[i-1] == '['):
			quote = c
		case c == '[':
			depth++
		case c == ']':
			depth--
		case c == '=' && depth <= 0:
			return assignment[:i], assignment[i+1:], i > 0
		}
	}
	return "", "", false
}

// checkOperator refuses "l-=x": no key "l-" is made of an operator that does not exist.
func (a Assignment) checkOperator() error {
	n := len(a.Path) - 1
	if n < 1 || a.Path == "::" || strings.IndexByte("-+*/%|&^?!~<>:@", a.Path[n]) < 0 || strings.IndexByte(`./:\`, a.Path[n-1]) >= 0 {
		return nil
	}
	if a.Path[0] == '/' && a.Path[n] == '/' { // a JSON pointer to the key ""
		return nil
	}
	operator := a.Path[n:] + "="
	if a.YAML {
		operator = a.Path[n:] + ":="
	}
	return noOperator(operator)
}

func noOperator(operator string) error {
	return usage("there is no operator %q", operator).
		WithHint("PATH=VALUE sets, PATH+=VALUE appends, PATH:=YAML and PATH+:=YAML take YAML; quotes keep a sign in a key: \"a-\"=1")
}

func usage(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Usage, format, args...)
}

// withoutEquals returns the error of an assignment without "=", with what the user may have meant.
func withoutEquals(text string) error {
	d := usage("%q is not PATH=VALUE: it has no \"=\"", text)
	key, rest, ok := strings.Cut(text, ":")
	if ok && key != "" && rest != "" && !strings.HasPrefix(rest, ":") {
		return d.WithHint("write %s=%s", key, strings.TrimSpace(rest))
	}
	return d.WithHint("write %s=VALUE", text)
}
