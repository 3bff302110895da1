package filters

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/value"
)

func escapeFilters() []Func {
	escape := onText("escape", "escape", escapeHTML, "Writes & < > ' and \" as HTML entities.", "{{ '<a b=\"c\">' | escape }}", `"&lt;a b=&#34;c&#34;&gt;"`)
	escape.Aliases = []string{"e", "forceescape"}
	return []Func{
		escape,
		{
			Name: "safe", Family: "escape", flow: moves,
			Doc:     "The value as it is. Nothing is escaped automatically, so there is nothing to switch off.",
			Example: "{{ '<a>' | safe }}", Result: `"<a>"`,
			Call: func(_ *Ctx, in value.Value, _ Bound) (value.Value, error) { return in, nil },
		},
		onText("striptags", "escape", stripTags, "The text without HTML tags and comments, with white space as single blanks.", "{{ '<p>a &amp;\n <b>b</b></p>' | striptags }}", `"a & b"`),
		{
			Name: "xmlattr", Family: "escape", Call: xmlAttributes,
			Params:  []Param{opt("autospace", Bool, value.True)},
			Doc:     "A map as XML attributes, without those that are null. There is a blank in front unless autospace is false.",
			Example: "{{ {'id': 'x', 'no': none} | xmlattr }}|", Result: `" id=\"x\"|"`,
		},
	}
}

var htmlEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "'", "&#39;", `"`, "&#34;")

func escapeHTML(s string) string { return htmlEscaper.Replace(s) }

var (
	htmlComment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<!--.*?-->`) })
	htmlTag     = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)<.*?>`) })
)

func stripTags(s string) string {
	s = htmlTag().ReplaceAllString(htmlComment().ReplaceAllString(s, ""), "")
	return html.UnescapeString(strings.Join(strings.Fields(s), " "))
}

func xmlAttributes(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	entries, err := c.entries(in)
	if err != nil {
		return value.Null, err
	}
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
