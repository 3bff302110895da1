package yaytpl

import (
	"path/filepath"

	"github.com/yaytpl/yaytpl/value"
)

// known returns the path that a file is edited under: one file may have several names,
// through links.
func (x *editing) known(path string) string {
	if x.files[path] != nil {
		return path
	}
	for other := range x.files {
		if x.real(other) == x.real(path) {
			return other
		}
	}
	return path
}

// real returns a path with links followed.
func (x *editing) real(path string) string {
	real, ok := x.reals[path]
	if !ok {
		real = path
		if followed, err := filepath.EvalSymlinks(path); err == nil {
			real = followed
		}
		x.reals[path] = real
	}
	return real
}

// readAll makes sure that all files were read that the documents are made of: until then
// the names of a file are not known.
func (b *batch) readAll() {
	if b.eo.To == Override || b.read {
		return
	}
	b.read = true
	for _, d := range b.drafts {
		value.IsSame(d.Root, d.Root)
	}
}

// overlayNames gives the texts of files to their other names as well, as far as those were
// read before.
func (x *editing) overlayNames(overlay, texts map[string]string) {
	if x.opened == nil || len(texts) == 0 {
		return
	}
	byReal := map[string]string{}
	for path, text := range texts {
		byReal[x.real(path)] = text
	}
	for _, l := range x.opened.Includes() {
		path := l.To.Path
		if text, ok := byReal[x.real(path)]; ok && path != "" {
			overlay[path] = text
		}
	}
}
