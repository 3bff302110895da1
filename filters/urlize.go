package filters

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

func linkFilters() []Func {
	return family("links", row("urlize", "Escapes a text for HTML and makes links of the addresses in it: http://, https://, www., mailto: and mail addresses, and of extra_schemes such as ['tel:']. Texts of links are cut after trim_url_limit characters.",
		"{{ 'see www.example.org.' | urlize }}", `"see <a href=\"https://www.example.org\" rel=\"noopener\">www.example.org</a>."`,
		with((*Ctx).text, urlize),
		opt("trim_url_limit", Int, value.Null), opt("nofollow", Bool, value.False), opt("target", Text, value.Null), opt("rel", Text, value.Null), opt("extra_schemes", Items, value.Null)))
}

// linkPatterns are the expressions of Jinja for addresses. They are compiled on first use.
var linkPatterns = lazy.Value[linkExpressions]{Make: func() (p linkExpressions) {
	p.web = regexp.MustCompile(`(?i)^(?:(?:https?://|www\.)(?:(?:[\pL\pN_%-]+\.)+)?(?:[a-z]{2,63}|xn--[\pL\pN_%]{2,59})` +
		`|(?:[\pL\pN_%-]{2,63}\.)+(?:com|net|int|edu|gov|org|info|mil)` +
		`|https?://(?:\p{Nd}{1,3}(?:\.\p{Nd}{1,3}){3}|\[(?:[\p{Nd}a-f]{0,4}:){2}(?:[\p{Nd}a-f]{0,4}:?){1,6}\]))` +
		`(?::\p{Nd}{1,5})?(?:[/?#]\S*)?$`)
	p.mail = regexp.MustCompile(`^\S+@[\pL\pN_][\pL\pN_.-]*\.[\pL\pN_]+$`)
	p.scheme = regexp.MustCompile(`^(?:[\pL\pN_.+-]{2,}:(?:/){0,2})$`)
	p.head = regexp.MustCompile(`^(?:[(<]|&lt;)+`)
	p.tail = regexp.MustCompile(`(?:[)>.,\n]|&gt;)+$`)
	return p
}}

type linkExpressions struct{ web, mail, scheme, head, tail *regexp.Regexp }

// A linker writes links. attributes are for links to pages, with a blank before each.
type linker struct {
	limit      int // of characters, or negative
	attributes string
	schemes    []string
}

func urlize(c *Ctx, s string, a Bound) (value.Value, error) {
	l := linker{limit: -1}
	if !a.Get("trim_url_limit").IsNull() {
		l.limit = max(a.Int("trim_url_limit"), 0)
	}
	rel := strings.Fields(a.Str("rel"))
	if a.Bool("nofollow") {
		rel = append(rel, "nofollow")
	}
	rel = append(rel, "noopener")
	slices.Sort(rel)
	l.attributes = ` rel="` + escapeHTML(strings.Join(slices.Compact(rel), " ")) + `"`
	if target := a.Str("target"); target != "" {
		l.attributes += ` target="` + escapeHTML(target) + `"`
	}
	if more := a.Get("extra_schemes"); !more.IsNull() {
		schemes, err := c.texts(more)
		if err != nil {
			return value.Null, err
		}
		for _, scheme := range schemes {
			if !linkPatterns.Get().scheme.MatchString(scheme) {
				return value.Null, fmt.Errorf("%q is not the beginning of a URL, such as \"tel:\"", scheme)
			}
		}
		l.schemes = schemes
	}
	if err := c.step(len(s)); err != nil {
		return value.Null, err
	}
	s = escapeHTML(s)
	var out []string
	for s != "" {
		n := strings.IndexFunc(s, unicode.IsSpace)
		if n < 0 {
			n = len(s)
		}
		if n > 0 {
			out = append(out, l.word(s[:n]))
		}
		rest := strings.TrimLeftFunc(s[n:], unicode.IsSpace)
		out = append(out, s[n:len(s)-len(rest)])
		s = rest
	}
	return c.join(out, "")
}

// word returns a word, as a link if it is an address. Brackets around it and a full stop or comma
// after it are not part of it, but brackets that it opens itself are.
func (l linker) word(word string) string {
	p := linkPatterns.Get()
	head := p.head.FindString(word)
	middle, tail := word[len(head):], ""
	if i := p.tail.FindStringIndex(middle); i != nil {
		middle, tail = middle[:i[0]], middle[i[0]:]
	}
	for _, pair := range [][2]string{{"(", ")"}, {"<", ">"}, {"&lt;", "&gt;"}} {
		opened := strings.Count(middle, pair[0])
		if opened <= strings.Count(middle, pair[1]) {
			continue
		}
		for range min(opened, strings.Count(tail, pair[1])) {
			end := strings.Index(tail, pair[1]) + len(pair[1])
			middle, tail = middle+tail[:end], tail[end:]
		}
	}
	return head + l.address(middle) + tail
}

func (l linker) address(s string) string {
	p := linkPatterns.Get()
	mail, isMail := strings.CutPrefix(s, "mailto:")
	switch {
	case p.web.MatchString(s):
		to := s
		if !strings.HasPrefix(s, "https://") && !strings.HasPrefix(s, "http://") {
			to = "https://" + s
		}
		return `<a href="` + to + `"` + l.attributes + `>` + l.cut(s) + `</a>`
	case isMail && p.mail.MatchString(mail):
		return `<a href="` + s + `">` + mail + `</a>`
	case strings.Contains(s, "@") && !strings.HasPrefix(s, "www.") && !strings.Contains(s, ":") && p.mail.MatchString(s):
		return `<a href="mailto:` + s + `">` + s + `</a>`
	}
	for _, scheme := range l.schemes {
		if s != scheme && strings.HasPrefix(s, scheme) {
			return `<a href="` + s + `"` + l.attributes + `>` + s + `</a>`
		}
	}
	return s
}

// cut shortens the text of a link.
func (l linker) cut(s string) string {
	if l.limit < 0 || len(s) <= l.limit {
		return s
	}
	if r := []rune(s); len(r) > l.limit {
		return string(r[:l.limit]) + "..."
	}
	return s
}
