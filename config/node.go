package config

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"reflect"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Node is a place in a [Config]: it may or may not exist. Nothing is looked at
// before a method asks for it, so that making one never fails; what is wrong is
// found by the method that needs it. A Node is small and passed by value. It shows
// the configuration as it is when it is asked.
type Node struct {
	in   tree
	keys value.Path
	bad  error // of a key that cannot be one
}

// A tree is what nodes look into.
type tree interface {
	// look calls f with what is there, while nobody else looks.
	look(f func(view) error) error
	// path returns how messages call a place.
	path(below value.Path) string
}

// A view is the root of a tree while it may be looked at.
type view struct {
	root value.Value
	err  error       // why there is no root
	at   *graph.Cell // where root lies; nil if it lies nowhere
	eval *graph.Eval
}

// Get returns the place that keys lead to from the root: texts for the entries of
// maps, integers for the items of lists. Without keys it is the root itself.
func (c *Config) Get(keys ...any) Node { return Node{in: c}.Get(keys...) }

// Get returns the place that keys lead to from n. An integer is the index of an
// item, from the end if it is negative, or finds a key by its text; a text that is
// an integer may be an index.
func (n Node) Get(keys ...any) Node {
	n.keys = n.keys[:len(n.keys):len(n.keys)]
	for _, k := range keys {
		key, ok := keyOf(k)
		if !ok && n.bad == nil {
			n.bad = source.Errorf(source.Span{}, source.Usage, "a key is a text or an integer, not %s", godata.TypeName(k))
		}
		n.keys = append(n.keys, key)
	}
	return n
}

