package yaytpl

import (
	"fmt"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Get returns the value at a path: a.b[0], a::b::0 or a JSON pointer. Only what it
// needs is evaluated.
//
// Codes: not-found, with keys that come near; syntax for a bad path.
func (d *Document) Get(path string) (value.Value, error) {
	steps, err := parsePath(path)
	if err != nil {
		return value.Null, err
	}
	defer d.turn()()
	if v, ok := d.lookupSteps(steps); ok {
		return v, nil
	}
	v, _, err := d.walk(steps)
	return v, err
}

// walk follows steps and returns what they lead to and the keys that were taken.
func (d *Document) walk(steps []step) (value.Value, value.Path, error) {
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
		n := 1
		switch s := steps[0]; {
		case s.match != "":
			v, key, err = matchItem(v, s, path)
		case v.Is(value.ListKind):
			v, key, err = itemAt(v, s, path)
		case v.Is(value.MapKind):
			v, key, n, err = entryAt(v, steps, path)
		default:
			err = notFound(path, s.key, nil).WithHint("%s is %s", placeName(path), value.Article(v.Kind()))
		}
		path = append(path, key)
		steps = steps[n:]
	}
	return v, path, err
}

func entryAt(v value.Value, steps []step, path value.Path) (value.Value, value.Key, int, error) {
	words, taken := dotted(steps)
	for i, word := range words {
		for _, k := range value.KeysSpelt(word) {
			item, ok, err := v.Map().Get(k)
			if ok || err != nil {
				return item.Mark(v.Marks()), k, taken[i], err
			}
		}
	}
	if v.Marks() != 0 { // so are the keys
		return value.Null, value.Key{}, 1, notFound(path, steps[0].key, nil)
	}
	return value.Null, value.Key{}, 1, notFound(path, steps[0].key, v.Map())
}

func itemAt(v value.Value, s step, path value.Path) (value.Value, value.Key, error) {
	i, n := s.number, v.List().Len()
	if !s.index {
		var err error
		if i, err = strconv.Atoi(s.key); err != nil {
			return value.Null, value.Key{}, notFound(path, s.key, nil).WithHint("%s is a list: it has %s", placeName(path), itemsToTake(n))
		}
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return value.Null, value.Key{}, notFound(path, s.key, nil).WithHint("the list has %s", itemsToTake(n))
	}
	item, err := v.List().At(i)
	return item.Mark(v.Marks()), value.Index(i), err
}

// matchItem returns the one item of a list of maps whose key has the given text.
func matchItem(v value.Value, s step, path value.Path) (value.Value, value.Key, error) {
	what := fmt.Sprintf("[%s=%s]", s.match, s.text)
	if !v.Is(value.ListKind) {
		return value.Null, value.Key{}, notFound(path, what, nil).WithHint("%s is %s, not a list", placeName(path), value.Article(v.Kind()))
	}
	found := -1
	for i := range v.List().Len() {
		item, err := v.List().At(i)
		if err != nil {
			return value.Null, value.Key{}, err
		}
		if !graph.Selects(item, s.match, s.text) {
			continue
		}
		if found >= 0 {
			return value.Null, value.Key{}, notFound(path, what, nil).WithHint("items %d and %d both match; exactly one must", found, i)
		}
		found = i
	}
	if found < 0 {
		return value.Null, value.Key{}, notFound(path, what, nil)
	}
	item, err := v.List().At(found)
	return item.Mark(v.Marks()), value.Index(found), err
}

func notFound(path value.Path, key string, m value.Map) *source.Diagnostic {
	d := source.Errorf(source.Span{}, source.NotFound, "no %q in %s", key, placeName(path))
	if m == nil {
		return d
	}
	return d.DidYouMean(key, value.KeyTexts(m))
}

// placeName returns how messages call a place.
func placeName(path value.Path) string {
	if len(path) == 0 {
		return "the document"
	}
	return path.String()
}

// itemsToTake says how many items a list has and how they are chosen.
func itemsToTake(n int) string {
	switch n {
	case 0:
		return "no items"
	case 1:
		return "one item, [0]"
	}
	return fmt.Sprintf("%d items, [0] to [%d]", n, n-1)
}

// Find returns the only document that has the path, with the keys that lead there.
//
// Codes: not-found, also if several documents have it: the message names them.
func (p *Project) Find(path string) (*Document, value.Path, error) {
	steps, err := parsePath(path)
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
			if code := Findings(err)[len(Findings(err))-1].Code; code != source.NotFound {
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
