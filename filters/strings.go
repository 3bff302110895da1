package filters

import (
	"fmt"
	"html"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// stringFilters follow Jinja, where a value of another kind is converted to text first: {{ 12 | replace(1, 3) }} is
// 32. Methods of texts, in methods.go, share the functions below but refuse other kinds, as Python does.
func stringFilters() []Func {
	return family("strings",
		onText("upper", upperText, "Converts to upper case.", "{{ 'aé' | upper }}", `"AÉ"`),
		onText("lower", strings.ToLower, "Converts to lower case.", "{{ 'AB' | lower }}", `"ab"`),
		onText("capitalize", capitalize, "Converts the first letter to upper case and the others to lower case.", "{{ 'wORD' | capitalize }}", `"Word"`),
		onText("title", titleWords, "Converts the first letter of every word to upper case and the others to lower case.", "{{ \"it's a-BC\" | title }}", `"It's A-Bc"`),
		row("string", "Converts the value to text.",
			"{{ [true, none, 1.0] | string }}", `"[True, None, 1.0]"`, toText),
		row("replace", "Replaces a text everywhere, or the first count times.",
			"{{ 'a-b-c' | replace('-', '+', 1) }}", `"a+b-c"`,
			with((*Ctx).text, replaceText), req("old", Text), req("new", Text), opt("count", Int, value.Null)),
		row("trim", "Removes white space, or the given characters, from both ends.",
			"{{ '  x ' | trim }}", `"x"`, with((*Ctx).text, strip(both)), opt("chars", Text, value.Null)),
		row("truncate", "Truncates a text to length characters, between words and including an end mark. A text that exceeds the length by no more than leeway, by default 5, stays whole.",
			"{{ 'one two three four' | truncate(10) }}", `"one..."`,
			with((*Ctx).text, truncate),
			opt("length", Int, value.Int(255)), opt("killwords", Bool, value.False), opt("end", Text, value.String("...")), opt("leeway", Int, value.Null)),
		row("wordcount", "Counts the words.",
			"{{ 'a b-c' | wordcount }}", "3", with((*Ctx).text, wordCount)),
		row("split", "Splits a text at separators, by default runs of white space.",
			"{{ 'a,b' | split(',') }}", `["a", "b"]`,
			with((*Ctx).text, splitText), opt("sep", Text, value.Null), opt("maxsplit", Int, value.Int(-1))),
		row("splitlines", "Splits a text into lines.",
			`{{ 'a\nb\n' | splitlines }}`, `["a", "b"]`, with((*Ctx).text, splitLinesOf), opt("keepends", Bool, value.False)),
	)
}

// onText returns a filter without arguments that calls f with the text of the value.
func onText(name string, f func(string) string, doc, example, result string) Func {
	return row(name, doc, example, result,
		func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
			s, err := c.text(in)
			return value.String(f(s)), err
		})
}

// upperFirst splits s after its first character, which it converts to title case.
func upperFirst(s string) (first, rest string) {
	r, n := utf8.DecodeRuneInString(s)
	if n == 0 {
		return "", ""
	}
	if r == utf8.RuneError {
		return s[:n], s[n:]
	}
	return string(unicode.ToTitle(r)), s[n:]
}

// capitalize is Python's capitalize, which makes the other letters lower case.
func capitalize(s string) string {
	first, rest := upperFirst(s)
	return first + strings.ToLower(rest)
}

