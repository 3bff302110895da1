package bind

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Request asks for the value of a key.
type Request struct {
	// Keys are alternatives: the first that is found is the answer.
	Keys []KeyPath

	// Type is what the value must be a value of. Nil is anything.
	Type *types.Type

	// Merge replaces the strategy that the data asks for. Nil keeps it.
	Merge *Strategy

	// At is where an expression asks, the zero span for the user.
	At source.Span

	// Exact takes the name of a key as a whole: it has no segments.
	Exact bool
}

// A KeyPath is a key as it is asked for: a name with segments, or a type with a name.
type KeyPath struct {
	Text     string
	Type     *types.Type
	Name     string // with a Type
	Segments []Segment
}

// ParseKey parses a key: name, name.segment, TYPE, or "TYPE, name".
func ParseKey(text string) (KeyPath, error) {
	k := KeyPath{Text: text}
	if startsUpper(text) {
		at, name := typeEnd(text)
		t, err := types.Parse(text[:at])
		if err != nil {
			return k, err
		}
		k.Type, k.Name = t, name
		if t.IsData() && name == "" {
			return k, errors.New("the type " + t.String() + " alone is no key: values of it have names")
		}
		return k, nil
	}
	if strings.HasPrefix(text, "/") {
		k.Segments = []Segment{{Text: text}}
		return k, nil
	}
	segments, err := SplitKey(text)
	k.Segments = segments
	return k, err
}

// typeEnd returns where the type of a key "TYPE, name" ends, and the name.
func typeEnd(text string) (int, string) {
	depth := 0
	for i, c := range text {
		switch c {
		case '[':
			depth++
		case ']':
			depth--
		case ',':
			if depth == 0 {
				name := strings.TrimSpace(text[i+1:])
				if n := len(name); n > 1 && (name[0] == '\'' || name[0] == '"') && name[n-1] == name[0] {
					name = name[1 : n-1]
				}
				return i, name
			}
		}
	}
	return len(text), ""
}

// An Answer is the result of a request.
type Answer struct {
	Found bool
	Key   KeyPath // the alternative that was found, else the first
	Value value.Value
	Type  *types.Type

	// Merge is the strategy that joined several sources, nil for the best one. MergeAt is
	// where the data asks for it, the zero span for the request.
	Merge   *Strategy
	MergeAt source.Span

	// At is where the best source is.
	At source.Span

	entry *entry
}

// maxReads bounds the keys that are kept of those that one value was made of.
const maxReads = 100

// Lookup answers a request.
//
// Codes: type-mismatch, producer-empty, lookup-cycle, merge-type, those of evaluating values.
// A key that nothing binds is no error: the answer says that it was not found.
func (t *Table) Lookup(r Request) (Answer, error) { return t.lookup(r) }

func (t *Table) lookup(r Request) (Answer, error) {
	if err := t.config.Budget.Step(1); err != nil {
		return Answer{}, err
	}
	var a Answer
	for i, k := range r.Keys {
		t.read(k.Text)
		found, err := t.one(k, r)
		if err != nil {
			return Answer{}, err
		}
		if found.Found || i == 0 {
			a = found
		}
		if found.Found {
			break
		}
	}
	if !a.Found || r.Type == nil {
		return a, nil
	}
	if err := types.Check(r.Type, a.Value); err != nil {
		return Answer{}, t.asked(err, a, r.At)
	}
	a.Type = r.Type
	return a, nil
}

// read notes that the candidate that is being evaluated needs a key.
func (t *Table) read(key string) {
	if len(t.current) == 0 {
		return
	}
	n := t.current[len(t.current)-1]
	if !slices.Contains(n.reads, key) && len(n.reads) < maxReads {
		n.reads = append(n.reads, key)
	}
}

// asked makes a diagnostic of a value that is not of the type that was asked for.
func (t *Table) asked(err error, a Answer, at source.Span) error {
	m := (*types.Mismatch)(nil)
	if !errors.As(err, &m) {
		return err
	}
	if at.File == nil {
		return source.Errorf(a.At, source.TypeMismatch, "'%s': expected %s, got %s", a.Key.Text, m.Type, m.Got)
	}
	return source.Errorf(at, source.TypeMismatch, "'%s': expected %s, got %s", a.Key.Text, m.Type, m.Got).Note(a.At, "the value is here")
}

