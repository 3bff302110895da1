package value

import (
	"cmp"
	"fmt"
	"reflect"
	"unsafe"
)

// A Position says where in a value a walk is.
type Position struct {
	Key   Key   // of an entry of a map; the zero Key for an item of a list
	Index int   // of the item or entry
	Depth int   // 0 for the value that the walk begins with
	Marks Marks // of the lists and maps around
}

// A Skip is what the function of [Walk] or [Rewrite] may return instead of an error.
type Skip uint8

// The three kinds of Skip.
const (
	SkipInside Skip = iota // go on with the next item or entry
	SkipAll                // end the walk: Walk returns nil
	Drop                   // Rewrite leaves the item or entry out
)

// Error returns the name of the constant.
func (s Skip) Error() string { return [...]string{"SkipInside", "SkipAll", "Drop"}[s] }

// Walk calls visit for v and for everything in it: a list before its items, a map before
// its values. Any error that visit returns ends the walk, other than [SkipInside] and
// [SkipAll]:
//
//	found := false
//	err := value.Walk(v, func(at value.Position, v value.Value, err error) error {
//		if v.Str() == "secret" {
//			found = true
//			return value.SkipAll
//		}
//		return err
//	})
//
// If an item cannot be computed, visit gets a null and the error, and may return nil to
// go on with the next item. It also gets an error for a list or map that is nested too
// deeply, which a walk does not enter. Entries without a value are left out.
//
// Lists that hold each other many times are visited as often: use a [Visited] where that
// matters.
func Walk(v Value, visit func(at Position, v Value, err error) error) error {
	err := walk(Position{}, v, visit)
	if err == SkipAll {
		return nil
	}
	return err
}

func walk(at Position, v Value, visit func(Position, Value, error) error) error {
	inside, deep := enters(at, v)
	if err := visit(at, v, deep); err != nil || !inside {
		return skipped(err)
	}
	in := Position{Depth: at.Depth + 1, Marks: at.Marks | v.marks}
	if v.kind == MapKind {
		return walkMap(in, v.Map(), visit)
	}
	for l := v.List(); in.Index < l.Len(); in.Index++ {
		item, err := l.At(in.Index)
		if err := walkItem(in, item, err, visit); err != nil {
			return err
		}
	}
	return nil
}

func walkMap(at Position, m Map, visit func(Position, Value, error) error) error {
	for at.Key = range m.Keys() {
		item, ok, err := m.Get(at.Key)
		if ok || err != nil {
			if err := walkItem(at, item, err, visit); err != nil {
				return err
			}
		}
		at.Index++
	}
	return nil
}

func walkItem(at Position, item Value, err error, visit func(Position, Value, error) error) error {
	if err != nil {
		return skipped(visit(at, Null, err))
	}
	return walk(at, item, visit)
}

// enters reports whether a walk enters v, and the error if v is too deep for that.
func enters(at Position, v Value) (bool, error) {
	if v.kind != ListKind && v.kind != MapKind {
		return false, nil
	}
	if at.Depth > MaxNesting {
		return false, errTooDeep
	}
	return true, nil
}

func skipped(err error) error {
	if err == SkipInside {
		return nil
	}
	return err
}

// WalkPaths is [Walk] with the path of each value, which visit must not keep.
func WalkPaths(v Value, visit func(path Path, at Position, v Value, err error) error) error {
	var path Path
	return Walk(v, func(at Position, v Value, err error) error {
		if at.Depth > 0 {
			key := at.Key
			if key == (Key{}) {
				key = Index(at.Index)
			}
			path = append(path[:at.Depth-1], key)
		}
		return visit(path, at, v, err)
	})
}

// Find returns the value at a path below v, and whether there is one.
func Find(v Value, path Path) (Value, bool, error) {
	for _, k := range path {
		var ok bool
		var err error
		switch v.kind {
		case MapKind:
			v, ok, err = v.Map().Get(k)
		case ListKind:
			i, isIndex := k.Value().Int()
			if ok = isIndex && i >= 0 && int(i) < v.List().Len(); ok {
				v, err = v.List().At(int(i))
			}
		}
		if !ok || err != nil {
			return Null, false, err
		}
	}
	return v, true, nil
}