// upperText is ToUpper, and converts ß to SS, which has one more character.
func upperText(s string) string { return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS") }

// titleWords is Jinja's title, which differs from the method title of Python: a word ends at a blank, a hyphen or an
// opening bracket only.
//
//	"it's a-BC" | title      It's A-Bc
//	"it's a-BC".title()      It'S A-Bc
func titleWords(s string) string {
	var b strings.Builder
	for s != "" {
		n := strings.IndexFunc(s, isWordBreak)
		if n < 0 {
			n = len(s)
		}
		b.WriteString(capitalize(s[:n]))
		s = s[n:]
		n = strings.IndexFunc(s, func(r rune) bool { return !isWordBreak(r) })
		if n < 0 {
			n = len(s)
		}
		b.WriteString(s[:n])
		s = s[n:]
	}
	return b.String()
}

func isWordBreak(r rune) bool { return strings.ContainsRune("-({[<", r) || unicode.IsSpace(r) }

// toText returns a text without its source, so that later edits do not take it for the text of the file.
func toText(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.Is(value.StringKind) {
		return in.WithoutSource(), nil
	}
	s, err := c.text(in)
	return value.String(s), err
}

// replaceText is Python's replace. The size of the result is reserved from the number of occurrences: replacing
// each character by a long text multiplies the input.
func replaceText(c *Ctx, s string, a Bound) (value.Value, error) {
	old, replacement, count := a.Str("old"), a.Str("new"), -1
	if !a.Get("count").IsNull() {
		count = a.Int("count")
	}
	n := strings.Count(s, old)
	if count >= 0 {
		n = min(n, count)
	}
	if err := c.reserveProduct(n, len(replacement)); err != nil {
		return value.Null, err
	}
	return value.String(strings.Replace(s, old, replacement, count)), nil
}

// strip removes white space or the given characters from the ends of a text.
func strip(where side) func(*Ctx, string, Bound) (value.Value, error) {
	return func(_ *Ctx, s string, a Bound) (value.Value, error) {
		drop := unicode.IsSpace
		if !a.Get("chars").IsNull() {
			set := map[rune]bool{}
			for _, r := range a.Str("chars") {
				set[r] = true
			}
			drop = func(r rune) bool { return set[r] }
		}
		if where != right {
			s = strings.TrimLeftFunc(s, drop)
		}
		if where != left {
			s = strings.TrimRightFunc(s, drop)
		}
		return value.String(s), nil
	}
}

// truncate is Jinja's truncate. A text that exceeds the length by at most the leeway, by default 5, is returned
// whole. Else it is cut at the last blank, or anywhere with killwords, so that it has the length with its end.
func truncate(c *Ctx, s string, a Bound) (value.Value, error) {
	length, end := a.Int("length"), a.Str("end")
	room := length - utf8.RuneCountInString(end)
	if length < 0 || room < 0 {
		return value.Null, fmt.Errorf("the length %d has no room for the end mark %q", length, end)
	}
	n, leeway := utf8.RuneCountInString(s), 5
	if !a.Get("leeway").IsNull() {
		leeway = a.Int("leeway")
	}
	if leeway >= 0 && n-length <= leeway {
		return value.String(s), nil
	}
	s = string([]rune(s)[:min(room, n)])
	if i := strings.LastIndex(s, " "); !a.Bool("killwords") && i >= 0 {
		s = s[:i]
	}
	return value.String(s + end), nil
}

// wordCount counts runs of letters, digits and underscores: "don't" is two words, as in Jinja.
func wordCount(_ *Ctx, s string, _ Bound) (value.Value, error) {
	words := strings.FieldsFunc(s, func(r rune) bool { return !isWordRune(r) })
	return value.Int(int64(len(words))), nil
}

func isWordRune(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r) }

// splitText is Python's split: without a separator it splits at runs of white space and drops empty parts, with one
// it keeps them. A negative maxsplit is no limit.
//
//	' a  b '.split()        ['a', 'b']
//	' a  b '.split(' ')     ['', 'a', '', 'b', '']
func splitText(c *Ctx, s string, a Bound) (value.Value, error) {
	sep, limit := a.Get("sep"), a.Int("maxsplit")
	if limit < 0 || limit == maxInt {
		limit = math.MaxInt - 1
	}
	if sep.IsNull() {
		return c.textList(fields(s, min(limit, c.maxItems())))
	}
	if sep.Str() == "" {
		return value.Null, errEmptySeparator
	}
	if err := c.reserveItems(min(strings.Count(s, sep.Str()), limit)); err != nil {
		return value.Null, err
	}
	if limit == math.MaxInt-1 {
		return c.textList(strings.Split(s, sep.Str()))
	}
	return c.textList(strings.SplitN(s, sep.Str(), limit+1))
}

// fields splits s at white space at most limit times. The last field keeps its white space.
func fields(s string, limit int) []string {
	var out []string
	for s = strings.TrimLeftFunc(s, unicode.IsSpace); s != ""; s = strings.TrimLeftFunc(s, unicode.IsSpace) {
		i := strings.IndexFunc(s, unicode.IsSpace)
		if i < 0 || len(out) == limit {
			return append(out, s)
		}
		out = append(out, s[:i])
		s = s[i:]
	}
	return out
}

func splitLinesOf(c *Ctx, s string, a Bound) (value.Value, error) {
	lines, err := c.splitLines(s, a.Bool("keepends"))
	if err != nil {
		return value.Null, err
	}
	return c.textList(lines)
}

// splitLines splits s at all line ends of Python.
func (c *Ctx) splitLines(s string, keep bool) ([]string, error) {
	var out []string
	for s != "" {
		if err := c.fitsItems(len(out)); err != nil {
			return nil, err
		}
		i := strings.IndexFunc(s, isLineEnd)
		if i < 0 {
			return append(out, s), nil
		}
		_, n := utf8.DecodeRuneInString(s[i:])
		if strings.HasPrefix(s[i:], "\r\n") {
			n = 2
		}
		if keep {
			out = append(out, s[:i+n])
		} else {
			out = append(out, s[:i])
		}
		s = s[i+n:]
	}
	return out, nil
}

// isLineEnd reports whether str.splitlines of Python ends a line at r: besides \n and \r also at vertical tab, form
// feed, the separators of ASCII and of Unicode.
func isLineEnd(r rune) bool {
	return r >= '\n' && r <= '\r' || r >= 0x1c && r <= 0x1e || r == 0x85 || r == 0x2028 || r == 0x2029
}

// isLower is Python's islower: other characters than letters are ignored, but there must be a letter.
func isLower(s string) bool {
	return strings.ToLower(s) == s && strings.IndexFunc(s, hasCase) >= 0
}

// isUpper is Python's isupper, with the same rule.
func isUpper(s string) bool {
	return strings.ToUpper(s) == s && strings.IndexFunc(s, hasCase) >= 0
}

