package filters

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
	"weak"

	"github.com/dlclark/regexp2"
	"github.com/dlclark/regexp2/syntax"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func regexFilters() []Func {
	ignoreCase, multiline := opt("ignorecase", Bool, value.False), opt("multiline", Bool, value.False)
	return family("regex",
		row("regex_replace", "Replaces the matches of a Python regular expression. \\1 and \\g<name> in the replacement refer to groups.",
			`{{ 'user@host' | regex_replace('^(.*)@(.*)$', '\\2/\\1') }}`, `"host/user"`,
			withPattern("pattern", regexReplace),
			opt("pattern", Text, value.String("")), opt("replacement", Text, value.String("")), ignoreCase, multiline,
			opt("count", Int, value.Int(0)), opt("mandatory_count", Int, value.Int(0))),
		row("regex_search", "Returns the first match of a Python regular expression, or a list of the given groups; null if there is no match.",
			`{{ 'k=v' | regex_search('(\\w)=(?P<val>\\w)', '\\1', '\\g<val>') }}`, `["k", "v"]`,
			withPattern("regex", regexSearch), req("regex", Text), variadic("groups", Text), ignoreCase, multiline),
		row("regex_findall", "Returns all matches of a Python regular expression, or their groups if it has any.",
			"{{ 'a1b22' | regex_findall('[0-9]+') }}", `["1", "22"]`,
			withPattern("regex", regexFindAll), req("regex", Text), multiline, ignoreCase),
		row("regex_escape", "Returns a regular expression that matches the text: for Python, or with posix_basic and posix_extended for tools such as sed and sed -E.",
			"{{ 'a.b' | regex_escape }}", `"a\\.b"`, with((*Ctx).text, regexEscape), opt("re_type", Text, value.String("python"))),
	)
}

// withPattern returns a call of f with the text and the pattern in a parameter.
func withPattern(parameter string, f func(c *Ctx, s string, p *pattern, a Bound) (value.Value, error)) call {
	return with((*Ctx).text, func(c *Ctx, s string, a Bound) (value.Value, error) {
		p, err := patterns.compile(patternKey{a.Str(parameter), a.Bool("ignorecase"), a.Bool("multiline")})
		if err != nil {
			return value.Null, err
		}
		return f(c, s, p, a)
	})
}

