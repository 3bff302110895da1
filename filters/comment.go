package filters

import (
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func commentFilters() []Func {
	null := value.Null
	return []Func{
		{
			Name: "comment", Family: "comment", Call: comment,
			Params: []Param{
				opt("style", Text, value.String("plain")), opt("decoration", Text, null), opt("prefix", Text, null),
				opt("prefix_count", Int, value.Int(1)), opt("postfix", Text, null), opt("postfix_count", Int, value.Int(1)),
				opt("beginning", Text, null), opt("end", Text, null), opt("newline", Text, value.String("\n")),
			},
			Doc:     "The text as a comment, in the style plain, erlang, c, cblock or xml; every part of the style can be set.",
			Example: `{{ 'two\nlines' | comment }}`, Result: `"#\n# two\n# lines\n#"`,
		},
		{
			Name: "quote", Family: "comment", Call: shellQuote,
			Doc:     "The text as one word for a shell.",
			Example: `{{ "it's" | quote }}`, Result: `"'it'\"'\"'s'"`,
		},
	}
}

type commentStyle struct{ beginning, decoration, end string }

var commentStyles = map[string]commentStyle{
	"plain":  {"", "# ", ""},
	"erlang": {"", "% ", ""},
	"c":      {"", "// ", ""},
	"cblock": {"/*", " * ", " */"},
	"xml":    {"<!--", " - ", "-->"},
}

func comment(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	style, ok := commentStyles[a.Str("style")]
	if !ok {
		return value.Null, fmt.Errorf("unknown style %q; plain, erlang, c, cblock and xml are known", a.Str("style"))
	}
	choose := func(name, def string) string {
		if a.Get(name).IsNull() {
			return def
		}
		return a.Str(name)
	}
	newline, decoration := a.Str("newline"), choose("decoration", style.decoration)
	bare := strings.TrimRight(decoration, " \t")
	prefix, postfix := choose("prefix", bare), choose("postfix", bare)
	before, after := max(a.Int("prefix_count"), 0), max(a.Int("postfix_count"), 0)
	for _, size := range [][2]int{
		{before, len(prefix) + len(newline)},
		{after, len(postfix) + len(newline)},
		{strings.Count(s, newline) + 1, len(decoration) + len(newline)},
	} {
		if err := c.reserveProduct(size[0], size[1]); err != nil {
			return value.Null, err
		}
	}
	var b strings.Builder
	if v := choose("beginning", style.beginning); v != "" {
		b.WriteString(v + newline)
	}
	switch prefix {
	case "":
	case newline:
		b.WriteString(strings.Repeat(newline, before))
	default:
		b.WriteString(strings.Repeat(prefix+newline, before))
	}
	body := decoration + strings.ReplaceAll(s, newline, newline+decoration)
	b.WriteString(strings.ReplaceAll(body, decoration+newline, bare+newline))
	b.WriteString(strings.Repeat(newline+postfix, after))
	if v := choose("end", style.end); v != "" {
		b.WriteString(newline + v)
	}
	return value.String(b.String()), nil
}

func shellQuote(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.IsNull() {
		return value.String("''"), nil
	}
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	safe := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return !(r < 0x80 && isWordRune(r) || strings.ContainsRune("@%+=:,./-", r))
	}) < 0
	if safe {
		return value.String(s), nil
	}
	return value.String("'" + strings.ReplaceAll(s, "'", `'"'"'`) + "'"), nil
}
