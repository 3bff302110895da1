package bind

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// The prefixes of reserved names (spec: bindings, section 7).
const (
	paramPrefix = "/param/"
	mapPrefix   = "/map/"
	varPrefix   = "/var/"
	classesName = "/classes"
)

// titleEscapes are written in a title in reserved names.
var titleEscapes = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer {
	return strings.NewReplacer("%", "%25", "/", "%2F", "[", "%5B", "]", "%5D")
}}

// String writes the reference as in reserved names: Class[ntp], Web, Web[one].
func (r Ref) String() string {
	if r.Title == "" {
		return r.Component
	}
	return r.Component + "[" + titleEscapes.Get().Replace(r.Title) + "]"
}

// A pendingParameters takes parameters from an instance when all others are known.
type pendingParameters struct {
	op    *Parameters
	where origin
	order int32
}

// bindParameters makes a candidate /param/TARGET/NAME for each entry of the map:
//
//	bind parameters ntp to { enable => true }     /param/Class[ntp]/enable
//
// Parameters that are taken from an instance wait: the instance may get its own later in the text.
func (c *composer) bindParameters(op *Parameters) {
	switch {
	case op.Flags&Abstract != 0:
		c.errorf(op.At, source.AbstractParameters, "parameters cannot be abstract: declare the names that are needed, such as bind abstract \"%s::port\"", strings.ToLower(op.Target.Component))
	case op.From != nil:
		c.parameters = append(c.parameters, pendingParameters{op, c.where, c.order})
	case op.Values == nil:
		c.errorf(op.At, source.MissingValue, "the parameters have no values: write a map, or the instance that they are taken from")
	default:
		pairs, _ := c.pairs(op.Values)
		for _, p := range pairs {
			name, ok := plainText(p.Key)
			if !ok || name == "" {
				c.errorf(p.At, source.BadType, "the name of a parameter is a text")
				continue
			}
			n := c.candidate(Key{Name: paramPrefix + op.Target.String() + "/" + name}, op.At, exprProducer{p.Value})
			n.Flags = op.Flags
			c.add(n)
		}
	}
}

// bindMap makes the candidate /map/LEFT/RIGHT, which says which parameter of the component on the right is which
// of the component on the left. It is looked up when parameters are taken from instances.
func (c *composer) bindMap(op *ParameterMap) {
	n := c.candidate(Key{Name: mapPrefix + op.Left.String() + "/" + op.Right.String()}, op.At, mapProducer{op.Pairs})
	n.Flags = op.Flags
	c.add(n)
}

// mapProducer gives a map of parameters. A list of names means equal names.
type mapProducer struct{ pairs Expr }

func (p mapProducer) produce(t *Table, _ *Candidate) (value.Value, error) {
	v, err := p.pairs.Eval(t.scope)
	if err != nil || !v.Is(value.ListKind) {
		return v, err
	}
	return unitMap(v)
}

func (p mapProducer) constant() (value.Value, bool) { return value.Null, false }

// unitMap returns a map of names to themselves: [user, port] is {user: user, port: port}.
func unitMap(names value.Value) (value.Value, error) {
	items, err := value.ItemsOf(names.List())
	if err != nil {
		return value.Null, err
	}
	out := value.NewMap(len(items))
	for _, item := range items {
		k, err := value.KeyFor(item)
		if err != nil {
			return value.Null, err
		}
		out.Set(k, item)
	}
	return value.FromMap(out), nil
}

// fromInstances makes the parameters that are taken from other instances. Those of the
// instance on the right are made first, since they may come from a third one.
//
//	bind parameters Sql[one] to { user => bob }
//	bind map Web to Sql { dbuser => user }
//	bind parameters Web[one] to Sql[one]            /param/Web[one]/dbuser is /param/Sql[one]/user
func (c *composer) fromInstances() {
	type origin struct {
		target, component string
		rank              Rank
	}
	sources := map[origin]*Parameters{}
	state := make([]uint8, len(c.parameters))
	byTarget := map[string][]int{}
	for i, p := range c.parameters {
		name := p.op.Target.String()
		byTarget[name] = append(byTarget[name], i)
	}
	var do func(i int)
	do = func(i int) {
		if state[i] != newMemo {
			return
		}
		state[i] = running
		p := c.parameters[i]
		for _, j := range byTarget[p.op.From.String()] {
			do(j)
		}
		state[i] = done
		c.where, c.order = p.where, p.order
		if c.where.applies() {
			k := origin{p.op.Target.String(), p.op.From.Component, c.where.rank()}
			if first := sources[k]; first != nil {
				c.report(source.Errorf(p.op.At, source.DuplicateParameterSource, "the parameters of %s are taken from two instances of %s", p.op.Target, p.op.From.Component).
					Note(first.At, "the first one is here"))
				return
			}
			sources[k] = p.op
		}
		c.takeParameters(p.op)
	}
	for i := range c.parameters {
		do(i)
	}
	if len(c.parameters) > 0 {
		c.sortEntries()
	}
}

