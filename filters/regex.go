package filters

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func regexFilters() []Func {
	ignoreCase, multiline := opt("ignorecase", Bool, value.False), opt("multiline", Bool, value.False)
	return []Func{
		{
			Name: "regex_replace", Family: "regex", Call: regexReplace,
			Params: []Param{
				opt("pattern", Text, value.String("")), opt("replacement", Text, value.String("")), ignoreCase, multiline,
				opt("count", Int, value.Int(0)), opt("mandatory_count", Int, value.Int(0)),
			},
			Doc:     "Replaces what a Python regular expression matches; \\1 and \\g<name> stand for groups.",
			Example: `{{ 'user@host' | regex_replace('^(.*)@(.*)$', '\\2/\\1') }}`, Result: `"host/user"`,
		},
		{
			Name: "regex_search", Family: "regex", Call: regexSearch,
			Params:  []Param{req("regex", Text), variadic("groups", Text), ignoreCase, multiline},
			Doc:     "What a Python regular expression matches first, or the groups asked for as a list; null if nothing.",
			Example: `{{ 'k=v' | regex_search('(\\w)=(?P<val>\\w)', '\\1', '\\g<val>') }}`, Result: `["k", "v"]`,
		},
		{
			Name: "regex_findall", Family: "regex", Call: regexFindAll,
			Params:  []Param{req("regex", Text), multiline, ignoreCase},
			Doc:     "Everything that a Python regular expression matches; with groups the groups.",
			Example: "{{ 'a1b22' | regex_findall('[0-9]+') }}", Result: `["1", "22"]`,
		},
		{
			Name: "regex_escape", Family: "regex", Call: regexEscape,
			Params:  []Param{opt("re_type", Text, value.String("python"))},
			Doc:     "The text as a regular expression that matches it: for Python, or with posix_basic for tools such as sed.",
			Example: "{{ 'a.b' | regex_escape }}", Result: `"a\\.b"`,
		},
	}
}

func patternFor(name string, a Bound) (*pattern, error) {
	return patterns.compile(patternKey{a.Str(name), a.Bool("ignorecase"), a.Bool("multiline")})
}

func (c *Ctx) textAndPattern(in value.Value, a Bound, name string) (string, *pattern, error) {
	s, err := c.text(in)
	if err != nil {
		return "", nil, err
	}
	p, err := patternFor(name, a)
	return s, p, err
}

func regexReplace(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, p, err := c.textAndPattern(in, a, "pattern")
	if err != nil {
		return value.Null, err
	}
	limit := a.Int("count")
	if limit == 0 {
		limit = -1
	}
	matches, err := p.find(c, s, limit)
	if err != nil {
		return value.Null, err
	}
	if want := a.Int("mandatory_count"); want > 0 && len(matches) != want {
		return value.Null, fmt.Errorf("%q matches %d times, not %d times", a.Str("pattern"), len(matches), want)
	}
	return c.substitute(p, s, a.Str("replacement"), matches)
}

func (c *Ctx) substitute(p *pattern, s, replacement string, matches []match) (value.Value, error) {
	pieces, err := p.replacement(replacement)
	if err != nil {
		return value.Null, err
	}
	var b strings.Builder
	from := 0
	for _, m := range matches {
		b.WriteString(s[from:m.start])
		for _, piece := range pieces {
			b.WriteString(piece.text)
			if piece.group >= 0 {
				b.WriteString(m.groups[piece.group].text)
			}
		}
		from = m.end
		if err := c.fits(b.Len()); err != nil {
			return value.Null, err
		}
	}
	b.WriteString(s[from:])
	return value.String(b.String()), nil
}

func regexSearch(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, p, err := c.textAndPattern(in, a, "regex")
	if err != nil {
		return value.Null, err
	}
	matches, err := p.find(c, s, 1)
	if err != nil || len(matches) == 0 {
		return value.Null, err
	}
	if len(a.Rest()) == 0 {
		return value.String(matches[0].groups[0].text), nil
	}
	out := make([]value.Value, len(a.Rest()))
	for i, ref := range a.Rest() {
		n, err := p.searchGroup(ref.Str())
		if err != nil {
			return value.Null, err
		}
		out[i] = groupValue(matches[0].groups[n])
	}
	return value.ListOf(out...), nil
}

func (p *pattern) searchGroup(ref string) (int, error) {
	if name, ok := strings.CutPrefix(ref, `\g<`); ok {
		return p.groupIndex(strings.TrimSuffix(name, ">"))
	}
	if n, ok := strings.CutPrefix(ref, `\`); ok {
		return p.groupIndex(n)
	}
	return 0, fmt.Errorf(`%q is not a group; groups are written \1 or \g<name>`, ref)
}

func groupValue(g group) value.Value {
	if !g.ok {
		return value.Null
	}
	return value.String(g.text)
}

func regexFindAll(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, p, err := c.textAndPattern(in, a, "regex")
	if err != nil {
		return value.Null, err
	}
	matches, err := p.find(c, s, -1)
	if err != nil {
		return value.Null, err
	}
	if err := c.reserveItems(len(matches)); err != nil {
		return value.Null, err
	}
	out := make([]value.Value, len(matches))
	for i, m := range matches {
		out[i] = found(m)
	}
	return value.ListOf(out...), nil
}

// found is what Python's findall gives for a match: the match, its only group, or
// all groups. Groups that took no part are empty texts.
func found(m match) value.Value {
	switch len(m.groups) {
	case 1:
		return value.String(m.groups[0].text)
	case 2:
		return value.String(m.groups[1].text)
	}
	parts := make([]value.Value, len(m.groups)-1)
	for i, g := range m.groups[1:] {
		parts[i] = value.String(g.text)
	}
	return value.ListOf(parts...)
}

func regexEscape(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	var special string
	switch a.Str("re_type") {
	case "python":
		special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
	case "posix_basic":
		special = `[].^$*\`
	default:
		return value.Null, errors.New(`re_type is "python" or "posix_basic"`)
	}
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(special, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return value.String(b.String()), nil
}
