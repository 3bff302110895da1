package bind

import (
	"cmp"
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

	// Secret says that a secret is in the keys: a derivation does not list them.
	Secret bool

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
			return k, errors.New("the type " + t.String() + " is no key without a name: values of it have names")
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

// maxReads bounds the number of keys that are recorded for one value: the keys that it was computed from.
const maxReads = 100

// Lookup answers a request.
//
// Codes: type-mismatch, producer-empty, lookup-cycle, merge-type, the codes of evaluating values.
// A key that nothing binds is no error: the answer says that it was not found.
func (t *Table) Lookup(r Request) (Answer, error) {
	if err := t.config.Budget.Step(1); err != nil {
		return Answer{}, err
	}
	var a Answer
	for i, k := range r.Keys {
		if !r.Secret {
			t.read(k.Text)
		}
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
	if err := types.Check(r.Type, a.Value, t.config.Budget.Step); err != nil {
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
	a.At = t.quotable(a)
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
		if err := types.Check(k.Type, a.Value, t.config.Budget.Step); err != nil {
			return Answer{}, t.asked(err, a, r.At)
		}
		return a, nil
	}
	if strings.HasPrefix(k.Text, "/") {
		return t.reserved(a, k.Text, r)
	}
	root, rest := k.Segments[0].Text, k.Segments[1:]
	if k.Text != root {
		// In bindings the exact name comes first, dots, blanks and all.
		if e := t.entries[Key{Name: k.Text}]; e != nil && e.bound() || r.Exact {
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
	if len(rest) == 0 {
		return t.whole(a, e, r)
	}
	a, err = t.answer(a, e, r)
	if err == nil && a.Found {
		if a, err = t.dug(a, rest); err == nil && !a.Found && !e.fallback {
			a, err = t.dugDefault(a, e, r, rest)
		}
	}
	if err != nil || !a.Found {
		return a, err
	}
	return t.converted(a)
}

// whole is answer for a key without segments: its value is converted as the data asks.
func (t *Table) whole(a Answer, e *entry, r Request) (Answer, error) {
	key := a.Key
	a, err := t.answer(a, e, r)
	if err != nil || !a.Found {
		return a, err
	}
	if r.Merge != nil || e.kept == nil {
		return t.converted(a)
	}
	if e.whole == nil {
		whole, err := t.converted(a)
		if err != nil {
			return a, err
		}
		e.whole = &whole
	}
	whole := *e.whole
	whole.Key = key
	return whole, nil
}

// dug follows the segments of a key into the value of its root.
func (t *Table) dug(a Answer, rest []Segment) (Answer, error) {
	v, ok, err := Dig(a.Value, rest)
	bad := (*DigError)(nil)
	switch {
	case errors.As(err, &bad):
		return a, source.Errorf(t.quotable(a), source.TypeMismatch, "'%s': %s", a.Key.Text, bad)
	case err != nil:
		return a, err
	}
	a.Found, a.Value, a.Type = ok, v, nil
	if ok {
		a.Type, err = types.Infer(v)
	}
	return a, err
}

// dugDefault follows the segments of a key into the value of the default hierarchies, which
// are asked where the other value has no such part.
func (t *Table) dugDefault(a Answer, e *entry, r Request, rest []Segment) (Answer, error) {
	d, err := t.defaultEntry(e)
	if err != nil || d == nil {
		return a, err
	}
	found, err := t.answer(Answer{Key: a.Key}, d, r)
	if err == nil && found.Found {
		found, err = t.dug(found, rest)
	}
	if err != nil || !found.Found {
		return a, err
	}
	return found, nil
}

// answer evaluates an entry, once for all requests that leave the strategy to the data.
func (t *Table) answer(a Answer, e *entry, r Request) (Answer, error) {
	a.entry = e
	if !e.some() {
		return a, nil
	}
	name := a.Key.Text
	if name == "" {
		name = e.key.Text()
	}
	if slices.Contains(t.stack, name) {
		return a, t.cycle(e, name)
	}
	if e.kept != nil && r.Merge == nil {
		kept := *e.kept
		kept.Key = a.Key
		return kept, nil
	}
	if err := t.config.Budget.Enter(); err != nil {
		return a, err
	}
	t.stack = append(t.stack, name)
	a, err := t.evaluated(a, e, r)
	t.stack = t.stack[:len(t.stack)-1]
	t.config.Budget.Leave()
	if err == nil && r.Merge == nil && e.asked && t.asking == 0 && !slices.ContainsFunc(e.candidates, (*Candidate).varies) {
		kept := a
		e.kept = &kept
	}
	return a, err
}

// evaluated computes the answer of an entry.
func (t *Table) evaluated(a Answer, e *entry, r Request) (Answer, error) {
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
	a.Value = a.Value.Mark(t.marksOf(e.candidates) | t.marksOf(e.refused) | t.marksOf(e.levels))
	return a, nil
}

// cycle reports a key that needs its own value.
func (t *Table) cycle(e *entry, name string) error {
	names := append(slices.Clone(t.stack[slices.Index(t.stack, name):]), name)
	at := source.Span{}
	if len(e.candidates) > 0 {
		at = e.candidates[0].At
	}
	return source.Errorf(at, source.LookupCycle, "'%s' needs its own value: %s", name, steps(names))
}

// best returns the value of the highest candidate that has one. An optional candidate
// without a value steps aside.
func (t *Table) best(a Answer, e *entry) (Answer, error) {
	for _, n := range e.candidates {
		v, given, err := t.checked(e, n)
		if err != nil {
			return a, err
		}
		if !given {
			continue
		}
		a.Found, a.Value, a.At = true, v, n.At
		if a.Type = n.Type; a.Type == nil {
			a.Type, err = types.Infer(v)
		}
		return a, err
	}
	return a, nil
}

// checked returns the value of a candidate, and whether it gives one.
func (t *Table) checked(e *entry, n *Candidate) (v value.Value, given bool, err error) {
	if n.producer == nil {
		return v, false, nil
	}
	if v, err = t.value(n); err != nil {
		return v, false, err
	}
	if v.IsNull() && n.Level == nil {
		if n.Flags&Optional != 0 {
			return v, false, nil
		}
		return v, false, source.Errorf(n.At, source.ProducerEmpty, "%s is bound to no value", n.Key).WithHint("bind NAME to optional VALUE lets lower bindings count then")
	}
	if n.Level == nil {
		err = t.checkTypes(e, n, v)
	}
	return v, true, err
}

// marksOf returns the marks of the facts that decided which candidates apply.
func (t *Table) marksOf(list []*Candidate) (m value.Marks) {
	for _, n := range list {
		if n.cond != nil {
			m |= n.cond.marks
		}
		if n.Level != nil {
			m |= n.Level.Marks
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
// order of text, then the keys of providers, then those that only the layer "override" has.
func (t *Table) All() ([]string, error) {
	type ordered struct {
		name  string
		order int32
	}
	var bound, overrides []ordered
	for k, e := range t.entries {
		if k.Type != "" || k.Name == "" || strings.HasPrefix(k.Name, "/") || e.order() == noOrder {
			continue
		}
		if first := e.firstOrder(func(n *Candidate) bool { return n.Level == nil && n.Set != t.config.Overrides }); first < noOrder {
			bound = append(bound, ordered{k.Name, first})
		} else if e.bound() {
			overrides = append(overrides, ordered{k.Name, e.order()})
		}
	}
	seen := map[string]bool{}
	var out []string
	add := func(name string) {
		if !seen[name] {
			seen[name] = true
			out = append(out, name)
		}
	}
	addAll := func(list []ordered) {
		slices.SortFunc(list, func(a, b ordered) int {
			return cmp.Or(cmp.Compare(a.order, b.order), strings.Compare(a.name, b.name))
		})
		for _, o := range list {
			add(o.name)
		}
	}
	addAll(bound)
	if err := t.provided(add); err != nil {
		return nil, err
	}
	addAll(overrides)
	return out, nil
}

// Place returns where the binding of a name is that counts if it gives a value, and whether it can
// be asked at once, since it is a constant, or since it must be known whether there is a value at
// all. The place is the zero span for data of providers.
func (t *Table) Place(name string) (at source.Span, now bool) {
	e := t.entries[Key{Name: name}]
	if e == nil {
		return at, false
	}
	optional := true
	for _, n := range e.candidates {
		if n.producer == nil {
			continue
		}
		if at.IsZero() {
			at = n.At
			if _, now = n.producer.constant(); now {
				return at, true
			}
		}
		optional = optional && n.Flags&Optional != 0
	}
	return at, optional && !at.IsZero()
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
