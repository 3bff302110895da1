package lookup

import (
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Place returns where an edit of the value of an answer belongs: the highest source that counts.
// The path is the one of the value in its file, nil if the file is not YAML. ok is false if nothing
// was found, or if the command line binds the key.
func Place(t *bind.Table, a bind.Answer) (at source.Span, path value.Path, ok bool) {
	for _, s := range t.Steps(a) {
		if s.Status != bind.StepSet && s.Status != bind.StepMerged || s.At.File == nil || s.At.File.Path == "" {
			continue
		}
		if path = pathOf(s.At); !names(path, a.Key) {
			path = nil
		}
		if s.Status == bind.StepSet && path != nil && len(a.Key.Segments) > 1 {
			path = append(path, digs(a)...)
		}
		return s.At, path, true
	}
	return at, nil, false
}

// names reports whether a path names one binding, and not an operation that binds several.
func names(path value.Path, k bind.KeyPath) bool {
	if len(path) == 0 {
		return false
	}
	last := path[len(path)-1].Text
	name := k.Name
	if len(k.Segments) > 0 {
		name = k.Segments[0].Text
	}
	return last == "to" || strings.TrimPrefix(last, ":") == name || strings.HasSuffix(name, "/"+last)
}

// digs returns the parts of a key below its name.
func digs(a bind.Answer) value.Path {
	var out value.Path
	for _, s := range a.Key.Segments[1:] {
		if s.IsIndex {
			out = append(out, value.Index(s.Index))
		} else {
			out = append(out, value.K(s.Text))
		}
	}
	return out
}

// pathOf returns the path of the value whose key, or whose operation, begins at a place of a file in
// YAML; nil if there is none.
//
//	bindings: {default: [{bind: size, to: 3}, {values: {port: 80}}]}
//
// The operation has the path bindings.default[0].to, the key port bindings.default[1].values.port.
func pathOf(at source.Span) value.Path {
	docs, _ := yaml.Parse(at.File, yaml.ParseOptions{NoTemplates: true})
	if len(docs) != 1 || docs[0].Root == nil {
		return nil
	}
	return pathIn(docs[0].Root, at, nil)
}

func pathIn(n *yaml.Node, at source.Span, above value.Path) value.Path {
	if n == nil {
		return nil
	}
	above = above[:len(above):len(above)]
	for i, item := range n.Items {
		if found := pathIn(item, at, append(above, value.Index(i))); found != nil {
			return found
		}
	}
	for i := range n.Entries {
		e := &n.Entries[i]
		path := append(above, e.Key)
		switch {
		case e.KeyAt.Start != at.Start:
			if found := pathIn(e.Value, at, path); found != nil {
				return found
			}
		case e.Key.Text == "bind" && len(above) > 0 && above[len(above)-1].Kind == value.IntKind:
			return append(above, value.K("to"))
		default:
			return path
		}
	}
	return nil
}