// Rewrite returns v with every value in it replaced by what visit returns for it. It
// calls visit as [Walk] does, outermost first: what is in the list or map that visit
// returns is rewritten in turn, unless visit returns [SkipInside]. The new list or map
// is plain and has the marks of the one that visit returned. An item for which visit
// returns [Drop] is left out:
//
//	masked, err := value.Rewrite(v, func(at value.Position, v value.Value, err error) (value.Value, error) {
//		if text, hidden := value.Masked(v); hidden {
//			return value.String(text), value.SkipInside
//		}
//		return v, err
//	})
func Rewrite(v Value, visit func(at Position, v Value, err error) (Value, error)) (Value, error) {
	v, err := rewrite(Position{}, v, visit)
	if err == Drop {
		return Null, nil
	}
	return v, err
}

func rewrite(at Position, v Value, visit func(Position, Value, error) (Value, error)) (Value, error) {
	_, deep := enters(at, v)
	v, err := visit(at, v, deep)
	if inside, _ := enters(at, v); err != nil || !inside {
		return v, skipped(err)
	}
	return rewriteInside(at, v, visit)
}

func rewriteInside(at Position, v Value, visit func(Position, Value, error) (Value, error)) (Value, error) {
	in := Position{Depth: at.Depth + 1, Marks: at.Marks | v.marks}
	if v.kind == MapKind {
		m, err := rewriteMap(in, v.Map(), visit)
		if err != nil {
			return Null, err
		}
		return v.with(FromMap(m)), nil
	}
	l := v.List()
	items := make(Slice, 0, l.Len())
	for ; in.Index < l.Len(); in.Index++ {
		item, err := l.At(in.Index)
		switch item, err = rewriteItem(in, item, err, visit); {
		case err == nil:
			items = append(items, item)
		case err != Drop:
			return Null, err
		}
	}
	return v.with(FromList(items)), nil
}

func rewriteMap(at Position, m Map, visit func(Position, Value, error) (Value, error)) (*Dict, error) {
	out := NewMap(m.Len())
	for at.Key = range m.Keys() {
		item, ok, err := m.Get(at.Key)
		if ok || err != nil {
			switch item, err = rewriteItem(at, item, err, visit); {
			case err == nil:
				out.Set(at.Key, item)
			case err != Drop:
				return nil, err
			}
		}
		at.Index++
	}
	return out, nil
}

func rewriteItem(at Position, item Value, err error, visit func(Position, Value, error) (Value, error)) (Value, error) {
	if err == nil {
		return rewrite(at, item, visit)
	}
	item, err = visit(at, Null, err)
	return item, skipped(err)
}

// with returns w with the marks of v, and verbatim if v is.
func (v Value) with(w Value) Value {
	w.marks, w.lit = v.marks, v.lit
	return w
}

// Plain returns v with every list and map in it computed: the result does not depend on
// where v came from. Data of one identity is computed once if there is much of it.
func Plain(v Value) (Value, error) {
	p := plainer{}
	return Rewrite(v, p.visit)
}

type plainer struct {
	visited int
	known   map[any]Value // by identity
}

func (p *plainer) visit(at Position, v Value, err error) (Value, error) {
	if p.visited++; p.visited <= sharedAfter || err != nil {
		return v, err
	}
	data, ok := v.ref.(Identified)
	if !ok || data.Identity() == any(data) {
		return v, nil
	}
	id := data.Identity()
	if w, ok := p.known[id]; ok {
		return v.with(w), SkipInside
	}
	w, err := rewriteInside(at, v, p.visit)
	if err != nil {
		return w, err
	}
	if p.known == nil || len(p.known) >= maxShared {
		p.known = map[any]Value{}
	}
	p.known[id] = w
	return w, SkipInside
}

