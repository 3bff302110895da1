package yaml

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Form says how a text that is one value is read (spec: everyday, A1).
type Form uint8

// The forms.
const (
	// TypedForm is the form of VALUE, which people type on a command line: "5" is a number,
	// "[a, b]" a list, and "a: b # c" text. See [Form.Parse].
	TypedForm Form = iota
	// TextForm is text, whatever it looks like.
	TextForm
	// YAMLForm is any YAML of one document.
	YAMLForm
)

// A Parser parses a text to trees, as [Parse] does.
type Parser func(*source.File, ParseOptions) ([]*Document, []*source.Diagnostic)

// A OneParser parses a text of one document, as [Form.Parse] does.
type OneParser func(*source.File, ParseOptions) (*Document, []*source.Diagnostic)

// ParserFor returns the parser of a file that must be YAML or, if its name ends in .json, JSON.
func ParserFor(f *source.File) Parser {
	if source.LanguageOf(f.Name) == "json" {
		return ParseJSON
	}
	return Parse
}

// Parse reads a file that is one value in this form. A nil root is null. The rules of
// [TypedForm]:
//
//  1. A text that begins like a list or a map in brackets ("{{" and "{%" begin templates), a
//     quoted text, a tag or an anchor and a blank ("!Ref x"), or the head of a block text and
//     a line break ("|-") is YAML, which must end where the text ends.
//  2. A null, a boolean or a number of YAML's core schema is that scalar, with its spelling.
//  3. Everything else is text, byte for byte: "", "!x", ">=1.2", "a: b", " 5".
//
// Codes: usage for a typed value that is not what it begins as, and for a text that is not
// UTF-8, with messages that quote nothing of it, since it may be a password; bad-document for
// several documents; the codes of [Parse].
func (form Form) Parse(f *source.File, o ParseOptions) (*Document, []*source.Diagnostic) {
	if form == YAMLForm {
		return Parser(Parse).One(f, o)
	}
	if bad := notUTF8(f); bad != nil {
		return nil, bad
	}
	if form == TypedForm && typedAs(f.Text) != "" {
		return parseTyped(f, o)
	}
	n := newNode(&slab[Node]{})
	n.At = f.Span(0, len(f.Text))
	n.Value = value.String(f.Text)
	if form == TypedForm {
		if v, ok := resolve(f.Text); ok && f.Text != "" {
			n.Value = spelled(v, f.Text)
		}
	}
	return &Document{Root: n, At: n.At}, nil
}

// invalidUTF8 returns the offset of the first byte that is not UTF-8, or -1.
func invalidUTF8(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], string(utf8.RuneError)) {
			return i
		}
	}
	return -1
}

// notUTF8 returns the error of a value that is not UTF-8, nil if it is.
func notUTF8(f *source.File) []*source.Diagnostic {
	at := invalidUTF8(f.Text)
	if at < 0 {
		return nil
	}
	return []*source.Diagnostic{source.Errorf(source.Span{}, source.Usage,
		"the value is not text in UTF-8: byte %d of %d is 0x%02x", at+1, len(f.Text), f.Text[at])}
}

// One parses a file that is one value, with the codes of [Form.Parse].
func (parse Parser) One(f *source.File, o ParseOptions) (*Document, []*source.Diagnostic) {
	if bad := notUTF8(f); bad != nil {
		return nil, bad
	}
	docs, found := parse(f, o)
	switch {
	case source.FirstError(found) != nil:
		return nil, found
	case len(docs) > 1:
		return nil, append(found, source.Errorf(docs[1].At, source.BadDocument, "a value is one document, not %d", len(docs)))
	}
	return docs[0], found
}

// typedAs names what a typed value begins as, if it is YAML; else it is "".
func typedAs(s string) string {
	if s == "" {
		return ""
	}
	switch s[0] {
	case '{':
		if !strings.HasPrefix(s, "{{") && !strings.HasPrefix(s, "{%") {
			return "a map"
		}
	case '[':
		return "a list"
	case '"', '\'':
		return "a quoted text"
	case '!':
		if endsInBlank(s, 1) {
			return "a value with a tag"
		}
	case '&':
		if endsInBlank(s, 1) {
			return "a value with an anchor"
		}
	case '|', '>':
		if isBlockHead(s) {
			return "a block text"
		}
	}
	return ""
}

// endsInBlank reports whether the word at the beginning of s has more than n bytes and a
// blank after it.
func endsInBlank(s string, n int) bool {
	i := strings.IndexAny(s, " \t\r\n")
	return i > n && isBlank(s[i])
}

// isBlockHead reports whether s begins with the head of a block text and a line break: "|-",
// ">2+".
func isBlockHead(s string) bool {
	head, _, ok := strings.Cut(s, "\n")
	head = strings.TrimRight(strings.TrimSuffix(head, "\r"), " \t")[1:]
	switch {
	case !ok || len(head) > 2:
		return false
	case len(head) == 2 && isChomping(head[0]) == isChomping(head[1]):
		return false
	}
	return onlyOf(head, "+-123456789")
}

func isChomping(c byte) bool { return c == '+' || c == '-' }

// parseTyped parses a typed value that begins as YAML. Its errors quote nothing.
func parseTyped(f *source.File, o ParseOptions) (*Document, []*source.Diagnostic) {
	bad := func(at source.Span, reason string) []*source.Diagnostic {
		line, col := f.Position(int(at.Start))
		where := fmt.Sprintf("character %d", col)
		if line > 1 {
			where = fmt.Sprintf("line %d, %s", line, where)
		}
		return []*source.Diagnostic{source.Errorf(source.Span{}, source.Usage, "the value begins as %s, but is none: %s, at %s", typedAs(f.Text), reason, where).
			WithHint("in quotes it is text: '\"...\"'")}
	}
	docs, found, unquoted := parse(f, o)
	for _, d := range found {
		switch {
		case d.Severity != source.Error:
		case d.Code == source.Syntax:
			return nil, bad(d.At, unquoted)
		case d.Code == source.BadKey:
			return nil, bad(d.At, d.Message)
		}
	}
	if source.FirstError(found) != nil {
		return nil, found
	}
	root := docs[0].Root
	end := int(root.At.End)
	if begin := valueStart(root); begin != 0 {
		return nil, bad(f.Span(0, 0), "it is a map without brackets")
	}
	if rest := strings.TrimLeft(f.Text[end:], " \t\r\n"); rest != "" {
		at := len(f.Text) - len(rest)
		return nil, bad(f.Span(at, at), "text after the end of a value")
	}
	return docs[0], found
}

// valueStart returns the offset of a node with its tag and anchor, or -1 for a map or list
// without brackets.
func valueStart(n *Node) int {
	if n.Style == Block && n.Tag == "" && n.Anchor == "" {
		return -1
	}
	start := n.At.Start
	if n.Tag != "" {
		start = min(start, n.TagAt.Start)
	}
	if n.Anchor != "" {
		start = min(start, n.AnchorAt.Start)
	}
	return int(start)
}

// WithoutNotation makes plain texts of a tree that nothing else uses yet forget that they are
// plain, so that those that YAML 1.1 takes for something else are written in quotes: yes, 22:22,
// 1_000 (spec: everyday, A1).
func (n *Node) WithoutNotation() {
	if n == nil {
		return
	}
	if n.Kind == ScalarNode && n.Tag == "" && n.Value.Is(value.StringKind) {
		n.Value = value.String(n.Value.Str())
	}
	for _, item := range n.Items {
		item.WithoutNotation()
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		e.key.WithoutNotation()
		e.Value.WithoutNotation()
	}
}
