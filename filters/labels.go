package filters

import (
	"crypto/sha1"
	"encoding/base32"
	"encoding/base64"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// A labelStyle defines the characters of a label. Fields named for a class hold the
// inside of brackets of a regular expression, such as a-z0-9.
type labelStyle struct {
	allowed, replace string // class of all characters, and the replacement of others
	start, prepend   string // class of the first one, and a prefix for others
	end              string // class of the last one; others are dropped
	max              int
	letters          string // any, lower or upper
}

var (
	plainLabel  = labelStyle{`\w`, "", `a-zA-Z`, "x", `\w`, 63, "any"}
	dnsLabel    = labelStyle{`a-zA-Z0-9-`, "--", `a-zA-Z`, "x", `a-zA-Z0-9`, 63, "lower"}
	kubeLabel   = labelStyle{`\w.-`, "__", `a-zA-Z0-9`, "x", `a-zA-Z0-9`, 63, "any"}
	googleLabel = labelStyle{`\w-`, "__", `a-zA-Z`, "x", `\w-`, 63, "lower"}
)

func labelFilters() []Func { return labelFuncs("{{ %[2]s | %[1]s }}") }

// labelFuncs returns the entries; example is a format for the name and its argument.
func labelFuncs(example string) []Func {
	f := func(name string, style labelStyle, doc, arg, result string) Func {
		return row(name, doc, fmt.Sprintf(example, name, arg), result, makeLabel, labelParams(style)...)
	}
	return family("labels",
		f("to_label", plainLabel, "Converts a text to a label of allowed characters and limited length. A list is joined by sep; of a map the keys and values are converted.", "['a b', 'c']", `"abc"`),
		f("to_dns_label", dnsLabel, "Converts a text to a DNS label.", "'My_App.Example'", `"my--app--example"`),
		f("to_kubernetes_label", kubeLabel, "Converts a text to the value of a Kubernetes label.", "'My App/1'", `"My__App__1"`),
		f("to_googlecloud_label", googleLabel, "Converts a text to a Google Cloud label.", "{'Owner': 'A B'}", `{"owner": "a__b"}`),
	)
}

func labelParams(s labelStyle) []Param {
	text := func(name, def string) Param { return opt(name, Text, value.String(def)) }
	return []Param{
		text("allowed", s.allowed), text("replace", s.replace), text("start", s.start), text("start_prepend", s.prepend),
		text("end", s.end), opt("max", Int, value.Int(int64(s.max))), text("case", s.letters), text("sep", ""),
		opt("digest", Text, value.Null), opt("digestlen", Int, value.Int(-1)),
	}
}

// A labeler makes labels with the settings of one call.
type labeler struct {
	c                     *Ctx
	notAllowed, badStart  *regexp.Regexp
	badEnd                *regexp.Regexp
	replace, prepend, sep string
	letters, digest       string
	max, digestLen        int
	alwaysDigest          bool
}

// makeLabel checks the settings and compiles the three classes: characters that are not allowed anywhere, at the
// start, at the end. The user writes them, so compiling them is counted, too.
func makeLabel(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	l := &labeler{
		c: c, replace: a.Str("replace"), prepend: a.Str("start_prepend"), sep: a.Str("sep"), letters: a.Str("case"),
		digest: a.Str("digest"), max: a.Int("max"), digestLen: a.Int("digestlen"), alwaysDigest: !a.Get("digest").IsNull(),
	}
	if l.digestLen < 0 {
		l.digestLen = 3
		if l.max < 32 {
			l.digestLen = 2
		}
	}
	if l.max < 1 || l.digestLen > min(l.max, 20) {
		return value.Null, errors.New("max must be at least 1, and digestlen no more than max and 20")
	}
	if !slices.Contains([]string{"any", "lower", "upper"}, l.letters) {
		return value.Null, fmt.Errorf("unknown case %q; it is any, lower or upper", l.letters)
	}
	for class, re := range map[string]**regexp.Regexp{
		"[^" + a.Str("allowed") + "]": &l.notAllowed,
		"^[^" + a.Str("start") + "]":  &l.badStart,
		"[^" + a.Str("end") + "]+$":   &l.badEnd,
	} {
		err := l.charge(1, len(class))
		if err != nil {
			return value.Null, err
		}
		if *re, err = regexp.Compile(class); err != nil {
			return value.Null, errors.New("allowed, start and end are classes of characters such as a-z0-9")
		}
	}
	return l.label(in)
}

func (l *labeler) label(in value.Value) (value.Value, error) {
	switch in.Kind() {
	case value.ListKind:
		return l.list(in)
	case value.MapKind:
		return l.dict(in)
	}
	s, err := l.c.text(in)
	if err != nil {
		return value.Null, err
	}
	if err := l.charge(1, len(s)); err != nil {
		return value.Null, err
	}
	return value.String(l.text(s, s, l.max)), nil
}

// charge counts labels that are made of texts with a number of bytes.
func (l *labeler) charge(labels, bytes int) error {
	const labelSteps, byteSteps = 150, 12
	return l.c.step(labelSteps*labels + byteSteps*bytes)
}

// text returns s as a label. If the label is longer than limit, its end is a digest of
// original.
func (l *labeler) text(s, original string, limit int) string {
	clean := l.clean(s, l.replace)
	if len(clean) <= limit && !l.alwaysDigest {
		return clean
	}
	if len(clean) > limit {
		clean = l.clean(s, "")
	}
	tail := l.digestOf(original)
	return l.cut(clean, max(limit-len(tail), 0)) + tail
}

// clean replaces characters that are not allowed. A text that begins with a wrong one gets a prefix.
//
//	'9 lives' | to_label     x9lives
func (l *labeler) clean(s, replace string) string {
	if s != "" && l.badStart.MatchString(s) {
		s = l.prepend + s
	}
	s = l.notAllowed.ReplaceAllLiteralString(s, replace)
	return l.inCase(l.badEnd.ReplaceAllLiteralString(s, ""))
}

// cut removes characters from the middle of s until it has at most size bytes.
func (l *labeler) cut(s string, size int) string {
	if len(s) <= size {
		return s
	}
	head, tail := s[:(size+1)/2], s[len(s)-size/2:]
	return strings.ToValidUTF8(head, "") + strings.ToValidUTF8(tail, "")
}

// digestOf returns a digest of the text before it was cleaned, so that two long texts with the same beginning
// get two labels. Its alphabet suits the letter case of the label.
func (l *labeler) digestOf(original string) string {
	sum := sha1.Sum([]byte(original + l.digest))
	text := base32.StdEncoding.EncodeToString(sum[:])
	if l.letters == "any" {
		text = strings.NewReplacer("-", "", "_", "", "=", "").Replace(base64.URLEncoding.EncodeToString(sum[:]))
	}
	if l.letters == "lower" {
		text = strings.ToLower(text)
	}
	return text[:min(l.digestLen, len(text))]
}

// list joins the labels of the items. If the result is too long, it shortens each item
// in proportion to its length.
func (l *labeler) list(in value.Value) (value.Value, error) {
	texts, err := l.c.texts(in)
	if err != nil {
		return value.Null, err
	}
	parts := make([]string, 0, len(texts))
	bytes := 0
	for _, s := range texts {
		bytes += len(s)
	}
	if err := l.charge(len(texts), bytes); err != nil {
		return value.Null, err
	}
	total := 0
	for i, s := range texts {
		clean := l.notAllowed.ReplaceAllLiteralString(s, l.replace)
		if i == 0 {
			clean = l.clean(s, l.replace)
		}
		if clean != "" {
			parts = append(parts, l.inCase(clean))
			total += len(clean)
		}
	}
	joined := strings.Join(parts, l.sep)
	if len(joined) <= l.max && !l.alwaysDigest {
		return value.String(l.badEnd.ReplaceAllLiteralString(joined, "")), nil
	}
	tail := l.digestOf(strings.Join(texts, l.sep))
	room := l.max - len(tail) - len(l.sep)*max(len(parts)-1, 0)
	if total > room {
		for i, p := range parts {
			parts[i] = l.cut(p, len(p)*max(room, 0)/total)
		}
	}
	return value.String(l.cut(strings.Join(parts, l.sep), l.max-len(tail)) + tail), nil
}

func (l *labeler) inCase(s string) string {
	switch l.letters {
	case "lower":
		return strings.ToLower(s)
	case "upper":
		return strings.ToUpper(s)
	}
	return s
}

// dict makes labels of keys and values, without the entries that are null.
func (l *labeler) dict(in value.Value) (value.Value, error) {
	entries, err := l.c.entries(in)
	if err != nil {
		return value.Null, err
	}
	m := value.NewMap(len(entries))
	for _, e := range entries {
		if e.val.IsNull() {
			continue
		}
		v, err := l.c.text(e.val)
		if err != nil {
			return value.Null, err
		}
		if err := l.charge(2, len(e.key.Text)+len(v)); err != nil {
			return value.Null, err
		}
		k := l.text(e.key.Text, e.key.Text, l.max)
		m.Set(value.K(k), value.String(l.text(v, v, l.max)).Mark(e.val.Marks()))
	}
	return value.FromMap(m), nil
}