// takeParameters makes a candidate for each parameter that an instance gives another. Where the condition does not
// hold the instance may be bound under the same condition: what is not there is no error.
func (c *composer) takeParameters(op *Parameters) {
	refused := !c.where.applies()
	optional := op.Flags&Optional != 0 || refused
	pairs, err := c.parameterMap(op)
	if err != nil && refused {
		return
	}
	if err != nil {
		c.fail(err, op.At)
		return
	}
	if len(pairs) == 0 && !optional {
		c.errorf(op.At, source.MapRequired, "nothing says which parameters %s takes from %s", op.Target, op.From)
	}
	for _, p := range pairs {
		left, lok := plainText(p[0])
		right, rok := plainText(p[1])
		if !lok || !rok || left == "" || right == "" {
			c.errorf(op.At, source.BadType, "a map of parameters has the names of parameters as keys and values")
			continue
		}
		from := Key{Name: paramPrefix + op.From.String() + "/" + right}
		bound, err := c.bound(from)
		var names []string
		if err == nil && !bound && !optional {
			names, err = c.parametersOf(*op.From)
		}
		switch {
		case err != nil:
			c.fail(err, op.At)
			return
		case !bound && !optional:
			c.report(source.Errorf(op.At, source.MissingParameter, "%s has no parameter '%s'", op.From, right).DidYouMean(right, slices.Values(names)))
			continue
		case !bound:
			continue
		}
		n := c.candidate(Key{Name: paramPrefix + op.Target.String() + "/" + left}, op.At, aliasProducer{key: from})
		n.Flags = op.Flags &^ Optional
		c.add(n)
	}
}

// parameterMap returns the pairs of names: of the option map, of the map that is bound for the
// components, or of equal names.
func (c *composer) parameterMap(op *Parameters) ([][2]value.Value, error) {
	if op.Options != nil && op.Options.Map != nil {
		v, err := op.Options.Map.Eval(c.factScope(false))
		if err != nil {
			return nil, err
		}
		return mapPairs(v, op.Options.Map.Span())
	}
	for _, left := range []Ref{op.Target, {Component: op.Target.Component}} {
		for _, right := range []Ref{*op.From, {Component: op.From.Component}} {
			e := c.table.entries[Key{Name: mapPrefix + left.String() + "/" + right.String()}]
			if e == nil || len(e.candidates) == 0 {
				continue
			}
			e.sort()
			p, ok := e.candidates[0].producer.(mapProducer)
			if !ok {
				continue
			}
			v, err := p.pairs.Eval(c.factScope(false))
			if err != nil {
				return nil, err
			}
			return mapPairs(v, p.pairs.Span())
		}
	}
	var out [][2]value.Value
	names, err := c.parametersOf(*op.From)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		out = append(out, [2]value.Value{value.String(name), value.String(name)})
	}
	return out, nil
}

// mapPairs returns the pairs of a map of parameters that is written as a map or as a list of names.
func mapPairs(v value.Value, at source.Span) ([][2]value.Value, error) {
	if v.Is(value.ListKind) {
		var err error
		if v, err = unitMap(v); err != nil {
			return nil, err
		}
	}
	if !v.Is(value.MapKind) {
		return nil, source.Errorf(at, source.BadType, "a map of parameters is a map or a list of names, and this is %s", value.Article(v.Kind()))
	}
	var out [][2]value.Value
	for k, key := range value.KeyValues(v.Map()) {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return nil, err
		}
		out = append(out, [2]value.Value{key, item})
	}
	return out, nil
}