// DeepMarks returns the marks of v and of everything in it. A list or map that occurs
// several times is visited once. It returns the error of the first item that cannot be
// computed, whose marks are not known, or of nesting without end, which ends the walk.
func DeepMarks(v Value) (Marks, error) { return DeepMarksCharged(v, nil) }

// DeepMarksCharged is DeepMarks with its work charged as by [EqualCharged].
func DeepMarksCharged(v Value, charge func(steps int) error) (Marks, error) {
	if v.kind != ListKind && v.kind != MapKind {
		return v.marks, nil
	}
	w := markWalk{charge: charge}
	err := w.of(v)
	return w.found, err
}

type markWalk struct {
	found   Marks
	changes bool // there is a list or map that may change
	visited Visited
	charge  func(steps int) error // or nil
	steps   int                   // not charged yet
	charged int
	failed  error // of the first item that cannot be computed
}

// of finds the marks in v.
func (w *markWalk) of(v Value) error { return cmp.Or(Walk(v, w.visit), w.failed) }

func (w *markWalk) visit(_ Position, v Value, err error) error {
	if w.steps++; w.charge != nil && w.steps >= chargedSteps {
		if err := w.charge(w.steps); err != nil {
			return err
		}
		w.charged += w.steps
		w.steps = 0
	}
	w.found |= v.marks
	if v.kind == ListKind || v.kind == MapKind {
		w.steps += visitedSteps
		if _, ok := v.ref.(Methods); ok {
			w.changes = true
		}
	}
	switch {
	case w.found == Sensitive|Secret:
		return SkipAll
	case err == errTooDeep:
		return err
	case err != nil:
		w.failed = cmp.Or(w.failed, err)
		return SkipInside
	case (v.kind == ListKind || v.kind == MapKind) && !w.visited.Add(v):
		return SkipInside
	}
	return nil
}

// A MarkMemo remembers the marks of the last large lists and maps that it was asked for, unless
// there is one in them that may change: one with methods of its own. The zero MarkMemo is ready to use.
type MarkMemo struct {
	last [4]struct {
		id    any
		marks Marks
	}
	next int
}

// memoSteps is the work of a walk from which on its result is remembered.
const memoSteps = 256

// DeepMarks is [DeepMarksCharged].
func (m *MarkMemo) DeepMarks(v Value, charge func(steps int) error) (Marks, error) {
	if v.kind != ListKind && v.kind != MapKind {
		return v.marks, nil
	}
	id, ok := identity(v.ref)
	if _, changes := v.ref.(Methods); changes || !ok {
		return DeepMarksCharged(v, charge)
	}
	for i := range m.last {
		if m.last[i].id == id {
			return m.last[i].marks | v.marks, nil
		}
	}
	w := markWalk{charge: charge}
	err := w.of(v)
	if err == nil && !w.changes && w.steps+w.charged >= memoSteps {
		m.last[m.next].id, m.last[m.next].marks = id, w.found
		m.next = (m.next + 1) % len(m.last)
	}
	return w.found, err
}

// visitedSteps is the cost of remembering a list or map in a [Visited].
const visitedSteps = 8

// A Visited is a set of lists and maps, by identity. With it a walk can visit each list
// once: [l, l] with l = [k, k] and so on has any number of places, but few lists. The
// zero Visited is empty.
type Visited struct{ seen map[any]struct{} }

// Add adds the list or map v and reports whether it is new. One of a type that is not
// comparable is always new.
func (s *Visited) Add(v Value) bool {
	id, ok := identity(v.ref)
	if !ok {
		return true
	}
	if _, seen := s.seen[id]; seen {
		return false
	}
	if s.seen == nil {
		s.seen = map[any]struct{}{}
	}
	s.seen[id] = struct{}{}
	return true
}

// IdentityOf returns a comparable value that is equal for the same list or map, false for a scalar
// and for one of a type that is not comparable.
func IdentityOf(v Value) (any, bool) {
	if v.kind != ListKind && v.kind != MapKind {
		return nil, false
	}
	return identity(v.ref)
}