// one looks up one alternative.
func (t *Table) one(k KeyPath, r Request) (Answer, error) {
	a := Answer{Key: k}
	if k.Type != nil {
		if r.Type == nil && k.Type.IsData() {
			r.Type = k.Type
		}
		e, err := t.resolve(KeyOf(k.Type, k.Name))
		if err != nil {
			return a, err
		}
		a, err = t.answer(a, e, r)
		if err != nil || !a.Found || !k.Type.IsData() {
			return a, err
		}
		if err := types.Check(k.Type, a.Value); err != nil {
			return Answer{}, t.asked(err, a, r.At)
		}
		return a, nil
	}
	if strings.HasPrefix(k.Text, "/") {
		return t.reserved(a, k.Text, r)
	}
	root, rest := k.Segments[0].Text, k.Segments[1:]
	if len(rest) > 0 {
		// In bindings the exact name comes first, dots and all.
		if e := t.entries[Key{Name: k.Text}]; e != nil && len(e.candidates) > 0 || r.Exact {
			root, rest = k.Text, nil
		}
	}
	if root == "lookup_options" {
		return a, nil // is no data
	}
	e, err := t.resolve(Key{Name: root})
	if err != nil {
		return a, err
	}
	a, err = t.answer(a, e, r)
	if err == nil && a.Found && len(rest) > 0 {
		a, err = t.dug(a, rest)
	}
	if err != nil || !a.Found {
		return a, err
	}
	return t.converted(a)
}

// dug follows the segments of a key into the value of its root.
func (t *Table) dug(a Answer, rest []Segment) (Answer, error) {
	v, ok, err := Dig(a.Value, rest)
	bad := (*DigError)(nil)
	switch {
	case errors.As(err, &bad):
		return a, source.Errorf(a.At, source.TypeMismatch, "'%s': %s", a.Key.Text, bad)
	case err != nil:
		return a, err
	}
	a.Found, a.Value, a.Type = ok, v, nil
	if ok {
		a.Type, err = types.Infer(v)
	}
	return a, err
}

// reserved looks up a name that begins with "/": one that operations made, or one of the maps
// of all parameters, variables and classes.
func (t *Table) reserved(a Answer, name string, r Request) (Answer, error) {
	var v value.Value
	var err error
	switch {
	case name == classesName:
		v, err = t.classes()
	case name == strings.TrimSuffix(varPrefix, "/"):
		v, err = t.collected(varPrefix)
	case t.isReference(name):
		v, err = t.parameters(name)
		if err == nil && v.Map().Len() == 0 {
			return a, nil
		}
	default:
		e, err := t.resolve(Key{Name: name})
		if err != nil {
			return a, err
		}
		return t.answer(a, e, r)
	}
	if err != nil {
		return a, err
	}
	a.Found, a.Value = true, v
	a.Type, err = types.Infer(v)
	return a, err
}

// isReference reports whether a name is /param/REF, without a parameter.
func (t *Table) isReference(name string) bool {
	rest, ok := strings.CutPrefix(name, paramPrefix)
	return ok && rest != "" && !strings.Contains(rest, "/")
}

// collected returns the map of all keys with a prefix, in the order of text.
func (t *Table) collected(prefix string) (value.Value, error) {
	var found []*entry
	for k, e := range t.entries {
		rest, ok := strings.CutPrefix(k.Name, prefix)
		if ok && k.Type == "" && !strings.Contains(rest, "/") && len(e.candidates) > 0 {
			found = append(found, e)
		}
	}
	slices.SortFunc(found, func(a, b *entry) int { return int(a.order()) - int(b.order()) })
	out := value.NewMap(len(found))
	for _, e := range found {
		a, err := t.answer(Answer{}, e, Request{})
		if err != nil {
			return value.Null, err
		}
		if a.Found {
			out.Set(value.K(strings.TrimPrefix(e.key.Name, prefix)), a.Value)
		}
	}
	return value.FromMap(out), nil
}

