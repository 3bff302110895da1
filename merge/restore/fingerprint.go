package restore

import (
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// fingerprints returns the fingerprint of each value.
func fingerprints(vs []value.Value) []string {
	texts := make([]string, len(vs))
	for i, v := range vs {
		texts[i] = Fingerprint(v)
	}
	return texts
}

// Fingerprint returns a text that two values share if and only if they are the same: see
// [value.Same].
func Fingerprint(v value.Value) string {
	var b strings.Builder
	fingerprint(&b, v)
	return b.String()
}

func fingerprint(b *strings.Builder, v value.Value) {
	switch v.Kind() {
	case value.MapKind:
		fingerprintMap(b, v.Map())
	case value.ListKind:
		b.WriteByte('[')
		for item, err := range value.Items(v.List()) {
			if err != nil {
				b.WriteString("!" + err.Error())
				break
			}
			fingerprint(b, item)
			b.WriteByte(',')
		}
		b.WriteByte(']')
	default:
		text, _ := value.Repr(v.WithoutSource())
		b.WriteString(value.OwnTag(v) + " " + v.Kind().String() + " " + strconv.Itoa(len(text)) + " " + text)
	}
}

func fingerprintMap(b *strings.Builder, m value.Map) {
	entries := make([]string, 0, m.Len())
	for k := range m.Keys() {
		var e strings.Builder
		e.WriteString(k.Kind.String() + " " + strconv.Quote(k.Text) + ":")
		v, _, err := m.Get(k)
		if err != nil {
			e.WriteString("!" + err.Error())
		} else {
			fingerprint(&e, v)
		}
		entries = append(entries, e.String())
	}
	slices.Sort(entries)
	b.WriteString("{" + strings.Join(entries, ",") + "}")
}
