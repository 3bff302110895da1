package expr

import (
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/scan"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// query returns all matches of a path (spec: expressions, section 3).
func query(p *Path, s *Scope) (matches, error) {
	if err := s.enter(p.At); err != nil {
		return matches{}, err
	}
	defer s.Env.Leave()
	w := pathWalk{s: s, at: p.At}
	if err := w.follow(p); err != nil {
		return matches{}, err
	}
	if w.whole != nil {
		p.warnWholeList(w.whole, s)
	}
	s.touch(w.chosen)
	return w.matches, nil
}

// A pathWalk collects the matches of a path. It counts them as they are added, since a
// short path can have any number.
type pathWalk struct {
	matches
	s     *Scope
	at    source.Span
	whole *Segment // a segment with a test that a list as a whole passes, or nil
}

// maxMatches bounds the matches of a path, since lists may contain a list many times.
const maxMatches = 4 << 20

// add adds a match.
func (w *pathWalk) add(v value.Value) error {
	if len(w.found) >= maxMatches {
		return source.Errorf(w.at, source.Limit, "the path has more than %d matches", maxMatches)
	}
	w.found = append(w.found, v)
	return nil
}

// choose notes that a value with the marks m decides which matches there are.
func (w *pathWalk) choose(m value.Marks) {
	w.s.decided(m &^ w.chosen)
	w.chosen |= m
}

// follow evaluates the path from the value that the first segment selects: the root, a
// variable, the current map or one around it.
func (w *pathWalk) follow(p *Path) error {
	first := p.Segments[0]
	switch {
	case p.absolute():
		root, segs := w.s.Env.Root(), p.Segments[1:]
		if len(segs) == 1 && segs[0].empty() { // a lone "::" is the whole document, a list included
			return w.add(root)
		}
		return w.from(root, segs)
	case first.Kind == VarKey:
		return w.fromVar(first, p.Segments[1:])
	case first.empty():
		return w.add(w.s.Self)
	case first.Kind == NameKey && strings.HasPrefix(first.Key, "."), w.s.item:
		return w.from(w.s.Self, p.Segments)
	}
	return w.fromNearest(p.Segments)
}

// fromVar starts at the value of a variable, if it satisfies the filters of the segment.
// A path of nothing but a variable is one match.
func (w *pathWalk) fromVar(first Segment, rest []Segment) error {
	v, ok, err := w.variable(first.Key)
	if err != nil || !ok {
		return err
	}
	if ok, err := w.holdAll(v, first); err != nil || !ok {
		return err
	}
	if len(rest) == 0 {
		return w.add(v)
	}
	return w.from(v, rest)
}

// fromNearest starts at the current map and at the maps around it, up to the first from
// which the whole path has a match. A value that asks for its own name gets the value of an
// outer map: in {a: 1, b: {a: {eval: a}}} b.a is 1. If no outer map has the name, it is a cycle.
func (w *pathWalk) fromNearest(segs []Segment) error {
	own, asks := value.Null, false
	for v, more := w.s.Self, true; more; {
		if !asks && asksForItself(v, segs[0]) {
			own, asks = v, true
		} else if err := w.from(v, segs); err != nil || len(w.found) > 0 {
			return err
		}
		var err error
		if v, more, err = parentOf(v); err != nil {
			return w.located(err)
		}
	}
	if !asks {
		return nil
	}
	return w.from(own, segs)
}

// asksForItself reports whether a segment names the entry of v whose value is being
// computed.
func asksForItself(v value.Value, s Segment) bool {
	if s.Kind != NameKey || !v.Is(value.MapKind) {
		return false
	}
	m, ok := v.Map().(interface{ Computing(name string) bool })
	return ok && m.Computing(s.Key)
}

func (w *pathWalk) located(err error) error { return located(w.at, source.BadValue, err, 0) }

// from follows segs from one value and keeps the first match if the segment has "?".
func (w *pathWalk) from(v value.Value, segs []Segment) error {
	before := len(w.found)
	if err := w.step(v, segs); err != nil {
		return err
	}
	w.keepFirst(before, segs)
	return nil
}

// keepFirst reports whether the first segment has "?" and there are matches since before.
// If it is the last segment it keeps one of them.
func (w *pathWalk) keepFirst(before int, segs []Segment) bool {
	if !segs[0].First || len(w.found) == before {
		return false
	}
	if len(segs) == 1 {
		w.found = w.found[:before+1]
	}
	return true
}

// fromItems follows segs from each item of a list.
func (w *pathWalk) fromItems(list value.Value, segs []Segment) error {
	w.choose(list.Marks()) // its length decides how many matches there are
	for v, err := range value.Items(list.List()) {
		if err != nil {
			return w.located(err)
		}
		before := len(w.found)
		if err := w.step(v.Mark(list.Marks()), segs); err != nil {
			return err
		}
		if w.keepFirst(before, segs) {
			return nil
		}
	}
	return nil
}

// valueSteps is the cost of a value that a path visits. A path of a few characters can
// visit 10^10 values and must reach the limit of steps in seconds.
const valueSteps = 10

// step follows segs from one value, or from the items of a list unless the key is an
// index.
func (w *pathWalk) step(v value.Value, segs []Segment) error {
	if err := w.s.step(w.at, valueSteps); err != nil {
		return err
	}
	w.s.touch(v.Marks())
	seg := segs[0]
	if seg.Kind == StarKey {
		return w.star(v, segs)
	}
	key, ok, err := w.key(seg)
	if err != nil || !ok {
		return err
	}
	if v.Is(value.ListKind) && !key.isIndex {
		return w.inside(v, segs)
	}
	next, ok, err := w.apply(v, key, len(segs) > 1)
	if err != nil || !ok {
		if isCollection(v) {
			w.choose(v.Marks())
		}
		return w.located(err)
	}
	next = next.Mark(v.Marks())
	if ok, err := w.holdAll(next, seg); err != nil || !ok {
		return err
	}
	if len(seg.Filters) > 0 && w.whole == nil && next.Is(value.ListKind) && seg.Kind != NoKey {
		w.whole = &segs[0]
	}
	if len(segs) == 1 {
		return w.add(next)
	}
	return w.from(next, segs[1:])
}

// inside follows segs from the items of a list, one level deeper.
func (w *pathWalk) inside(v value.Value, segs []Segment) error {
	if err := w.s.enter(w.at); err != nil {
		return err
	}
	defer w.s.Env.Leave()
	return w.fromItems(v, segs)
}

// star follows the rest from each value of a map and each item of a list. "*[f]" means
// "*::[f]", and "*?" the first value.
func (w *pathWalk) star(v value.Value, segs []Segment) error {
	var values []value.Value
	var err error
	switch v.Kind() {
	case value.MapKind:
		values, err = mapValues(v)
	case value.ListKind:
		values, err = listItems(v)
	}
	if err != nil {
		return w.located(err)
	}
	rest := segs[1:]
	if seg := segs[0]; seg.Filters != nil || seg.Test != nil {
		seg.Kind = NoKey
		rest = append([]Segment{seg}, rest...)
	} else if seg.First {
		return w.firstValue(values, rest)
	}
	if len(rest) > 0 {
		return w.fromItems(value.ListOf(values...), rest)
	}
	for _, v := range values {
		if err := w.add(v); err != nil {
			return err
		}
	}
	return nil
}

// firstValue adds the matches from the first value that has any.
func (w *pathWalk) firstValue(values []value.Value, rest []Segment) error {
	before := len(w.found)
	for _, v := range values {
		if len(rest) == 0 {
			return w.add(v)
		}
		if err := w.from(v, rest); err != nil || len(w.found) > before {
			return err
		}
	}
	return nil
}

func mapValues(v value.Value) ([]value.Value, error) {
	values := make([]value.Value, 0, v.Map().Len())
	for k := range v.Map().Keys() {
		item, ok, err := v.Map().Get(k)
		if err != nil {
			return nil, err
		}
		if ok {
			values = append(values, item.Mark(v.Marks()))
		}
	}
	return values, nil
}

// A pathKey is the key of a segment with variables replaced.
type pathKey struct {
	none    bool
	isIndex bool
	special bool // may be one of the keys that begin with "."
	text    string
	index   int
	exact   value.Key // the value of a variable, which has a type
	typed   bool
}

// key returns the key that a segment means. The value of a variable has a type: in a map $k with the text "1" finds
// the key "1" only, while a written 1 finds the key "1", or else 1.
func (w *pathWalk) key(s Segment) (pathKey, bool, error) {
	switch s.Kind {
	case NoKey:
		return pathKey{none: true}, true, nil
	case IndexKey:
		return pathKey{isIndex: true, index: s.Index, text: s.Key}, true, nil
	case NameKey:
		return pathKey{text: s.Key, special: strings.HasPrefix(s.Key, ".")}, true, nil
	}
	v, ok, err := w.variable(s.Key)
	if err != nil || !ok {
		return pathKey{}, false, err
	}
	w.choose(v.Marks())
	exact, ok := value.KeyOf(v)
	k := pathKey{typed: true, exact: exact}
	if i, isInt := v.Int(); isInt {
		k.isIndex, k.index = true, int(i)
	}
	return k, ok, nil
}

// apply returns the value under a key, which the path only passes through if more follows.
func (w *pathWalk) apply(v value.Value, k pathKey, more bool) (value.Value, bool, error) {
	switch {
	case k.none:
		return v, true, nil
	case v.Is(value.ListKind):
		return item(v, value.Int(int64(k.index)))
	case !v.Is(value.MapKind):
		return value.Null, false, nil
	case k.special:
		return w.specialKey(v, k.text)
	case k.typed:
		return v.Map().Get(k.exact)
	}
	get := value.Map.Get
	if more {
		get = value.Through
	}
	next, ok, err := get(v.Map(), value.K(k.text))
	if ok || err != nil || !k.isIndex {
		return next, ok, err
	}
	key, _ := value.KeyOf(value.Int(int64(k.index)))
	return get(v.Map(), key)
}

// variable returns a variable of the path: of the scope, or one of the names that every path has.
func (w *pathWalk) variable(name string) (value.Value, bool, error) {
	v, ok, err := w.s.Var(name)
	if ok || err != nil {
		return v, ok && !v.Is(value.UndefinedKind), w.located(err)
	}
	switch name {
	case "true":
		return value.True, true, nil
	case "false":
		return value.False, true, nil
	case "null":
		return value.Null, true, nil
	case "start":
		return w.s.Self, true, nil
	}
	return value.Null, false, nil
}

// holdAll reports whether a value satisfies the filters and the test of a segment.
func (w *pathWalk) holdAll(v value.Value, s Segment) (bool, error) {
	if len(s.Filters) > 0 && isCollection(v) {
		w.choose(v.Marks())
	}
	for _, f := range s.Filters {
		found, err := w.inFilter(v, f.Path.Segments)
		if err != nil || found == f.Negate {
			return false, err
		}
	}
	if s.Test == nil {
		return true, nil
	}
	return w.passes(v, s.Test)
}

// passes reports whether a value passes a test. The value of a variable is compared as it is,
// a text is read as the kind of the value.
func (w *pathWalk) passes(v value.Value, t *PathTest) (bool, error) {
	want := value.String(t.Text)
	w.choose(v.Marks())
	if t.Var {
		var ok bool
		var err error
		if want, ok, err = w.variable(t.Text); err != nil || !ok {
			return false, err
		}
		want = plain(want)
		w.choose(want.Marks())
	}
	switch t.Op {
	case TestEqual, TestNotEqual:
		if !t.Var {
			return equalsText(v, t.Text) == (t.Op == TestEqual), nil
		}
		looked := value.Comparison{Charge: w.s.Env.Step, Met: w.s.Env}
		eq, err := looked.Equal(v, want)
		w.choose(looked.Marks)
		return err == nil && eq == (t.Op == TestEqual), w.located(err)
	case TestMatches:
		return w.matchesPattern(v, want, t)
	}
	return w.ordered(v, want, t)
}

// ordered compares numbers with numbers and texts with texts; nothing else has an order.
func (w *pathWalk) ordered(v, want value.Value, t *PathTest) (bool, error) {
	if v.IsNumber() && !t.Var {
		var ok bool
		if want, ok = numberOf(t.Text); !ok {
			return false, nil
		}
	}
	texts := v.Is(value.StringKind) && want.Is(value.StringKind)
	if !texts && !(v.IsNumber() && want.IsNumber()) {
		return false, nil
	}
	op := []string{TestLess: value.OpLess, TestLessEqual: value.OpLessEqual, TestGreater: value.OpGreater, TestGreaterEqual: value.OpGreaterEqual}[t.Op]
	holds, err := value.Ordered(op, v, want, w.s.Env.Step)
	return holds && err == nil, w.located(err)
}

// numberOf reads a number of any size.
func numberOf(text string) (value.Value, bool) {
	if len(text) > scan.MaxDigits {
		return value.Null, false
	}
	if i, ok := value.ParseInt(text, 10); ok {
		return i, true
	}
	f, err := strconv.ParseFloat(text, 64)
	return value.Float(f), err == nil
}

// matchesPattern reports whether a text contains a match of an RE2 expression.
func (w *pathWalk) matchesPattern(v, want value.Value, t *PathTest) (bool, error) {
	if !v.Is(value.StringKind) || !want.Is(value.StringKind) {
		return false, nil
	}
	pattern := t.pattern
	if t.Var {
		var err error
		if pattern, err = value.CompileRegexp(want.Str()); err != nil {
			return false, source.Errorf(w.at, source.Syntax, "path: %s", patternError(err))
		}
	}
	if err := w.s.step(w.at, 1+pattern.Steps(len(v.Str()))); err != nil {
		return false, err
	}
	return pattern.MatchString(v.Str()), nil
}

// inFilter reports whether the path of a filter has a match from a value, and drops the
// matches.
func (w *pathWalk) inFilter(v value.Value, segs []Segment) (bool, error) {
	if err := w.s.enter(w.at); err != nil {
		return false, err
	}
	defer w.s.Env.Leave()
	before := len(w.found)
	err := w.from(v, segs)
	any := len(w.found) > before
	w.found = w.found[:before]
	return any, err
}

// equalsText reports whether a text, read as the kind of v, equals v: 07 equals the
// integer 7 and the text "07".
func equalsText(v value.Value, text string) bool {
	switch v.Kind() {
	case value.StringKind:
		return v.Str() == text
	case value.BoolKind:
		return strings.EqualFold(text, strconv.FormatBool(v.Bool()))
	case value.IntKind:
		if len(text) > scan.MaxDigits {
			return false
		}
		want, ok := value.ParseInt(text, 10)
		return ok && want.BigInt().Cmp(v.BigInt()) == 0
	case value.FloatKind:
		f, err := strconv.ParseFloat(text, 64)
		return err == nil && f == v.Float()
	}
	return false
}