// parameters returns the map of the parameters of a reference, with those of its component
// and, of a class, the names that begin with it.
func (t *Table) parameters(name string) (value.Value, error) {
	v, err := t.collected(name + "/")
	if err != nil {
		return v, err
	}
	prefix := ""
	component, title, titled := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(name, paramPrefix), "]"), "[")
	switch {
	case titled && component == "Class":
		prefix = title + "::"
	case titled:
		prefix = paramPrefix + component + "/"
	default:
		return v, nil
	}
	more, err := t.collected(prefix)
	if err != nil {
		return v, err
	}
	out := value.NewMap(v.Map().Len())
	for _, from := range []value.Value{v, more} {
		for k := range from.Map().Keys() {
			item, _, err := from.Map().Get(k)
			if err != nil {
				return v, err
			}
			if _, ok, _ := out.Get(k); !ok && !strings.Contains(k.Text, "::") {
				out.Set(k, item)
			}
		}
	}
	return value.FromMap(out), nil
}

// resolve returns the entry of a key with the levels of providers, or that of a key which is
// asked instead. It is not nil.
func (t *Table) resolve(k Key) (*entry, error) {
	e := t.entry(k)
	if err := t.ask(e); err != nil {
		return e, err
	}
	if e.some() {
		return e, nil
	}
	for _, other := range fallbacks(k) {
		o := t.entry(other)
		if err := t.ask(o); err != nil {
			return e, err
		}
		if o.some() {
			return o, nil
		}
	}
	return e, nil
}

// some reports whether the entry has a candidate with a value.
func (e *entry) some() bool {
	return slices.ContainsFunc(e.candidates, func(n *Candidate) bool { return n.producer != nil })
}

// provided reports whether a provider has a key.
func (t *Table) provided(k Key) bool {
	e := t.entry(k)
	return t.ask(e) == nil && e.some()
}

// ask adds the levels of the providers to an entry, once.
func (t *Table) ask(e *entry) error {
	if e.asked {
		return e.broken
	}
	e.asked = true
	if len(t.providers) == 0 || e.key.Type != "" || strings.HasPrefix(e.key.Name, "/") {
		return nil
	}
	for _, p := range t.providers {
		if !p.provider.Owns(e.key.Name) {
			continue
		}
		levels, err := p.provider.Find(t.scope, e.key.Name)
		if err != nil {
			e.broken = err
			return err
		}
		t.addLevels(e, p, levels, false)
	}
	if !e.some() {
		if err := t.askDefaults(e); err != nil {
			e.broken = err
			return err
		}
	}
	e.sort()
	return nil
}

// askDefaults asks the default hierarchies for a key that no layer has.
func (t *Table) askDefaults(e *entry) error {
	for _, p := range t.providers {
		if !p.provider.Owns(e.key.Name) {
			continue
		}
		levels, err := p.provider.Default(t.scope, e.key.Name)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(levels, func(l Level) bool { return l.Value != nil }) {
			e.fallback = true
		}
		t.addLevels(e, p, levels, true)
	}
	return nil
}

// addLevels adds the levels of a provider to an entry: level i of n has the precedence
// [0, n-i], above plain bindings of its layer, unless it has the rank of a category.
func (t *Table) addLevels(e *entry, p attached, levels []Level, fallback bool) {
	for i := range levels {
		l := &levels[i]
		n := &Candidate{Key: e.key, At: l.At, Level: l, provider: p.provider, fallback: fallback, group: int32(l.Group), order: int32(i)}
		n.rank = Rank{layer: p.layer, vec: vector{n: 2, ranks: [maxVector]uint16{0, uint16(min(len(levels)-i, 1<<16-1))}}}
		for _, a := range t.Axes {
			if a.Name == l.Category && l.Category != "" {
				n.rank.vec.ranks[0] = a.rank
			}
		}
		e.levels = append(e.levels, n)
		if l.Value != nil {
			n.producer = exprProducer{l.Value}
			e.candidates = append(e.candidates, n)
		}
	}
}

