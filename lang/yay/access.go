package yay

import (
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// attribute is x.name: the value under a key of a mapping (spec: yay, section 4.4).
func (ev evaluator) attribute(n *expr.Select) (value.Value, error) {
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	if !x.Is(value.MapKind) {
		return value.Null, noAttributes(n, x)
	}
	v, ok, err := mapItem(x.Map(), n.Name)
	switch {
	case err != nil:
		return value.Null, err
	case ok:
		return found(v, x.Marks(), n.NameAt)
	case ev.probing:
		return value.Null, errProbe
	}
	return value.Null, noKey(n.NameAt, n.X, x, n.Name)
}

func noAttributes(n *expr.Select, x value.Value) error {
	if x.Is(value.ListKind) {
		return wrongType(n.X.Span(), "a mapping", x).WithHint("an item of a list has an integer: [0]")
	}
	return wrongType(n.X.Span(), "a mapping or a list", x).WithHint("%s", foreignMethod(n.X, n.Name))
}

// index is x[key]: the value under a key, or the item of a list.
func (ev evaluator) index(n *expr.Index) (value.Value, error) {
	x, err := ev.eval(n.X)
	if err != nil {
		return value.Null, err
	}
	if !x.Is(value.MapKind) && !x.Is(value.ListKind) {
		return value.Null, wrongType(n.X.Span(), "a mapping or a list", x)
	}
	k, err := ev.eval(n.Key)
	if err != nil {
		return value.Null, reached(err)
	}
	if x.Is(value.MapKind) {
		return ev.mapIndex(n, x, k)
	}
	return ev.listIndex(n, x, k)
}

func (ev evaluator) mapIndex(n *expr.Index, x, k value.Value) (value.Value, error) {
	if !k.IsScalar() || k.IsNull() {
		return value.Null, wrongType(n.Key.Span(), "a string as the key of a mapping", k)
	}
	if k.Is(value.StringKind) {
		v, ok, err := mapItem(x.Map(), k.Str())
		if err != nil {
			return value.Null, err
		}
		if ok {
			return found(v, x.Marks()|k.Marks(), n.Key.Span())
		}
	}
	switch {
	case ev.probing:
		return value.Null, errProbe
	case k.Marks() != 0 || isSecret(n.At):
		return value.Null, source.Errorf(n.Key.Span(), source.NoMatching, "no such key%s", whose(n.X))
	case k.Is(value.StringKind):
		return value.Null, noKey(n.Key.Span(), n.X, x, k.Str())
	}
	return value.Null, noTextKey(n, x.Map(), k)
}

// noTextKey is the error of a key that is no text: keys of a mapping always are.
func noTextKey(n *expr.Index, m value.Map, k value.Value) error {
	key, _ := value.KeyOf(k)
	d := source.Errorf(n.Key.Span(), source.NoMatching, "no such key %s%s", key.Text, whose(n.X))
	have, err := hasKey(m, key.Text)
	if err != nil || !have {
		return d
	}
	return d.WithHint("keys are strings: %s[%q]", dotted(n.X), key.Text)
}

func (ev evaluator) listIndex(n *expr.Index, x, k value.Value) (value.Value, error) {
	at := n.Key.Span()
	if k.Is(value.BoolKind) {
		return value.Null, wrongType(at, "an integer as the index of a list", k)
	}
	i, err := asInteger(k, at)
	if err != nil {
		return value.Null, err
	}
	size := int64(x.List().Len())
	if i.BigInt().Sign() < 0 {
		return value.Null, source.Errorf(at, source.WrongType, "expected an integer from 0 as the index of a list, not a negative one").
			WithHint("a slice counts from the end: [-1:][0] is the last item")
	}
	if p, ok := i.Int(); ok && p < size {
		v, err := x.List().At(int(p))
		if err != nil {
			return value.Null, err
		}
		return found(v, x.Marks()|k.Marks(), at)
	}
	if ev.probing {
		return value.Null, errProbe
	}
	return value.Null, noItem(n, i, k.Marks(), size)
}

func noItem(n *expr.Index, i value.Value, marks value.Marks, size int64) error {
	text := " " + i.BigInt().String()
	if marks != 0 || isSecret(n.At) || len(text) > maxQuoted {
		text = ""
	}
	return source.Errorf(n.Key.Span(), source.NoMatching, "no such item%s%s: the list has %d", text, whose(n.X), size)
}

// found returns an item with the marks of what it was taken from and by.
func found(v value.Value, marks value.Marks, at source.Span) (value.Value, error) {
	if marks != 0 {
		v = v.Mark(marks)
	}
	return defined(v, at)
}

// mapItem returns the value under a key. Keys of YAML that are no texts are found by
// their text.
func mapItem(m value.Map, key string) (value.Value, bool, error) {
	v, ok, err := m.Get(value.K(key))
	if ok || err != nil {
		return v, ok, err
	}
	if !mayBeScalar(key) {
		return value.Null, false, nil
	}
	for _, k := range value.KeysSpelt(key)[1:] {
		if v, ok, err = m.Get(k); ok || err != nil {
			return v, ok, err
		}
	}
	return value.Null, false, nil
}

// mayBeScalar reports whether a word may be the text of a key that is no text: a
// number, true, false or null.
func mayBeScalar(word string) bool {
	switch word {
	case "":
		return false
	case "true", "false", "null":
		return true
	}
	return word[0] <= '9' // a digit, a sign, the point of .inf
}

// hasKey reports whether a map has a key of that text. The value under it is not
// evaluated.
func hasKey(m value.Map, text string) (bool, error) {
	if d, ok := m.(*value.Dict); ok {
		_, ok, err := mapItem(d, text)
		return ok, err
	}
	if lazy, ok := m.(value.Keyed); ok {
		for _, k := range value.KeysSpelt(text) {
			if has, err := lazy.Has(k); has || err != nil {
				return has, err
			}
		}
		return false, nil
	}
	for k := range m.Keys() {
		if k == value.UnknownKey {
			_, _, err := m.Get(k)
			return false, err
		}
		if k.Text == text {
			return true, nil
		}
	}
	return false, nil
}

// sortedKeys returns the keys of a map as texts in alphabetical order.
func sortedKeys(m value.Map, at source.Span) (value.List, error) {
	keys, err := value.KeysOf(m)
	if err != nil {
		return nil, placed(err, at)
	}
	texts := make([]string, len(keys))
	for i, k := range keys {
		texts[i] = k.Text
	}
	slices.Sort(texts)
	items := make(value.Slice, len(texts))
	for i, t := range texts {
		items[i] = value.String(t).Verbatim()
	}
	return items, nil
}

// noKey is the error of a key that the mapping x, which comes from a node, does not
// have. Those that it has are secret if it is.
func noKey(at source.Span, from expr.Node, x value.Value, key string) error {
	d := source.Errorf(at, source.NoMatching, "no such key %q%s", shorten(key), whose(from))
	if x.Marks() == 0 {
		d.DidYouMean(key, value.KeyTexts(x.Map()))
	}
	if d.Hint == "" {
		d.Hint = foreignMethod(from, key)
	}
	return d
}
