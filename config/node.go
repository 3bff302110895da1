package config

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"reflect"
	"strconv"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Node is a place in a [Config], which may not exist. [Config.Get] and [Node.Get] look nothing
// up and never fail; errors are returned by the methods that need the value. A Node is small
// and passed by value. Each method looks it up in the configuration of that moment.
type Node struct {
	in    tree
	steps []docpath.Step
	bad   error // of a key of a wrong type, or of a path
}

// A tree is the root of nodes: a [Config], the value of an expression, or the
// parameters of an instance.
type tree interface {
	// look calls f with the root while it holds the lock of the tree.
	look(f func(view) error) error
	// path returns the name in messages of the place at a path, which is "." for the root.
	path(below string) string
}

// A view is the root of a tree. It is valid during a call of look.
type view struct {
	root value.Value
	err  error       // of computing root
	at   *graph.Cell // of root; nil for a value without a cell
	eval *graph.Eval
}

// Get returns the node at a path from the root: a text as on the command line, integers for the items
// of lists. Without a path it is the root.
//
//	cfg.Get("db.pool")
//	cfg.Get("servers[0].ip"), cfg.Get("servers", 0, "ip"), cfg.Get("/servers/0/ip")
//	cfg.Get("servers[name=web].ip")
//	cfg.Get(value.K(name))           the key name, whatever characters it has
func (c *Config) Get(path ...any) Node { return Node{in: c}.Get(path...) }

// Get returns the node at a path from n. It may be in several parts, each of which is
//
//   - a text: a path such as a.b[0], a::b::0 or /a/b/0 (see docs/command-query.md). If there is a key
//     "a.b", the path a.b leads to it;
//   - an integer: an item of a list, a negative one from the end, or an entry of a map with that
//     key;
//   - a [value.Key]: an entry of a map, or else the one whose key has that text.
//
// A part of text is an index where the value is a list, and of an entry 404 in a map "404" is the
// text.
func (n Node) Get(path ...any) Node {
	n.steps = n.steps[:len(n.steps):len(n.steps)]
	for _, part := range path {
		steps, err := stepsOf(part)
		if n.bad == nil {
			n.bad = err
		}
		if len(steps) > 0 {
			steps[0].Start = true
		}
		n.steps = append(n.steps, steps...)
	}
	return n
}

// stepsOf returns the steps of a part of a path.
func stepsOf(part any) ([]docpath.Step, error) {
	if v := reflect.ValueOf(part); v.Kind() == reflect.String {
		return docpath.Parse(v.String())
	}
	key, ok := keyOf(part)
	if !ok {
		return nil, source.Errorf(source.Span{}, source.Usage, "a path consists of texts and integers, not %s", godata.TypeName(part))
	}
	return docpath.Known(value.Path{key}), nil
}

// keyOf converts an integer or a [value.Key]. It returns false for other types.
func keyOf(k any) (value.Key, bool) {
	switch v := reflect.ValueOf(k); v.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return value.Key{Text: strconv.FormatInt(v.Int(), 10), Kind: value.IntKind}, true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return value.Key{Text: strconv.FormatUint(v.Uint(), 10), Kind: value.IntKind}, true
	}
	key, ok := k.(value.Key)
	return key, ok
}

// Path returns the path of n, such as network.allowed[0]; "." is the root.
func (n Node) Path() string {
	if n.in == nil {
		return docpath.Written(n.steps)
	}
	return n.in.path(docpath.Written(n.steps))
}

// String is [Node.Path]: a node is printed as its path, since its value may fail or be a secret.
// [Node.Text] returns the value.
func (n Node) String() string { return n.Path() }

// Format implements [fmt.Formatter]: every verb prints [Node.Path].
func (n Node) Format(s fmt.State, _ rune) { io.WriteString(s, n.Path()) }

// Key returns the last key of n as text: "0" for the first item of a list, "" for the root.
func (n Node) Key() string {
	if len(n.steps) == 0 {
		return ""
	}
	return n.steps[len(n.steps)-1].Key
}