// answer evaluates an entry.
func (t *Table) answer(a Answer, e *entry, r Request) (Answer, error) {
	a.entry = e
	if !e.some() {
		return a, nil
	}
	if slices.Contains(t.stack, e.key.Text()) {
		return a, t.cycle(e)
	}
	if err := t.config.Budget.Enter(); err != nil {
		return a, err
	}
	t.stack = append(t.stack, e.key.Text())
	defer func() {
		t.stack = t.stack[:len(t.stack)-1]
		t.config.Budget.Leave()
	}()
	rule, err := t.rule(e, e.fallback)
	if err != nil {
		return a, err
	}
	a.Merge, a.MergeAt = t.strategy(e, r, rule)
	if a.Merge == nil || a.Merge.Kind == First {
		a, err = t.best(a, e)
	} else {
		a, err = t.merged(a, e)
	}
	if err != nil || !a.Found {
		return a, err
	}
	a.Value = a.Value.Mark(t.marksOf(e.candidates) | t.marksOf(e.refused))
	return a, nil
}

// cycle reports a key that needs its own value.
func (t *Table) cycle(e *entry) error {
	from := slices.Index(t.stack, e.key.Text())
	names := append(slices.Clone(t.stack[from:]), e.key.Text())
	if len(names) > 12 {
		names = append(append(names[:6:6], "..."), names[len(names)-5:]...)
	}
	at := source.Span{}
	if len(e.candidates) > 0 {
		at = e.candidates[0].At
	}
	return source.Errorf(at, source.LookupCycle, "'%s' needs its own value: %s", e.key.Text(), strings.Join(names, " -> "))
}

// best returns the value of the highest candidate that has one. An optional candidate
// without a value steps aside.
func (t *Table) best(a Answer, e *entry) (Answer, error) {
	for _, n := range e.candidates {
		if n.producer == nil {
			continue
		}
		v, aside, err := t.checked(e, n)
		if err != nil {
			return a, err
		}
		if aside {
			continue
		}
		a.Found, a.Value, a.At = true, v, n.At
		a.Type, err = t.typeOf(n, v)
		return a, err
	}
	return a, nil
}

// typeOf returns the declared type of a candidate, or that of its value.
func (t *Table) typeOf(n *Candidate, v value.Value) (*types.Type, error) {
	if n.Type != nil {
		return n.Type, nil
	}
	return types.Infer(v)
}

// checked returns the value of a candidate. aside reports that it gives none.
func (t *Table) checked(e *entry, n *Candidate) (v value.Value, aside bool, err error) {
	v, err = t.value(n)
	if err != nil {
		return v, false, err
	}
	if v.IsNull() && n.Level == nil {
		if n.Flags&Optional != 0 {
			return v, true, nil
		}
		return v, false, source.Errorf(n.At, source.ProducerEmpty, "%s is bound to no value", n.Key).WithHint("bind NAME to optional VALUE lets lower bindings count then")
	}
	if n.Level == nil {
		err = t.checkTypes(e, n, v)
	}
	return v, false, err
}

// merged folds the values of all candidates: first those of one level, then the levels of one
// provider, then providers and bindings. Puppet does the same, one strategy inside of the
// other, which differs where a strategy changes a single value: unique makes a list of it.
func (t *Table) merged(a Answer, e *entry) (Answer, error) {
	f := nest{t: t, a: a}
	for _, n := range e.candidates {
		if n.producer == nil {
			continue
		}
		v, aside, err := t.checked(e, n)
		if err != nil {
			return a, err
		}
		if aside {
			continue
		}
		if err := f.add(e, n, v); err != nil {
			return a, err
		}
	}
	if f.last == nil {
		return a, nil
	}
	if err := f.close(e, true); err != nil {
		return a, err
	}
	a.Found, a.At = true, f.first.At
	var err error
	if e.fallback && len(f.all) == 1 {
		a.Value, err = t.single(a, f.all[0])
	} else {
		a.Value, err = t.fold(a, f.all, f.last)
	}
	if err != nil {
		return a, err
	}
	a.Type, err = types.Infer(a.Value)
	return a, err
}

// A nest folds values at three depths.
type nest struct {
	t                    *Table
	a                    Answer
	all, provider, level []value.Value
	first, last          *Candidate
}

