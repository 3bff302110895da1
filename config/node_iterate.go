package config

import (
	"iter"

	"github.com/yaytpl/yaytpl/value"
)

// Items yields the items of a list, each a place that is not looked at yet. If n
// leads nowhere or is no list, that is the only thing it yields, as an error.
//
//	for ip, err := range cfg.Get("network", "allowed").Items() {
func (n Node) Items() iter.Seq2[Node, error] {
	return n.children(func(x found) ([]value.Key, error) {
		if !x.val.Is(value.ListKind) {
			return nil, x.typeError("list")
		}
		keys := make([]value.Key, x.val.List().Len())
		for i := range keys {
			keys[i] = value.Index(i)
		}
		return keys, nil
	})
}

// Entries yields the entries of a map in their order, each a place that is not
// looked at yet; [Node.Key] is its key. If n leads nowhere or is no map, that is the
// only thing it yields, as an error.
func (n Node) Entries() iter.Seq2[Node, error] {
	return n.children(found.mapKeys)
}

func (n Node) children(keysOf func(found) ([]value.Key, error)) iter.Seq2[Node, error] {
	return func(yield func(Node, error) bool) {
		keys, err := get(n, nil, keysOf)
		if err != nil {
			yield(n, err)
			return
		}
		for _, k := range keys {
			if !yield(n.Get(k), nil) {
				return
			}
		}
	}
}

// Keys returns the keys of a map in their order, as text.
func (n Node) Keys() ([]string, error) {
	keys, err := get(n, nil, found.mapKeys)
	if err != nil {
		return nil, err
	}
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.Text
	}
	return texts, nil
}

// Len returns the number of items of a list or of entries of a map.
func (n Node) Len() (int, error) {
	return get(n, nil, func(x found) (int, error) {
		switch x.val.Kind() {
		case value.ListKind:
			return x.val.List().Len(), nil
		case value.MapKind:
			keys, err := x.mapKeys()
			return len(keys), err
		}
		return 0, x.typeError("list or mapping")
	})
}

// mapKeys returns the keys of a map.
func (x found) mapKeys() ([]value.Key, error) {
	if !x.val.Is(value.MapKind) {
		return nil, x.typeError("mapping")
	}
	return value.KeysOf(x.val.Map())
}
