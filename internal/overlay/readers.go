package overlay

import (
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/yamlnode"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
)

const (
	// largestRead is the size of the largest text, or entry of a text, that the second reader reads: 8 ms.
	largestRead = 1 << 16
	// mostRead bounds all entries of one text. A batch of edits may change thousands.
	mostRead = 1 << 18
)

// CheckReaders returns an error if a second reader of YAML reads a text of t in another way than lang/yaml,
// and did not do so before: see package yamlnode. It reads whole texts, of large ones the changed entries, and
// leaves out entries that are large themselves.
//
// Code: internal.
func (x *Overlay) CheckReaders(t Texts) error {
	for _, path := range slices.Sorted(maps.Keys(t.byPath)) {
		old, now := x.Source(path), x.source(path, t.byPath)
		if now.Text == old.Text || x.langOf(path) != frontend.YAML {
			continue
		}
		entries := []roundtrip.Entry{{Old: old.Text, New: now.Text}}
		if max(len(old.Text), len(now.Text)) > largestRead {
			entries = t.entries[path]
		}
		read := 0
		for _, e := range entries {
			if size := max(len(e.Old), len(e.New)); size > largestRead || read+size > mostRead {
				continue
			} else {
				read += size
			}
			at, differ := yamlnode.Differ(e.Old, e.New, x.parseOptions(path))
			if !differ {
				continue
			}
			start := max(strings.Index(now.Text, e.New), 0) + int(at.Start) // -1 if a later edit changed the entry
			return source.Errorf(now.Span(start, start+int(at.End-at.Start)), source.Internal,
				"another reader of YAML reads this place of the edited text differently, so nothing is written").
				WithHint("edit it by hand, and report the edit: all readers should read alike what yaytpl writes")
		}
	}
	return nil
}

// langOf returns the language of a file.
func (x *Overlay) langOf(path string) string {
	if path == x.Path {
		return x.Lang
	}
	l, _ := frontend.For(&source.File{Name: x.files[path].Name}, "") // by its ending, which cannot fail
	return l.Name
}
