package overlay

import (
	"maps"
	"slices"
	"strings"
)

// A Patch is the change of one file by edits.
type Patch struct {
	Name      string // as the user named the file
	Path      string
	Encrypted bool
	Old, New  string // decrypted

	start, end int // the changed part of New, in whole lines
}

// Patches returns the changes from the current texts to t, by path.
func (x *Overlay) Patches(t Texts) []Patch {
	var all []Patch
	for _, path := range slices.Sorted(maps.Keys(t.byPath)) {
		f, old := x.files[path], x.Source(path).Text
		if now := t.byPath[path]; now != old {
			p := NewPatch(old, now)
			p.Name, p.Path, p.Encrypted = f.Name, path, f.Encrypted()
			all = append(all, p)
		}
	}
	return all
}

// NewPatch returns the change of a text.
func NewPatch(old, text string) Patch {
	p := Patch{Old: old, New: text}
	p.start, p.end = changedLines(old, text)
	return p
}

// changedLines returns the range of the lines of now that are between the longest beginning and
// the longest end that it shares with old.
func changedLines(old, now string) (start, end int) {
	most := min(len(old), len(now))
	for start < most && old[start] == now[start] {
		start++
	}
	n := 0
	for n < most-start && old[len(old)-1-n] == now[len(now)-1-n] {
		n++
	}
	end = len(now) - n
	start = strings.LastIndexByte(now[:start], '\n') + 1
	if i := strings.IndexByte(now[end:], '\n'); i >= 0 && (end == 0 || now[end-1] != '\n') {
		end += i + 1
	} else if i < 0 {
		end = len(now)
	}
	return start, end
}

// Touches reports whether a range of the new text overlaps the changed part.
func (p Patch) Touches(start, end int) bool {
	return start < p.end && max(end, start+1) > p.start
}

// Changed returns the changed part of the new text.
func (p Patch) Changed() string { return p.New[p.start:p.end] }