// parametersOf returns the names of the parameters that are bound for an instance and for its
// component, in the order of the source, and then those that data has as names of a class.
func (c *composer) parametersOf(r Ref) ([]string, error) {
	prefixes := []string{paramPrefix + r.String() + "/"}
	if r.Title != "" && r.Component != "Class" {
		prefixes = append(prefixes, paramPrefix+r.Component+"/")
	}
	first := map[string]int32{} // by name
	for k, e := range c.table.entries {
		if k.Type != "" || len(e.candidates) == 0 {
			continue
		}
		for _, prefix := range prefixes {
			if name, ok := strings.CutPrefix(k.Name, prefix); ok {
				order := e.candidates[0].order
				if known, twice := first[name]; twice {
					order = min(order, known)
				}
				first[name] = order
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(first), func(a, b string) int {
		return cmp.Or(cmp.Compare(first[a], first[b]), strings.Compare(a, b))
	})
	if r.Component != "Class" {
		return names, nil
	}
	more, err := c.table.namesOf(r.Title)
	for _, name := range more {
		if _, known := first[name]; !known {
			names = append(names, name)
		}
	}
	return names, err
}

// bound reports whether a key has a candidate that applies, also from a provider, or a fallback of parameters has.
func (c *composer) bound(k Key) (bool, error) {
	for _, k := range append([]Key{k}, fallbacks(k)...) {
		e, err := c.asked(k)
		if err != nil {
			return false, err
		}
		if len(e.candidates) > 0 {
			return true, nil
		}
	}
	return false, nil
}

// asked returns the entry of a key with the levels of providers. What an operation does depends on these, and must
// not depend on whether another operation asked for the key before.
func (c *composer) asked(k Key) (*entry, error) {
	e := c.table.entry(k)
	return e, c.table.ask(e)
}

// fallbacks returns the keys that are asked where a key has no candidate:
//
//	/param/Web[one]/port     /param/Web/port
//	/param/Class[ntp]/port   ntp::port
//	ntp::port                /param/Class[ntp]/port
func fallbacks(k Key) []Key {
	if k.Type != "" {
		return nil
	}
	rest, ok := strings.CutPrefix(k.Name, paramPrefix)
	if !ok {
		if i := strings.LastIndex(k.Name, "::"); i > 0 && !strings.HasPrefix(k.Name, "/") {
			return []Key{{Name: paramPrefix + "Class[" + k.Name[:i] + "]/" + k.Name[i+2:]}}
		}
		return nil
	}
	ref, name, ok := strings.Cut(rest, "/")
	component, title, titled := strings.Cut(strings.TrimSuffix(ref, "]"), "[")
	switch {
	case !ok || !titled:
		return nil
	case component == "Class":
		return []Key{{Name: title + "::" + name}}
	}
	return []Key{{Name: paramPrefix + component + "/" + name}}
}

// A pendingRename is an alias, a renaming or a rebinding.
type pendingRename struct {
	op    Op
	where origin
	order int32
}

// rename does aliases, renamings and rebindings in the order of layers and text (spec:
// bindings, section 6.2).
//
//	bind alias old as new       new is what old is; old stays
//	bind renamed old as new     the best old that is not above this; all of these go
//	rebind colour               the value that lower ranks give, at this rank
func (c *composer) rename() {
	var early []earlyAlias
	for _, p := range c.renames {
		c.where, c.order = p.where, p.order
		switch op := p.op.(type) {
		case *Rebind:
			c.rebind(op)
		case *Rename:
			if op.Alias {
				if n := c.alias(op); n != nil {
					early = append(early, earlyAlias{op, n})
				}
			} else {
				c.renamed(op)
			}
		}
	}
	for _, a := range slices.Backward(early) {
		c.aliasAgain(a)
	}
}

// An earlyAlias is an alias of a key that nothing binds before it. A later operation may bind it.
//
//	bind alias b as c
//	bind alias a as b
type earlyAlias struct {
	op *Rename
	n  *Candidate
}

// aliasAgain completes an early alias when all operations are done.
func (c *composer) aliasAgain(a earlyAlias) {
	from := a.op.From.Key()
	bound, err := c.bound(from)
	if err != nil {
		c.fail(err, a.op.At)
		return
	}
	switch others := c.table.entry(from).candidates; {
	case !bound, len(others) == 1 && others[0] == a.n:
		c.missing(a.op.At, from, "make an alias of")
	case len(others) > 0:
		a.n.Type = others[0].Type
	}
}

// missing reports an operation on a key that nothing binds, with a similar name that is bound.
func (c *composer) missing(at source.Span, k Key, verb string) {
	names := func(yield func(string) bool) {
		for known, e := range c.table.entries {
			if known != k && len(e.candidates) > 0 && !yield(known.Name) {
				return
			}
		}
	}
	c.report(source.Errorf(at, source.RebindMissing, "cannot %s %s: nothing binds it", verb, k).DidYouMean(k.Name, names))
}

// alias adds an alias. It returns it if nothing binds yet what it is an alias of.
func (c *composer) alias(op *Rename) (early *Candidate) {
	from, to := op.From.Key(), op.To.Key()
	bound := true
	if c.where.applies() {
		var err error
		if bound, err = c.bound(from); err != nil {
			c.fail(err, op.At)
			return nil
		}
	}
	n := c.candidate(to, op.At, aliasProducer{key: from})
	n.Flags = op.ToFlags & Abstract
	if e := c.table.entries[from]; e != nil && len(e.candidates) > 0 {
		n.Type = e.candidates[0].Type
	}
	c.add(n)
	c.table.entry(to).sort()
	if bound {
		return nil
	}
	return n
}

// renamed moves candidates to another name: the ones that are not above the operation go, and the best of them is
// what the new name is bound to. Higher ones stay, with a warning. Where the condition does not hold, the candidate
// is only listed as refused.
func (c *composer) renamed(op *Rename) {
	from, to := op.From.Key(), op.To.Key()
	if !c.where.applies() {
		c.add(c.candidate(to, op.At, aliasProducer{key: from}))
		return
	}
	rank := c.where.rank()
	e, err := c.asked(from)
	if err != nil {
		c.fail(err, op.At)
		return
	}
	var kept, taken []*Candidate
	for _, n := range e.candidates {
		if n.rank.compare(&rank) > 0 {
			kept = append(kept, n)
		} else {
			taken = append(taken, n)
		}
	}
	if len(taken) > 0 {
		e.candidates = kept
	}
	if len(taken) == 0 {
		c.missing(op.At, from, "rename")
		return
	}
	if len(e.candidates) > 0 {
		c.table.scope.Warn(source.Warnf(op.At, source.RenamedStillBound, "%s is renamed, and a higher layer or condition still binds it", from).Note(e.candidates[0].At, "it is bound here"))
	}
	c.copyOf(c.best(taken), to, op.At, op.ToFlags)
}

// best returns the highest of some candidates: a concrete one if there is one of this rank. Two are a conflict, since
// the one that is taken would depend on the order of text.
func (c *composer) best(candidates []*Candidate) *Candidate {
	top := topOf(candidates)
	if len(top) > 1 {
		c.conflict(top)
	}
	return top[0]
}

// rebind binds a key to the best value below the operation, at the rank of the operation: it lifts the value
// above everything in between.
func (c *composer) rebind(op *Rebind) {
	key := op.Key.Key()
	if !c.where.applies() {
		c.add(c.candidate(key, op.At, aliasProducer{key: key}))
		return
	}
	rank := c.where.rank()
	e, err := c.asked(key)
	if err != nil {
		c.fail(err, op.At)
		return
	}
	lower := slices.IndexFunc(e.candidates, func(n *Candidate) bool { return n.rank.compare(&rank) < 0 })
	if lower < 0 {
		c.missing(op.At, key, "rebind")
		return
	}
	c.copyOf(c.best(e.candidates[lower:]), key, op.At, 0)
}

// copyOf adds a candidate that produces what another one does.
func (c *composer) copyOf(of *Candidate, key Key, at source.Span, flags Flags) {
	n := c.candidate(key, at, nil)
	n.Type, n.options, n.multi = of.Type, of.options, of.multi
	n.Flags = of.Flags & (Optional | Abstract)
	if of.producer != nil {
		n.producer = copiedProducer{of}
	}
	if flags&Abstract != 0 {
		n.Flags, n.producer = Abstract, nil
	}
	c.add(n)
	c.table.entry(key).sort()
}