// Pairs is a set of pairs of lists or maps, by identity, for the comparison of values with shared
// parts. It is for data that does not change meanwhile, and holds only pairs that are compared late:
// two small documents have few pairs, two bombs more than can be counted.
//
//	l = [k, k], k = [j, j] and so on, compared with the like: one pair for each letter
//
// The zero Pairs is empty.
type Pairs struct {
	asked int
	seen  map[[2]any]struct{}
}

// sharedAfter is the number of visits after which a walk remembers lists and maps that it may meet
// again, maxShared the number of lists and maps that it remembers at a time.
const (
	sharedAfter = 10_000
	maxShared   = 65_536
)

// Has reports whether the pair was added.
func (p *Pairs) Has(a, b Value) bool {
	if p.asked++; p.asked <= sharedAfter {
		return false
	}
	key, ok := pairOf(a, b)
	_, has := p.seen[key]
	return ok && has
}

// Add adds a pair.
func (p *Pairs) Add(a, b Value) {
	key, ok := pairOf(a, b)
	if p.asked <= sharedAfter || !ok {
		return
	}
	if p.seen == nil || len(p.seen) >= maxShared {
		p.seen = map[[2]any]struct{}{}
	}
	p.seen[key] = struct{}{}
}

func pairOf(a, b Value) (key [2]any, ok bool) {
	x, okx := identity(a.ref)
	y, oky := identity(b.ref)
	return [2]any{x, y}, okx && oky
}

type sliceIdentity struct {
	first *Value
	n     int
}

// Identified is implemented by lists and maps that are the same data as others. Data of one identity
// never changes.
type Identified interface{ Identity() any }

// Lasting is implemented by lists and maps that may be the same data for long.
type Lasting interface {
	// Lasting returns an identity of the data, nil if it may change at any time. Whatever lists and
	// maps have the same identity, reading all of them gives the same values with the same
	// annotations. After all of the data was read, Holds must be called with before; the identity
	// counts only if it returns true.
	Lasting() (of any, before bool)
	Holds(before bool) bool
}

func identity(ref any) (any, bool) {
	if i, ok := ref.(Identified); ok {
		return i.Identity(), true
	}
	if s, ok := ref.(Slice); ok {
		return sliceIdentity{unsafe.SliceData(s), len(s)}, true
	}
	if t := reflect.TypeOf(ref); t == nil || !t.Comparable() {
		return nil, false
	}
	return ref, true
}

const (
	maxResult = 64 << 20 // bytes of one text or list made by an operator
	maxBits   = 1 << 20  // of one integer
	itemSize  = int(unsafe.Sizeof(Value{}))
)

// MaxNesting bounds the nesting of visited values, so that a value that contains itself
// ends in an error.
const MaxNesting = 10_000

const errTooDeep = endlessError("value is nested more than 10000 deep") // MaxNesting

// An endlessError reports that visiting a value would take too long.
type endlessError string

// Error returns the message.
func (e endlessError) Error() string { return string(e) }

// ErrorCode returns the code of the diagnostic that is made of the error.
func (e endlessError) ErrorCode() string { return "limit" }

// A LimitError reports that a result would be too big.
type LimitError struct {
	What string // the thing that would be too big, such as "text"
	Max  int
	Unit string // of Max; "" is bytes
}

// Error names the limit.
func (e *LimitError) Error() string {
	return fmt.Sprintf("%s would exceed the limit of %d %s", e.What, e.Max, cmp.Or(e.Unit, "bytes"))
}

// FirstMarked returns the path of the first value in v that has one of the marks itself, and
// whether there are more. Values that cannot be evaluated are passed over.
func FirstMarked(v Value, marks Marks) (first Path, more bool) {
	found := false
	_ = WalkPaths(v, func(path Path, _ Position, v Value, err error) error {
		switch {
		case err != nil:
			return SkipInside
		case v.Marks()&marks == 0:
			return nil
		case found:
			more = true
			return SkipAll
		}
		first, found = append(Path{}, path...), true
		return SkipInside
	})
	return first, more
}
