package yaytpl

import (
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Get returns the value at a path: a.b[0], a::b::0 or a JSON pointer. Only what it
// needs is evaluated.
//
// Codes: not-found, with keys that come near; syntax for a bad path.
func (d *Document) Get(path string) (value.Value, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return value.Null, err
	}
	defer d.turn()()
	if v, ok := d.lookup(docpath.Constant(steps)); ok {
		return v, nil
	}
	v, _, err := d.walk(steps)
	return v, err
}

// walk follows steps and returns what they lead to and the keys that were taken.
func (d *Document) walk(steps []docpath.Step) (value.Value, value.Path, error) {
	e, err := d.eval()
	if err != nil {
		return value.Null, nil, err
	}
	v := e.Root().RootMap()
	if !v.Is(value.MapKind) {
		v, _, err = e.Root().Value()
	}
	var path value.Path
	for len(steps) > 0 && err == nil {
		if err := e.Step(1); err != nil {
			return value.Null, nil, err
		}
		var key value.Key
		var taken int
		v, key, taken, err = docpath.Next(v, steps, path)
		path = append(path, key)
		steps = steps[taken:]
	}
	return v, path, err
}

// Find returns the only document that has the path, with the keys that lead there.
//
// Codes: not-found, also if several documents have it: the message names them.
func (p *Project) Find(path string) (*Document, value.Path, error) {
	steps, err := docpath.Parse(path)
	if err != nil {
		return nil, nil, err
	}
	defer p.turn()()
	var found *Document
	var keys value.Path
	var first error
	for _, d := range p.docs {
		_, at, err := d.walk(steps)
		if err != nil {
			if code := source.Findings(err)[len(source.Findings(err))-1].Code; code != source.NotFound {
				return nil, nil, err
			}
			if first == nil {
				first = err
			}
			continue
		}
		if found != nil {
			return nil, nil, source.Errorf(source.Span{}, source.NotFound, "documents %d and %d both have %s", found.index, d.index, path).
				WithHint("--doc %d or --doc %d chooses", found.index, d.index)
		}
		found, keys = d, at
	}
	if found == nil {
		return nil, nil, first
	}
	return found, keys, nil
}