// regexReplace is Ansible's regex_replace, which is re.sub: \1 and \g<name> in the replacement are groups.
func regexReplace(c *Ctx, s string, p *pattern, a Bound) (value.Value, error) {
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

// substitute writes the replacement for each match. A group that did not match is empty.
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

// regexSearch returns the first match, or its groups that are named; null if there is no match.
func regexSearch(c *Ctx, s string, p *pattern, a Bound) (value.Value, error) {
	matches, err := p.find(c, s, 1)
	if err != nil || len(matches) == 0 {
		return value.Null, err
	}
	if len(a.Rest()) == 0 {
		return value.String(matches[0].groups[0].text), nil
	}
	return listOf(convert(a.Rest(), func(ref value.Value) (value.Value, error) {
		n, err := p.searchGroup(ref.Str())
		if g := matches[0].groups[n]; g.ok && err == nil {
			return value.String(g.text), nil
		}
		return value.Null, err
	}))
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

func regexFindAll(c *Ctx, s string, p *pattern, a Bound) (value.Value, error) {
	matches, err := p.find(c, s, -1)
	if err == nil {
		err = c.reserveItems(len(matches))
	}
	if err != nil {
		return value.Null, err
	}
	return listOf(convert(matches, findallItem))
}

// findallItem returns a match as Python's findall does: the match, its only group, or the list
// of all groups. Groups that did not match are empty texts.
func findallItem(m match) (value.Value, error) {
	if len(m.groups) <= 2 {
		return value.String(m.groups[len(m.groups)-1].text), nil
	}
	return listOf(convert(m.groups[1:], func(g group) (value.Value, error) { return value.String(g.text), nil }))
}

// regexEscape is re.escape, or the same for the regular expressions of POSIX, where fewer characters are special.
func regexEscape(c *Ctx, s string, a Bound) (value.Value, error) {
	var special string
	switch a.Str("re_type") {
	case "python":
		special = "()[]{}?*+-|^$\\.&~# \t\n\r\v\f"
	case "posix_basic":
		special = `[].^$*\`
	case "posix_extended":
		special = `[](){}.^$*+?|\`
	default:
		return value.Null, errors.New(`re_type is "python", "posix_basic" or "posix_extended"`)
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

// A pattern is a Python regular expression. The standard library runs it, in linear time,
// if both agree on its meaning for the text. A backtracking engine with a time limit runs
// other patterns, such as those with look-around or back references.
type pattern struct {
	names  map[string]int
	groups int
	fast   *value.Regexp // nil if the standard library cannot run the pattern
	slow   *regexp2.Regexp
	dollar bool // has a "$", which in Python also matches before a line feed at the end
	class  bool // has \d \w \s \b, which match only ASCII in the standard library
}

const matchTimeout = 2 * time.Second

// timeOfStep is the time that counts as a step: the default limit of steps is ten seconds.
const timeOfStep = 20 * time.Nanosecond

type patternKey struct {
	text                  string
	ignoreCase, multiline bool
}

// A patternCache caches compiled patterns, so that a filter in a loop compiles its pattern
// once. Its pointers are weak, since a short pattern such as .{1000} may take much
// memory. The zero cache is ready to use. It is safe for concurrent use.
type patternCache struct {
	mu   sync.Mutex
	seen map[patternKey]weak.Pointer[pattern]
}

var patterns patternCache

const maxCached = 256

// compile compiles a Python regular expression.
func (c *patternCache) compile(k patternKey) (*pattern, error) {
	c.mu.Lock()
	p := c.seen[k].Value()
	c.mu.Unlock()
	if p != nil {
		return p, nil
	}
	p, err := compilePattern(k)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.seen == nil || len(c.seen) >= maxCached {
		c.seen = map[patternKey]weak.Pointer[pattern]{}
	}
	c.seen[k] = weak.Make(p)
	return p, nil
}

func compilePattern(k patternKey) (*pattern, error) {
	p := &pattern{names: map[string]int{}}
	t := translator{src: k.text, p: p}
	text, err := t.translate()
	if err != nil {
		return nil, fmt.Errorf("bad regular expression %q: %w", k.text, err)
	}
	flags, options := "", regexp2.None
	if k.ignoreCase {
		flags, options = flags+"i", options|regexp2.IgnoreCase
	}
	if k.multiline {
		flags, options = flags+"m", options|regexp2.Multiline
		p.dollar = false
	}
	if p.slow, err = regexp2.Compile(text, options); err != nil {
		return nil, badPattern(err)
	}
	p.slow.MatchTimeout = matchTimeout
	if flags != "" {
		text = "(?" + flags + ")" + text
	}
	if fast, err := value.CompileRegexp(text); err == nil && !fast.MatchString("") {
		p.fast = fast // after an empty match the engines continue differently
	}
	return p, nil
}

// badPattern returns only the reason of an error of the library. The text of err also
// has the name of the library and the translated pattern, which the user did not write.
func badPattern(err error) error {
	var bad *syntax.Error
	if !errors.As(err, &bad) {
		return fmt.Errorf("bad regular expression: %w", err)
	}
	reason := bad.Code.String()
	if len(bad.Args) > 0 {
		reason = fmt.Sprintf(reason, bad.Args...)
	}
	return fmt.Errorf("bad regular expression: %s", reason)
}

// A translator rewrites the syntax that only Python has: named groups, \Z, {,n} and a
// bare "[" in a class. It makes names numbers, since the engines number named groups
// differently: (?P<a>x)(?P=a) becomes (x)(?:\1).
type translator struct {
	src string
	p   *pattern
	out strings.Builder
}

func (t *translator) translate() (string, error) {
	inClass, classStart := false, 0
	for i := 0; i < len(t.src); {
		c := t.src[i]
		switch {
		case c == '\\':
			i += t.escape(t.src[i:])
			continue
		case inClass:
			if c == ']' && i > classStart {
				inClass = false
			}
			if c == '[' {
				t.out.WriteByte('\\')
			}
		case c == '[':
			inClass, classStart = true, i+1
			if strings.HasPrefix(t.src[i+1:], "^") {
				classStart++
				t.out.WriteByte('[')
				i, c = i+1, '^'
			}
			if strings.HasPrefix(t.src[i+1:], "]") {
				t.out.WriteString(string(c) + `\]`)
				i += 2
				continue
			}
		case c == '(':
			n, err := t.group(t.src[i:])
			if err != nil {
				return "", err
			}
			i += n
			continue
		case c == '$':
			t.p.dollar = true
		case strings.HasPrefix(t.src[i:], "{,"):
			t.out.WriteString("{0,")
			i += 2
			continue
		}
		t.out.WriteByte(c)
		i++
	}
	return t.out.String(), nil
}

func (t *translator) escape(s string) int {
	_, n := utf8.DecodeRuneInString(s[1:])
	two := s[:1+n]
	switch two {
	case `\Z`:
		two = `\z`
	case `\d`, `\D`, `\w`, `\W`, `\s`, `\S`, `\b`, `\B`:
		t.p.class = true
	}
	t.out.WriteString(two)
	return 1 + n
}

func (t *translator) group(s string) (int, error) {
	switch {
	case strings.HasPrefix(s, "(?P<"):
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return 0, errors.New(`the name of a group has no ">"`)
		}
		if end == len("(?P<") {
			return 0, errors.New("a group has no name between < and >")
		}
		t.p.groups++
		t.p.names[s[4:end]] = t.p.groups
		t.out.WriteByte('(')
		return end + 1, nil
	case strings.HasPrefix(s, "(?P="):
		end := strings.IndexByte(s, ')')
		if end < 0 {
			return 0, errors.New(`the name of a group has no ")"`)
		}
		n, ok := t.p.names[s[4:end]]
		if !ok {
			return 0, fmt.Errorf("unknown group %q", s[4:end])
		}
		fmt.Fprintf(&t.out, `(?:\%d)`, n)
		return end + 1, nil
	case strings.HasPrefix(s, "(?<") && !strings.HasPrefix(s, "(?<=") && !strings.HasPrefix(s, "(?<!"):
		return 0, errors.New("a named group is written (?P<name>...)")
	case !strings.HasPrefix(s, "(?"):
		t.p.groups++
	}
	t.out.WriteByte('(')
	return 1, nil
}

// A match is one match of a pattern in a text.
type match struct {
	start, end int
	groups     []group // 0 is the whole match
}

type group struct {
	text string
	ok   bool
}

// find returns the first limit matches in s. If limit is negative it returns all, up to
// the limit of lists.
func (p *pattern) find(c *Ctx, s string, limit int) ([]match, error) {
	if limit < 0 {
		limit = c.maxItems() + 1
	}
	var matches []match
	var err error
	if p.fast != nil && !(p.dollar && strings.HasSuffix(s, "\n")) && !(p.class && !plainASCII(s)) {
		if err := c.step(p.fast.Steps(len(s))); err != nil {
			return nil, err
		}
		matches = p.findFast(s, limit)
	} else {
		matches, err = p.findSlow(c, s, limit)
	}
	if err != nil {
		return nil, err
	}
	return matches, c.fitsItems(len(matches))
}

// plainASCII reports whether both engines agree on the words and white space of s.
func plainASCII(s string) bool {
	for i := range len(s) {
		if c := s[i]; c >= 0x80 || c == '\v' || c >= 0x1c && c <= 0x1f {
			return false
		}
	}
	return true
}

func (p *pattern) findFast(s string, limit int) []match {
	var out []match
	for _, at := range p.fast.FindAllStringSubmatchIndex(s, limit) {
		m := match{start: at[0], end: at[1]}
		for i := 0; i < len(at); i += 2 {
			g := group{ok: at[i] >= 0}
			if g.ok {
				g.text = s[at[i]:at[i+1]]
			}
			m.groups = append(m.groups, g)
		}
		out = append(out, m)
	}
	return out
}

// findSlow counts its time as steps: many matches, of which each is within the time limit,
// have a limit together too.
func (p *pattern) findSlow(c *Ctx, s string, limit int) ([]match, error) {
	var out []match
	offsets := make([]int, 0, len(s)+1) // of characters in bytes
	for i := range s {
		offsets = append(offsets, i)
	}
	offsets = append(offsets, len(s))
	began := time.Now()
	m, err := p.slow.FindStringMatch(s)
	for ; m != nil && err == nil && len(out) < limit; m, err = p.slow.FindNextMatch(m) {
		found := match{start: offsets[m.Index], end: offsets[m.Index+m.Length]}
		for _, g := range m.Groups() {
			found.groups = append(found.groups, group{g.String(), len(g.Captures) > 0})
		}
		out = append(out, found)
		if err := c.step(int(time.Since(began) / timeOfStep)); err != nil {
			return nil, err
		}
		began = time.Now()
	}
	if err != nil {
		return nil, source.Errorf(source.Span{}, source.Limit, "the regular expression takes longer than the limit of %s", matchTimeout)
	}
	return out, c.step(int(time.Since(began) / timeOfStep))
}

// groupIndex returns the index of a group by its number or name.
func (p *pattern) groupIndex(ref string) (int, error) {
	if n, err := strconv.Atoi(ref); err == nil && n >= 0 && n <= p.groups {
		return n, nil
	}
	if n, ok := p.names[ref]; ok {
		return n, nil
	}
	return 0, fmt.Errorf("the regular expression has no group %q", ref)
}

// A replacementPiece is text, with group -1, or a group.
type replacementPiece struct {
	text  string
	group int
}

// replacement parses \1, \g<1>, \g<name>, \n and other escapes of a replacement.
func (p *pattern) replacement(s string) ([]replacementPiece, error) {
	var out []replacementPiece
	for s != "" {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i == len(s)-1 {
			return append(out, replacementPiece{s, -1}), nil
		}
		if i > 0 {
			out = append(out, replacementPiece{s[:i], -1})
		}
		piece, n, err := p.reference(s[i+1:])
		if err != nil {
			return nil, err
		}
		out = append(out, piece)
		s = s[i+1+n:]
	}
	return out, nil
}

func (p *pattern) reference(s string) (piece replacementPiece, length int, err error) {
	switch c := s[0]; {
	case c >= '1' && c <= '9':
		n := 1
		if len(s) > 1 && s[1] >= '0' && s[1] <= '9' {
			n = 2
		}
		g, err := p.groupIndex(s[:n])
		return replacementPiece{"", g}, n, err
	case strings.HasPrefix(s, "g<"):
		end := strings.IndexByte(s, '>')
		if end < 0 {
			return piece, 0, errors.New(`"\g<" is never closed`)
		}
		g, err := p.groupIndex(s[2:end])
		return replacementPiece{"", g}, end + 1, err
	}
	escapes := map[byte]string{'n': "\n", 't': "\t", 'r': "\r", 'f': "\f", 'v': "\v", 'a': "\a", '\\': `\`, '0': "\x00"}
	if text, ok := escapes[s[0]]; ok {
		return replacementPiece{text, -1}, 1, nil
	}
	if c := s[0] | 0x20; c >= 'a' && c <= 'z' {
		return piece, 0, fmt.Errorf(`unknown escape \%s in the replacement`, s[:1])
	}
	return replacementPiece{`\` + s[:1], -1}, 1, nil
}