// A lookup is a place with its value. follow moves it from the root of the tree to a node.
type lookup struct {
	view
	in   tree
	path value.Path // from the root
	val  value.Value
	cell *graph.Cell // of val, or of the nearest list or map around it; may be nil
}

// read calls f with the value of n. If n leads nowhere, the error is a *missingError for a
// caller that has a default, and a diagnostic for others.
func (n Node) read(hasDefault bool, f func(lookup) error) error {
	switch {
	case n.bad != nil:
		return n.bad
	case n.in == nil:
		return source.Errorf(source.Span{}, source.Usage, "the Node belongs to no Config; Config.Get returns one that does")
	}
	return n.in.look(func(v view) error {
		x, err := n.follow(v)
		if err == nil {
			return f(x)
		}
		m, ok := err.(*missingError)
		var d *source.Diagnostic
		if errors.As(err, &d) && d.Code == source.NoMatching && !d.Within && d.Severity == source.Error {
			// A name in an expression does not exist. Within a value that exists it is an error.
			m, ok = &missingError{cause: d}, true
		}
		switch {
		case !ok:
			return err
		case !hasDefault:
			return m.diagnostic()
		}
		return m
	})
}

// follow walks the steps of n from the root. With an error it returns the place where the error
// arose; of a *missingError the place around it.
func (n Node) follow(v view) (lookup, error) {
	x := lookup{view: v, in: n.in, val: v.root, cell: v.at}
	if v.err != nil {
		return x, v.err
	}
	for steps := n.steps; len(steps) > 0; {
		if err := v.eval.Step(1); err != nil {
			return x, err
		}
		item, at, taken, err := x.next(steps)
		switch {
		case err != nil:
			x.enter(value.Null, at)
			return x, err
		case taken == 0:
			return x, &missingError{lookup: x, step: steps[0]}
		}
		x.enter(item, at)
		steps = steps[taken:]
	}
	if x.val.Is(value.UndefinedKind) {
		return x, x.val.Reason()
	}
	return x, nil
}

// enter moves x to one of its entries or items.
func (x *lookup) enter(item value.Value, key value.Key) {
	if c := graph.CellOf(x.val); c != nil {
		x.cell = c.At(value.Path{key})
	}
	x.path = append(x.path[:len(x.path):len(x.path)], key)
	x.val = item.Mark(x.val.Marks())
}

// next returns the entry or item of x that the first steps lead to, with its key and the number of
// these steps, 0 if there is none.
func (x *lookup) next(steps []docpath.Step) (item value.Value, at value.Key, taken int, err error) {
	s := steps[0]
	at = value.K(s.Key)
	switch x.val.Kind() {
	case value.MapKind:
		if s.Match != "" {
			break
		}
		item, k, taken, err := docpath.Entry(x.val, steps)
		if taken == 0 {
			k = at
		}
		return item, k, taken, err
	case value.ListKind:
		i, ok, err := x.index(s)
		if !ok || err != nil {
			return value.Null, at, 0, err
		}
		item, err = x.val.List().At(i)
		return item, value.Index(i), 1, err
	case value.UndefinedKind:
		return value.Null, at, 0, x.val.Reason()
	}
	want := "mapping or list"
	if s.Match != "" {
		want = "list"
	}
	return value.Null, at, 0, x.typeError(want)
}

// index returns the index of the item of a list that a step leads to, false for none.
func (x *lookup) index(s docpath.Step) (int, bool, error) {
	l := x.val.List()
	if s.Match != "" {
		found, err := docpath.Selected(l, s)
		switch {
		case err != nil:
			return 0, false, err
		case len(found) > 1:
			return 0, false, source.Errorf(x.span(), source.NotFound, "items %d and %d of %s both match [%s=%s]", found[0], found[1], x.name(), s.Match, s.Text).
				WithHint("exactly one must match")
		case len(found) == 0:
			return 0, false, nil
		}
		return found[0], true, nil
	}
	i, err := strconv.Atoi(s.Key)
	if errors.Is(err, strconv.ErrRange) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, x.typeError("mapping")
	}
	if i < 0 {
		i += l.Len()
	}
	return i, i >= 0 && i < l.Len(), nil
}