// add adds the value of the next candidate.
func (f *nest) add(e *entry, n *Candidate, v value.Value) error {
	if f.last == nil {
		f.first = n
	} else if other := n.provider != f.last.provider || n.provider == nil; other || n.group != f.last.group {
		if err := f.close(e, other); err != nil {
			return err
		}
	}
	f.level, f.last = append(f.level, v), n
	return nil
}

// close folds the values of the last level, and with all those of its provider.
func (f *nest) close(e *entry, all bool) error {
	locations, levels := e.size(f.last)
	v, err := f.join(f.level, locations > 1)
	if err != nil {
		return err
	}
	f.level, f.provider = nil, append(f.provider, v)
	if !all {
		return nil
	}
	v, err = f.join(f.provider, levels > 1)
	f.provider, f.all = nil, append(f.all, v)
	return err
}

// join folds values of several sources, of which perhaps only one has a value.
func (f *nest) join(values []value.Value, several bool) (value.Value, error) {
	if f.last.provider == nil {
		return values[0], nil
	}
	if !several {
		return f.t.single(f.a, values[0])
	}
	return f.t.fold(f.a, values, f.last)
}

// size returns the number of locations of the level of a candidate, and that of the levels of
// its provider.
func (e *entry) size(n *Candidate) (locations, levels int) {
	groups := map[int32]bool{}
	for _, l := range e.levels {
		if l.provider == n.provider && l.fallback == n.fallback {
			groups[l.group] = true
			if l.group == n.group {
				locations++
			}
		}
	}
	return locations, len(groups)
}

// single returns the value of the only source: with unique a list without its repeats.
func (t *Table) single(a Answer, v value.Value) (value.Value, error) {
	if a.Merge.Kind != Unique {
		return v, nil
	}
	return t.withoutRepeats(v)
}

// withoutRepeats drops equal items of a list.
func (t *Table) withoutRepeats(v value.Value) (value.Value, error) {
	if !v.Is(value.ListKind) {
		return v, nil
	}
	items, err := value.ItemsOf(v.List())
	if err != nil {
		return v, err
	}
	f := folder{&Strategy{Kind: Unique}, t.config.Budget.Step}
	set, err := f.union(items, nil)
	return set.list(v.Marks()), err
}

// fold merges values. An error of the strategy is at the source whose value it is.
func (t *Table) fold(a Answer, values []value.Value, at *Candidate) (value.Value, error) {
	v, err := a.Merge.Fold(values, t.config.Budget.Step)
	bad := (*MergeError)(nil)
	if errors.As(err, &bad) {
		return v, source.Errorf(t.sourceOf(a.entry, bad.Value, at), source.MergeType, "'%s': %s", a.Key.Text, bad)
	}
	return v, err
}

// sourceOf returns the place of the candidate that gave a value.
func (t *Table) sourceOf(e *entry, v value.Value, or *Candidate) source.Span {
	for _, n := range e.candidates {
		if n.state != done || n.val.Kind() != v.Kind() {
			continue
		}
		return n.At
	}
	return or.At
}

// strategy returns how the values of an entry are merged, nil for the best one: as the
// request says, else as the highest source that has an option.
func (t *Table) strategy(e *entry, r Request, rule *KeyRule) (*Strategy, source.Span) {
	if r.Merge != nil {
		return r.Merge, source.Span{}
	}
	for _, n := range e.candidates {
		switch {
		case n.options != nil && n.options.Merge != nil:
			return n.options.Merge, n.options.MergeAt
		case n.provider != nil && rule != nil && rule.Merge != nil:
			return rule.Merge, rule.MergeAt
		}
	}
	return nil, source.Span{}
}

