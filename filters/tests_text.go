package filters

import (
	"net/url"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func textTests() []Func {
	flags := []Param{opt("ignorecase", Bool, value.False), opt("multiline", Bool, value.False)}
	pattern := append([]Param{req("pattern", Text)}, flags...)
	return []Func{
		is("lower", "text", "Whether there are letters, and all are in lower case.", "'ab' is lower", func(v value.Value) bool { return isLower(v.Str()) }),
		is("upper", "text", "Whether there are letters, and all are in upper case.", "'AB' is upper", func(v value.Value) bool { return isUpper(v.Str()) }),
		{
			Name: "match", Family: "text", Params: pattern, Call: matching(startMatch),
			Doc: "Whether a regular expression fits at the beginning of the text.", Example: "{{ 'abc' is match('a') }}", Result: "true",
		},
		{
			Name: "search", Family: "text", Params: pattern, Call: matching(anyMatch),
			Doc: "Whether a regular expression fits somewhere in the text.", Example: "{{ 'abc' is search('bc') }}", Result: "true",
		},
		{
			Name: "regex", Family: "text", Call: regexTest,
			Params: append(append([]Param{}, pattern...), opt("match_type", Text, value.String("search"))),
			Doc:    "Whether a regular expression fits; match_type is search, match or fullmatch.", Example: "{{ 'abc' is regex('^a.c$') }}", Result: "true",
		},
		is("url", "text", "Whether the text is a URL with a scheme and a host.", "'https://h/p' is url", func(v value.Value) bool {
			u, err := url.Parse(v.Str())
			return err == nil && u.Scheme != "" && u.Host != ""
		}),
		is("uri", "text", "Whether the text is a URI: a scheme and something behind it.", "'mailto:a@b' is uri", func(v value.Value) bool {
			u, err := url.Parse(v.Str())
			return err == nil && u.Scheme != "" && len(v.Str()) > len(u.Scheme)+1
		}),
		is("urn", "text", "Whether the text is a URN.", "'urn:isbn:123' is urn", func(v value.Value) bool {
			parts := strings.SplitN(v.Str(), ":", 3)
			return len(parts) == 3 && strings.EqualFold(parts[0], "urn") && parts[1] != "" && parts[2] != ""
		}),
	}
}

// The places where a pattern may be asked to fit.
const (
	anyMatch   = "search"
	startMatch = "match"
	fullMatch  = "fullmatch"
)

func matching(where string) func(*Ctx, value.Value, Bound) (value.Value, error) {
	return func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
		s, err := c.text(in)
		if err != nil {
			return value.Null, err
		}
		text := a.Str("pattern")
		switch where {
		case startMatch:
			text = `\A(?:` + text + `)`
		case fullMatch:
			text = `\A(?:` + text + `)\Z`
		}
		p, err := patterns.compile(patternKey{text, a.Bool("ignorecase"), a.Bool("multiline")})
		if err != nil {
			return value.Null, err
		}
		found, err := p.find(c, s, 1)
		return value.Bool(len(found) > 0), err
	}
}

func regexTest(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	return matching(a.Str("match_type"))(c, in, a)
}
