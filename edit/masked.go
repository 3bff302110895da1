package edit

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// MaskedLines returns the lines of Old and of Text as they may be shown, for a diff of the two:
// with "*****" or "<<REDACTED>>" in place of each line of an encrypted file, each text with a mark
// (an argument of "sensitive", a value with the tag !vault) and each secret that the edit wrote in
// clear ([Options].AllowClear). Lines end with their line breaks; the last one may have none.
func (f *File) MaskedLines() (old, text []string) {
	changed := overlay.NewPatch(f.Old, f.Text)
	return f.maskedLines(f.Old, nil), f.maskedLines(f.Text, &changed)
}

// maskedLines returns the lines of a text with its secrets masked: those in clear in the changed
// part, which is nil for an old text.
func (f *File) maskedLines(text string, changed *overlay.Patch) []string {
	lines := slices.Collect(strings.Lines(text))
	if f.Encrypted() {
		for i, line := range lines {
			lines[i] = masked(line, 0, len(strings.TrimRight(line, "\r\n")), value.SecretText)
		}
		return lines
	}
	m := masker{lines: lines, changed: changed}
	if changed != nil {
		m.hidden = f.hidden
	}
	if !hasMarkWords(text) && len(m.hidden) == 0 {
		return lines
	}
	if source.LanguageOf(f.Name) == frontend.Yay {
		m.maskMentions()
		return m.lines
	}
	docs, findings := yaml.Parse(source.NewFile(f.Name, text), yaml.ParseOptions{Lenient: true})
	if source.FirstError(findings) != nil {
		m.maskMentions()
		return m.lines
	}
	for _, d := range docs {
		m.collect(d.Root, false)
	}
	m.maskSpans()
	m.maskComments()
	return m.lines
}

// masked returns a line with a mask in place of a range of bytes.
func masked(line string, start, end int, mask string) string {
	return line[:start] + mask + line[end:]
}

// A masker masks the secrets of one text.
type masker struct {
	lines   []string
	hidden  map[string]bool // texts in clear that are secrets, in the changed part
	changed *overlay.Patch
	spans   []maskedSpan // in the order of the text
}

// A maskedSpan is a part of the text with the mask that replaces it.
type maskedSpan struct {
	at   source.Span
	mask string
}

// collect adds the places of the secrets at and below a node. inside says that it is in the
// argument of "sensitive".
func (m *masker) collect(n *yaml.Node, inside bool) {
	if n == nil || n.Kind == yaml.AliasNode {
		return
	}
	text, _ := secretText(n.Value)
	switch {
	case n.Tag == vaultTag, n.Kind == yaml.ScalarNode && (inside || show.CallsSensitive(n.Value.Str())):
		m.spans = append(m.spans, maskedSpan{n.At, value.SensitiveText})
		return
	case n.Kind == yaml.ScalarNode && text != "" && m.hidden[text] && m.changed.Touches(int(n.At.Start), int(n.At.End)):
		m.spans = append(m.spans, maskedSpan{n.At, value.SecretText})
		return
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		m.collect(e.Value, inside || e.Key == value.K("sensitive"))
	}
	for _, item := range n.Items {
		m.collect(item, inside)
	}
}

// maskSpans masks the spans, the last one first. Of a span of several lines each is masked.
func (m *masker) maskSpans() {
	starts := make([]int, len(m.lines)+1)
	for i, line := range m.lines {
		starts[i+1] = starts[i] + len(line)
	}
	for _, s := range slices.Backward(m.spans) {
		start, end := int(s.at.Start), int(s.at.End)
		first, found := slices.BinarySearch(starts, start)
		if !found {
			first--
		}
		for i := first; i < len(m.lines) && (starts[i] < end || i == first); i++ {
			line := m.lines[i]
			body := len(strings.TrimRight(line, "\r\n"))
			from, to := max(start-starts[i], 0), body
			if end < starts[i+1] {
				to = min(end-starts[i], body)
			}
			if i > first {
				from = len(line) - len(strings.TrimLeft(line, " \t"))
			}
			if from < to {
				m.lines[i] = masked(line, from, to, s.mask)
			}
		}
	}
}

// maskComments masks comments that were copied from encrypted files.
func (m *masker) maskComments() {
	for i, line := range m.lines {
		for text := range m.hidden {
			if at := strings.Index(line, text); at >= 0 && strings.HasPrefix(text, "#") {
				m.lines[i] = masked(line, at, len(strings.TrimRight(line, "\r\n")), "# "+value.SecretText)
				break
			}
		}
	}
}

// maskMentions masks each line that may have a secret as a whole, in a text without a tree.
func (m *masker) maskMentions() {
	for i, line := range m.lines {
		hide := hasMarkWords(line)
		for text := range m.hidden {
			hide = hide || strings.Contains(line, text)
		}
		if hide {
			from := len(line) - len(strings.TrimLeft(line, " \t"))
			m.lines[i] = masked(line, from, len(strings.TrimRight(line, "\r\n")), value.SecretText)
		}
	}
}