func keyOf(k any) (value.Key, bool) {
	switch v := reflect.ValueOf(k); v.Kind() {
	case reflect.String:
		return value.K(v.String()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.Key{Text: strconv.FormatInt(v.Int(), 10), Kind: value.IntKind}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value.Key{Text: strconv.FormatUint(v.Uint(), 10), Kind: value.IntKind}, true
	}
	key, ok := k.(value.Key)
	return key, ok
}

// Path returns where n is, such as network.allowed[0]; "." is the root.
func (n Node) Path() string {
	if n.in == nil {
		return n.keys.String()
	}
	return n.in.path(n.keys)
}

// Format implements [fmt.Formatter]: a node is printed as its path. Its value may
// fail, or be a secret.
func (n Node) Format(s fmt.State, _ rune) { io.WriteString(s, n.Path()) }

// Key returns the last key of n, as text: "0" for the first item of a list, "" for
// the root.
func (n Node) Key() string {
	if len(n.keys) == 0 {
		return ""
	}
	return n.keys[len(n.keys)-1].Text
}

// A lookup is what a node leads to.
type lookup struct {
	view
	node Node
	val  value.Value
	cell *graph.Cell // where it lies, or the nearest place around it; may be nil
}

// read calls f with what n leads to. If that is nowhere and there is a default, the
// error is a *missingError.
func (n Node) read(hasDefault bool, f func(lookup) error) error {
	switch {
	case n.bad != nil:
		return n.bad
	case n.in == nil:
		return source.Errorf(source.Span{}, source.Usage, "this Node is of no Config: Config.Get makes one")
	}
	return n.in.look(func(v view) error {
		x, err := n.follow(v)
		if err == nil {
			return f(x)
		}
		m, ok := err.(*missingError)
		var d *source.Diagnostic
		if errors.As(err, &d) && d.Code == source.NoMatching && !d.Within && d.Severity == source.Error {
			// A name that does not exist. Errors further inside of a value that exists do not count.
			m, ok = &missingError{cause: d}, true
		}
		switch {
		case !ok:
			return err
		case !hasDefault:
			return m.diagnostic(n)
		}
		return m
	})
}

// follow walks the keys of n. With an error other than a *missingError, it returns the
// place that fails.
func (n Node) follow(v view) (lookup, error) {
	x := lookup{view: v, node: n, val: v.root, cell: v.at}
	if v.err != nil {
		return x, v.err
	}
	for i, key := range n.keys {
		x.node.keys = n.keys[:i]
		if err := v.eval.Step(1); err != nil {
			return x, err
		}
		item, at, ok, err := x.child(key)
		switch {
		case err != nil:
			x.enter(value.Null, at)
			return x, err
		case !ok:
			return x, &missingError{lookup: x, depth: i}
		}
		x.enter(item, at)
	}
	x.node = n
	if x.val.Is(value.UndefinedKind) {
		return x, x.val.Reason()
	}
	return x, nil
}

// enter moves x to an entry or item of it.
func (x *lookup) enter(item value.Value, key value.Key) {
	if c := graph.CellOf(x.val); c != nil {
		x.cell = c.At(value.Path{key})
	}
	x.val = item.Mark(x.val.Marks())
}

// child returns what x has under a key, and the key that it was found with.
func (x *lookup) child(key value.Key) (value.Value, value.Key, bool, error) {
	switch x.val.Kind() {
	case value.MapKind:
		m := x.val.Map()
		if key.Kind != value.StringKind {
			if v, ok, err := m.Get(key); ok || err != nil {
				return v, key, ok, err
			}
		}
		for _, k := range value.KeysSpelt(key.Text) {
			if v, ok, err := m.Get(k); ok || err != nil {
				return v, k, ok, err
			}
		}
		return value.Null, key, false, nil
	case value.ListKind:
		i, err := strconv.Atoi(key.Text)
		if errors.Is(err, strconv.ErrRange) {
			i, err = math.MinInt, nil
		}
		if err != nil {
			return value.Null, key, false, x.typeError("mapping")
		}
		n := x.val.List().Len()
		if i < 0 {
			i += n
		}
		if i < 0 || i >= n {
			return value.Null, key, false, nil
		}
		v, err := x.val.List().At(i)
		return v, value.Index(i), true, err
	case value.UndefinedKind:
		return value.Null, key, false, x.val.Reason()
	}
	return value.Null, key, false, x.typeError("mapping or list")
}

// Exists reports whether n leads somewhere. The error is that of a step that cannot
// be known.
func (n Node) Exists() (bool, error) {
	err := n.read(true, func(lookup) error { return nil })
	if isMissing(err) {
		return false, nil
	}
	return err == nil, err
}

// Kind returns what n leads to: a map, a list or a kind of scalar.
func (n Node) Kind() (value.Kind, error) {
	var k value.Kind
	err := n.read(false, func(x lookup) error {
		k = x.val.Kind()
		return nil
	})
	return k, err
}

// Items yields the items of a list, each a place that is not looked at yet. If n
// leads nowhere or is no list, that is the only thing it yields, as an error.
//
//	for ip, err := range cfg.Get("network", "allowed").Items() {
func (n Node) Items() iter.Seq2[Node, error] {
	return n.children(func(x lookup) ([]value.Key, error) {
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
	return n.children(lookup.mapKeys)
}

func (n Node) children(keysOf func(lookup) ([]value.Key, error)) iter.Seq2[Node, error] {
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
	keys, err := get(n, nil, lookup.mapKeys)
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
	return get(n, nil, func(x lookup) (int, error) {
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
func (x lookup) mapKeys() ([]value.Key, error) {
	if !x.val.Is(value.MapKind) {
		return nil, x.typeError("mapping")
	}
	return value.KeysOf(x.val.Map())
}

// At returns where the value of n is written: the layer that decides it. What is in
// a computed list or map has the place of that; a value that cannot be worked out
// has its own. The zero span is no place: n leads nowhere, or to data of the program.
func (n Node) At() source.Span {
	var at source.Span
	if n.in == nil || n.bad != nil {
		return at
	}
	err := n.in.look(func(v view) error {
		x, err := n.follow(v)
		if !isMissing(err) {
			at = x.span()
		}
		return nil
	})
	if err != nil {
		return source.Span{}
	}
	return at
}

// Position returns the file, line and column of [Node.At], counted from 1. Without a
// place they are "", 0 and 0.
func (n Node) Position() (file string, line, column int) {
	at := n.At()
	if at.IsZero() {
		return "", 0, 0
	}
	line, column = at.File.Position(int(at.Start))
	return at.File.Name, line, column
}

// span returns where x is written.
func (x *lookup) span() source.Span {
	for c := x.cell; c != nil; c = c.Up() {
		facts, err := c.Explain()
		if err != nil {
			return source.Span{}
		}
		for _, f := range facts {
			if f.Role == graph.Sets {
				return f.At
			}
		}
	}
	return source.Span{}
}

// NoMatching is what errors.Is finds in the error of a [Node] that leads nowhere: a
// key, an item or a name on its way is not there. Where it does, and only there, the
// default of a getter counts. Errors of values that are there, or that cannot be
// known, are others, and so is a missing file.
//
//lint:ignore ST1012 the name is that of the error in the language (spec: yay, section 10)
var NoMatching = errors.New("no matching")

// A missingError is the error of a node that leads nowhere. It becomes a diagnostic if
// nobody has a default.
type missingError struct {
	lookup       // the place that has no such key
	depth  int   // how many keys lead there
	cause  error // of a name that is not there
}

func (m *missingError) Error() string { return "no matching" }

func isMissing(err error) bool {
	_, ok := err.(*missingError)
	return ok
}

func (m *missingError) diagnostic(n Node) error {
	if m.cause != nil {
		return noMatching(m.cause)
	}
	key := n.keys[m.depth]
	where, at := n.in.path(n.keys[:m.depth]), m.span()
	if where == "." { // all layers together: none of them is the place
		where, at = "the configuration", source.Span{}
	}
	d := source.Errorf(at, source.NoMatching, "no %q in %s", key.Text, where)
	switch m.val.Kind() {
	case value.ListKind:
		d.WithHint("the list has %s", docpath.ItemsToTake(m.val.List().Len()))
	case value.MapKind:
		if m.val.Marks() == 0 { // else the keys are not told
			d.DidYouMean(key.Text, value.KeyTexts(m.val.Map()))
		}
	}
	return noMatching(d)
}

// noMatching returns a diagnostic in which errors.Is finds [NoMatching].
func noMatching(err error) error {
	d := *source.AsDiagnostic(err, source.Span{}, source.NoMatching)
	d.Cause = &nowhere{d.Cause}
	return &d
}

// nowhere is the cause of a diagnostic that stands for [NoMatching].
type nowhere struct{ cause error }

func (e *nowhere) Error() string        { return NoMatching.Error() }
func (e *nowhere) Is(target error) bool { return target == NoMatching }
func (e *nowhere) Unwrap() error        { return e.cause }

// inside returns a diagnostic as that of a value that is there: no default stands in
// for it.
func inside(err *source.Diagnostic) *source.Diagnostic {
	d := *err
	d.Within = true
	if e, ok := d.Cause.(*nowhere); ok {
		d.Cause = e.cause
	}
	return &d
}