// Exists reports whether n exists. It returns an error if a value on the path cannot be
// computed.
func (n Node) Exists() (bool, error) {
	err := n.read(true, func(lookup) error { return nil })
	if isMissing(err) {
		return false, nil
	}
	return err == nil, err
}

// Kind returns the kind of n: map, list or a kind of scalar.
func (n Node) Kind() (value.Kind, error) {
	var k value.Kind
	err := n.read(false, func(x lookup) error {
		k = x.val.Kind()
		return nil
	})
	return k, err
}

// Items yields the items of a list, which are not evaluated. If n does not exist or is not a
// list, it yields one error.
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

// Entries yields the entries of a map in their order, which are not evaluated; [Node.Key]
// returns the key of each. If n does not exist or is not a map, it yields one error.
func (n Node) Entries() iter.Seq2[Node, error] {
	return n.children(lookup.mapKeys)
}

// children yields the nodes below n at the keys that keysOf returns.
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

// mapKeys returns the keys of x, which must be a map.
func (x lookup) mapKeys() ([]value.Key, error) {
	if !x.val.Is(value.MapKind) {
		return nil, x.typeError("mapping")
	}
	return value.KeysOf(value.Public(x.val).Map())
}

// At returns the place of the layer that sets the value of n, even if the value cannot be
// computed. A value in a computed list or map has the place of that. The zero span is no place:
// n does not exist, or is Go data.
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

// span returns the place of the layer that sets x, or the nearest list or map around x that has
// one.
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

// NoMatching is the error, for errors.Is, of a [Node] that leads nowhere: a key, an item or a
// name on its path does not exist. A getter returns its default for this error only. A value
// that exists and fails, and a missing file, are other errors.
//
//lint:ignore ST1012 the name is that of the error in the language (spec: yay, section 10)
var NoMatching = errors.New("no matching")

// A missingError is the error of a node that leads nowhere. Without a default it becomes a
// diagnostic.
type missingError struct {
	lookup              // the place without the key
	step   docpath.Step // that leads nowhere
	cause  error        // of a missing name in an expression; nil for a missing key
}

func (m *missingError) Error() string { return "no matching" }

func isMissing(err error) bool {
	_, ok := err.(*missingError)
	return ok
}

// diagnostic returns the error for callers without a default.
func (m *missingError) diagnostic() error {
	if m.cause != nil {
		return noMatching(m.cause)
	}
	where, at := m.where(), m.span()
	if where == "." { // the root has the places of all layers
		where, at = "the configuration", source.Span{}
	}
	key := strconv.Quote(m.step.Key)
	if m.step.Match != "" {
		key = docpath.Written([]docpath.Step{m.step})
	}
	d := source.Errorf(at, source.NoMatching, "no %s in %s", key, where)
	switch {
	case m.step.Match != "":
	case m.val.Is(value.ListKind):
		d.WithHint("the list has %s", docpath.ItemsToTake(m.val.List().Len()))
	case m.val.Is(value.MapKind) && m.val.Marks() == 0: // the keys of a secret map are secret
		d.DidYouMean(m.step.Key, value.KeyTexts(m.val.Map()))
	}
	return noMatching(d)
}

// noMatching converts err to a diagnostic in which errors.Is finds [NoMatching].
func noMatching(err error) error {
	d := *source.AsDiagnostic(err, source.Span{}, source.NoMatching)
	d.Cause = &nowhere{d.Cause}
	return &d
}

// nowhere is the cause of a diagnostic in which errors.Is finds [NoMatching].
type nowhere struct{ cause error }

func (e *nowhere) Error() string        { return NoMatching.Error() }
func (e *nowhere) Is(target error) bool { return target == NoMatching }
func (e *nowhere) Unwrap() error        { return e.cause }

// inside returns a copy of a diagnostic for a value that exists: no default replaces the value.
func inside(err *source.Diagnostic) *source.Diagnostic {
	d := *err
	d.Within = true
	if e, ok := d.Cause.(*nowhere); ok {
		d.Cause = e.cause
	}
	return &d
}