// hasCase reports whether r is a letter of upper or lower case. Those of other scripts have none.
func hasCase(r rune) bool { return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) }

// escapeFilters are for HTML. A value knows whether it is HTML already (value.IsHTML), as Markup does in Jinja:
// escape leaves such a text as it is, forceescape does not.
func escapeFilters() []Func {
	escape := onText("escape", escapeHTML, "Replaces & < > ' and \" by HTML entities, unless the text is HTML already.", "{{ '<a b=\"c\">' | escape }}", `"&lt;a b=&#34;c&#34;&gt;"`)
	escape.Aliases = []string{"e"}
	unescaped := escape.Call
	escape.Call = func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
		if in.IsHTML() {
			return in, nil
		}
		return unescaped(c, in, a)
	}
	return family("escape",
		escape,
		onText("forceescape", escapeHTML, "Replaces & < > ' and \" by HTML entities, also in a text that is HTML already.", "{{ '<' | escape | forceescape }}", `"&amp;lt;"`),
		moving(row("safe", "Returns the text as HTML, which autoescape leaves as it is.",
			"{{ '<a>' | safe }}", `"<a>"`, itself)),
		onText("striptags", stripTags, "Removes HTML tags and comments, and replaces white space by single blanks.", "{{ '<p>a &amp;\n <b>b</b></p>' | striptags }}", `"a & b"`),
		row("xmlattr", "Converts a map to XML attributes without those that are null, after a blank unless autospace is false.",
			"{{ {'id': 'x', 'no': none} | xmlattr }}|", `" id=\"x\"|"`,
			with((*Ctx).entries, xmlAttributes), opt("autospace", Bool, value.True)),
	)
}

func escapeHTML(s string) string { return value.EscapeHTML(value.String(s)).Str() }

var (
	htmlComment = lazy.Regexp{Text: `(?s)<!--.*?-->`}
	htmlTag     = lazy.Regexp{Text: `(?s)<.*?>`}
)

// stripTags is MarkupSafe's striptags: comments first, since they may hold tags, then tags, white space and entities.
func stripTags(s string) string {
	s = htmlTag.Get().ReplaceAllString(htmlComment.Get().ReplaceAllString(s, ""), "")
	return html.UnescapeString(strings.Join(strings.Fields(s), " "))
}

// xmlAttributes is Jinja's xmlattr. Null and undefined values are left out. A name that would end the attribute is an
// error and not escaped: HTML has no way to write it.
func xmlAttributes(c *Ctx, entries []entry, a Bound) (value.Value, error) {
	var parts []string
	for _, e := range entries {
		if e.val.IsNull() || e.val.Is(value.UndefinedKind) {
			continue
		}
		if strings.ContainsAny(e.key.Text, " \t\n\f\r/>=") {
			return value.Null, fmt.Errorf("%q cannot be the name of an attribute", e.key.Text)
		}
		s, err := c.text(e.val)
		if err != nil {
			return value.Null, err
		}
		parts = append(parts, escapeHTML(e.key.Text)+`="`+escapeHTML(s)+`"`)
	}
	out, err := c.join(parts, " ")
	if err == nil && a.Bool("autospace") && out.Str() != "" {
		out = value.String(" " + out.Str())
	}
	return out, err
}

func commentFilters() []Func {
	null := value.Null
	return family("comment",
		row("comment", "Converts the text to a comment in the style plain, erlang, c, cblock or xml; arguments replace parts of the style.",
			`{{ 'two\nlines' | comment }}`, `"#\n# two\n# lines\n#"`,
			with((*Ctx).text, comment),
			opt("style", Text, value.String("plain")), opt("decoration", Text, null), opt("prefix", Text, null),
			opt("prefix_count", Int, value.Int(1)), opt("postfix", Text, null), opt("postfix_count", Int, value.Int(1)),
			opt("beginning", Text, null), opt("end", Text, null), opt("newline", Text, value.String("\n"))),
		row("quote", "Quotes the text as one word for a shell.",
			`{{ "it's" | quote }}`, `"'it'\"'\"'s'"`, shellQuote),
	)
}

type commentStyle struct{ beginning, decoration, end string }

var commentStyles = lazy.Value[map[string]commentStyle]{Make: func() map[string]commentStyle {
	return map[string]commentStyle{
		"plain":  {"", "# ", ""},
		"erlang": {"", "% ", ""},
		"c":      {"", "// ", ""},
		"cblock": {"/*", " * ", " */"},
		"xml":    {"<!--", " - ", "-->"},
	}
}}

// comment is Ansible's comment. prefix_count lines with prefix come before the text, postfix_count lines with postfix
// after it, each line of the text begins with decoration, and the style's own beginning and end enclose all of it.
func comment(c *Ctx, s string, a Bound) (value.Value, error) {
	style, ok := commentStyles.Get()[a.Str("style")]
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

// shellQuote is Python's shlex.quote, which Ansible's quote calls: a text of safe characters stays as it is,
// another is put in single quotes, where a single quote itself becomes '"'"'.
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