// rule returns the options of a key in the data of providers, nil if there are none: in that of
// default hierarchies or in all other.
func (t *Table) rule(e *entry, fallback bool) (*KeyRule, error) {
	if len(t.providers) == 0 || len(e.levels) == 0 {
		return nil, nil
	}
	if fallback {
		for _, p := range t.providers {
			if !p.provider.Owns(e.key.Name) {
				continue
			}
			rules, ok := t.fallback[p.provider]
			if !ok {
				var err error
				if rules, err = p.provider.Rules(t.scope, true); err != nil {
					return nil, err
				}
				t.fallback[p.provider] = rules
			}
			if r, err := ruleFor(rules, e.key.Name); r != nil || err != nil {
				return r, err
			}
		}
		return nil, nil
	}
	module := ""
	if i := strings.Index(e.key.Name, "::"); i > 0 {
		module = e.key.Name[:i]
	}
	rules, ok := t.rules[module]
	if !ok {
		for _, p := range slices.Backward(t.providers) {
			if !p.provider.Owns(e.key.Name) {
				continue
			}
			own, err := p.provider.Rules(t.scope, false)
			if err != nil {
				return nil, err
			}
			rules = JoinRules(rules, own)
		}
		t.rules[module] = rules
	}
	return ruleFor(rules, e.key.Name)
}

// converted applies convert_to of the data to a value that a provider gave: to the part that a
// key with dots asks for, as Puppet does. That of default hierarchies has no effect.
func (t *Table) converted(a Answer) (Answer, error) {
	rule, err := t.rule(a.entry, false)
	if err != nil || rule == nil || rule.Convert == nil || !slices.ContainsFunc(a.entry.candidates, func(n *Candidate) bool { return n.Level != nil && n.At == a.At }) {
		return a, err
	}
	v, err := types.Convert(rule.Convert, a.Value, rule.ConvertArgs)
	if err != nil {
		bad := (*types.Error)(nil)
		if errors.As(err, &bad) && bad.Unknown {
			return a, source.Errorf(rule.ConvertAt, source.UnknownType, "%s", bad.Message)
		}
		return a, source.Errorf(a.At, source.TypeMismatch, "'%s': %s", a.Key.Text, err).Note(rule.ConvertAt, "convert_to is here")
	}
	a.Value = v
	a.Type, err = types.Infer(v)
	return a, err
}

// marksOf returns the marks of the facts that decided which candidates apply.
func (t *Table) marksOf(list []*Candidate) (m value.Marks) {
	for _, n := range list {
		if n.cond != nil {
			m |= n.cond.marks
		}
	}
	return m
}

// variable returns the value of a bound variable.
func (t *Table) variable(s *Scope, name string) (value.Value, bool, error) {
	e := t.entries[Key{Name: varPrefix + name}]
	if e == nil || len(e.candidates) == 0 {
		return value.Null, false, nil
	}
	a, err := t.answer(Answer{Key: KeyPath{Text: e.key.Name}}, e, Request{})
	return a.Value, a.Found, err
}

// All returns the names of all data, in the order in which --all prints them: bindings in the
// order of text, then the keys of providers.
func (t *Table) All() ([]string, error) {
	var list []*entry
	for k, e := range t.entries {
		if k.Type == "" && !strings.HasPrefix(k.Name, "/") && k.Name != "" && len(e.candidates) > 0 && e.order() < 1<<31-1 {
			list = append(list, e)
		}
	}
	slices.SortFunc(list, func(a, b *entry) int {
		if d := int(a.order()) - int(b.order()); d != 0 {
			return d
		}
		return strings.Compare(a.key.Name, b.key.Name)
	})
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	for _, e := range list {
		if slices.ContainsFunc(e.candidates, func(n *Candidate) bool { return n.Level == nil }) {
			add(e.key.Name)
		}
	}
	for _, p := range t.providers {
		names, err := p.provider.Names(t.scope)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			if name != "lookup_options" && p.provider.Owns(name) {
				add(name)
			}
		}
	}
	return out, nil
}

// Near returns the bound name that is nearest to a key that was not found, or "".
func (t *Table) Near(key string) string {
	names := map[string]bool{}
	for k, e := range t.entries {
		if k.Type == "" && len(e.candidates) > 0 {
			names[k.Name] = true
		}
	}
	for _, p := range t.providers {
		if list, err := p.provider.Names(t.scope); err == nil {
			for _, name := range list {
				names[name] = true
			}
		}
	}
	delete(names, "lookup_options")
	return source.Suggest(key, maps.Keys(names))
}
