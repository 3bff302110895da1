package bind

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A multi is what a candidate of a multibind has besides.
type multi struct {
	id string
	op *Multibind
}

// multibind adds the candidate of a multibind: an ordinary one for its key, whose value is
// all that is contributed to its ID.
func (c *composer) multibind(op *Multibind) {
	if op.Type == nil || op.Type.Kind != types.Array && op.Type.Kind != types.Hash {
		c.errorf(op.At, source.MultibindType, "the type of a multibind is Array[...] or Hash[...]")
		return
	}
	id := idOf(op)
	if id == "" {
		c.errorf(op.At, source.MissingKey, "a multibind needs a name, or an ID after \"as\"")
		return
	}
	if c.isReserved(op.Name, op.At) || !c.validCombination(op) {
		return
	}
	n := c.candidate(KeyOf(op.Type, op.Name), op.At, nil)
	n.multi = &multi{id, op}
	n.producer = multiProducer{n.multi}
	n.Type, n.Flags, n.options = op.Type, op.Flags, op.Options
	c.table.ids[id] = append(c.table.ids[id], n)
	if op.In != "" {
		n.Key = Key{Name: op.Name}
		c.contribute(op.In, n)
		return
	}
	if op.Name == "" {
		n.Key = Key{Name: id}
	}
	c.add(n)
}

// The ways in which contributions are joined without a lambda (spec: bindings, section 6.6).
var (
	arrayResolutions = []string{"unique", "flatten"}
	hashResolutions  = []string{"error", "priority", "ignore", "append", "merge", "deep"}
)

// validCombination checks the options of a multibind.
func (c *composer) validCombination(op *Multibind) bool {
	o := op.Options
	if o == nil {
		return true
	}
	want, known := 3, hashResolutions
	if op.Type.Kind == types.Array {
		want, known = 2, arrayResolutions
	}
	if o.Combinator != nil && o.Combinator.Arity() != want {
		c.errorf(op.At, source.BadCombinator, "the lambda that combines contributions to %s has %d parameters, not %d", article(op.Type.Kind), want, o.Combinator.Arity())
		return false
	}
	if o.Resolution != "" && !slices.Contains(known, o.Resolution) {
		c.report(source.Errorf(o.ResolutionAt, source.BadCombinator, "%q does not combine contributions to %s: there are %s", o.Resolution, article(op.Type.Kind), strings.Join(known, ", ")).
			DidYouMean(o.Resolution, slices.Values(known)))
		return false
	}
	return true
}

func article(k types.Kind) string {
	if k == types.Array {
		return "an Array"
	}
	return "a Hash"
}

// multiProducer gives all that is contributed to an ID.
type multiProducer struct{ multi *multi }

func (p multiProducer) constant() (value.Value, bool) { return value.Null, false }

// produce joins the contributions in the order of their ranks. They are evaluated here, so that a table with a
// contribution that fails is an error only for lookups of the multibind.
func (p multiProducer) produce(t *Table, _ *Candidate) (value.Value, error) {
	parts := t.contributions[p.multi.id]
	op := p.multi.op
	var out value.Value
	var err error
	if op.Type.Kind == types.Array {
		out, err = t.array(op, parts)
	} else {
		out, err = t.hash(op, parts)
	}
	if err != nil {
		return value.Null, err
	}
	// Which contributions there are may have been decided by secret facts.
	return out.Mark(t.marksOf(parts) | t.marksOf(t.left[p.multi.id])), nil
}

// array concatenates contributions. One that is a list adds its items.
func (t *Table) array(op *Multibind, parts []*Candidate) (value.Value, error) {
	memo := value.ListOf()
	lambda := op.Options != nil && op.Options.Combinator != nil
	var items []value.Value
	for _, p := range parts {
		v, ok, err := t.contributed(op, p)
		switch {
		case err != nil || !ok:
		case lambda:
			memo, err = op.Options.Combinator.Call(t.scope, memo, v)
		default:
			var added []value.Value
			added, err = t.itemsOf(op, p, v)
			items = append(items, added...)
		}
		if err != nil {
			return value.Null, err
		}
	}
	if lambda {
		return memo, nil
	}
	return t.resolved(op, items)
}

// itemsOf returns the items that a contribution adds to an array: the items of a value that has the type of the array,
// or the value itself.
func (t *Table) itemsOf(op *Multibind, p *Candidate, v value.Value) ([]value.Value, error) {
	added := []value.Value{v}
	if v.Is(value.ListKind) {
		whole, err := types.Holds(op.Type, v, t.config.Budget.Step)
		if err == nil && whole {
			added, err = value.ItemsOf(v.List())
		}
		if err != nil {
			return nil, err
		}
	}
	for _, item := range added {
		if err := t.checkItem(op, p, item); err != nil {
			return nil, err
		}
	}
	return added, t.config.Budget.Step(len(added))
}

// idOf returns the ID to which contributions go: the name, if no ID is given.
func idOf(op *Multibind) string { return cmp.Or(op.ID, op.Name) }

// resolved applies the named way of combining to the items of an array.
func (t *Table) resolved(op *Multibind, items []value.Value) (value.Value, error) {
	out := value.ListOf(items...)
	if op.Options == nil || op.Options.Resolution == "" {
		return out, nil
	}
	f := folder{&Strategy{Kind: Unique}, t.config.Budget.Step}
	if op.Options.Resolution == "unique" {
		set, err := f.union(items, nil)
		return set.list(0), err
	}
	set := union{repeats: true}
	err := f.flatten(&set, out, 0)
	return set.list(0), err
}

// hash joins contributions by their names.
func (t *Table) hash(op *Multibind, parts []*Candidate) (value.Value, error) {
	out := value.NewMap(len(parts))
	first := map[value.Key]*Candidate{}
	lambda := op.Options != nil && op.Options.Combinator != nil
	for _, p := range parts {
		if p.Key.Name == "" {
			return value.Null, source.Errorf(p.At, source.ContributionUnnamed, "a contribution to the Hash '%s' needs a name", idOf(op)).Note(op.At, "the multibind is here")
		}
		v, given, err := t.contributed(op, p)
		if err != nil {
			return value.Null, err
		}
		if !given {
			continue
		}
		k := value.K(p.Key.Name)
		current, ok, err := out.Get(k)
		if err != nil {
			return value.Null, err
		}
		switch {
		case lambda:
			v, err = op.Options.Combinator.Call(t.scope, value.String(p.Key.Name), current, v)
		case !ok:
			err = t.checkItem(op, p, v)
		default:
			v, err = t.again(op, p, first[k], current, v)
		}
		if err != nil {
			return value.Null, err
		}
		if !ok {
			first[k] = p
		}
		out.Set(k, v)
	}
	return value.FromMap(out), nil
}

// contributed returns the value of a contribution, which is of the type that is written there. It reports false for
// an optional one without a value, which gives nothing.
func (t *Table) contributed(op *Multibind, p *Candidate) (v value.Value, ok bool, err error) {
	if v, err = t.value(p); err != nil {
		return v, false, err
	}
	if v.IsNull() {
		if p.Flags&Optional != 0 {
			return v, false, nil
		}
		return v, false, source.Errorf(p.At, source.ProducerEmpty, "the contribution to '%s' has no value", idOf(op)).WithHint("bind to optional VALUE in ID gives nothing then")
	}
	if p.Type != nil {
		if err := types.Check(p.Type, v, t.config.Budget.Step); err != nil {
			return v, false, t.mismatch(err, p, p.At, "contribution to '"+idOf(op)+"'")
		}
	}
	return v, true, nil
}

// checkItem checks the type of a contribution to a Hash. Lists that are joined are checked
// when they are whole.
func (t *Table) checkItem(op *Multibind, p *Candidate, v value.Value) error {
	if op.Options != nil && op.Options.Resolution == "append" {
		return nil
	}
	if err := types.Check(op.Type.Item(), v, t.config.Budget.Step); err != nil {
		return t.mismatch(err, p, op.At, "contribution to '"+idOf(op)+"'")
	}
	return nil
}

// again joins the second contribution of a name with what the higher ones gave.
func (t *Table) again(op *Multibind, p, first *Candidate, current, v value.Value) (value.Value, error) {
	how := "error"
	if op.Options != nil && op.Options.Resolution != "" {
		how = op.Options.Resolution
	}
	f := folder{&Strategy{Kind: Deep}, t.config.Budget.Step}
	var err error
	switch how {
	case "ignore":
		return current, nil
	case "priority":
		if first.rank.compare(&p.rank) > 0 {
			return current, nil
		}
	case "append":
		return value.ListOf(slices.Concat(asList(current), asList(v))...).Mark(current.Marks() | v.Marks()), nil
	case "merge":
		f.Strategy = &Strategy{Kind: Hash}
		v, err = f.hash(current, v)
		return v, t.unmergeable(err, op, p, first)
	case "deep":
		v, err = f.deep(current, v, 0)
		return v, t.unmergeable(err, op, p, first)
	}
	return value.Null, source.Errorf(p.At, source.DuplicateContribution, "'%s' is contributed to '%s' twice", p.Key.Name, idOf(op)).
		Note(first.At, "first contributed here").WithHint("conflict_resolution says how they are joined: %s", strings.Join(hashResolutions[1:], ", "))
}

// unmergeable makes a diagnostic of a [MergeError] of two contributions of one name. Other errors stay.
func (t *Table) unmergeable(err error, op *Multibind, p, first *Candidate) error {
	if bad := (*MergeError)(nil); errors.As(err, &bad) {
		return source.Errorf(p.At, source.MergeType, "'%s' is contributed to '%s' twice: %s", p.Key.Name, idOf(op), bad).Note(first.At, "first contributed here")
	}
	return err
}

// asList returns the items of a list, and another value as the only item.
func asList(v value.Value) []value.Value {
	if !v.Is(value.ListKind) {
		return []value.Value{v}
	}
	items, err := value.ItemsOf(v.List())
	if err != nil {
		return []value.Value{v}
	}
	return items
}

// classes returns the included classes that are not excluded: a class is in if its highest
// include is above its highest exclude (spec: bindings, section 6.5).
func (t *Table) classes() (value.Value, error) {
	excluded := map[string]*Candidate{}
	for _, p := range t.contributions[excludedClasses] {
		names, err := t.classNames(p)
		if err != nil {
			return value.Null, err
		}
		for _, name := range names {
			if excluded[name] == nil {
				excluded[name] = p
			}
		}
	}
	var out []value.Value
	seen := map[string]bool{}
	for _, p := range t.contributions[includedClasses] {
		names, err := t.classNames(p)
		if err != nil {
			return value.Null, err
		}
		for _, name := range names {
			x := excluded[name]
			if seen[name] || x != nil && p.rank.compare(&x.rank) <= 0 {
				continue
			}
			seen[name] = true
			out = append(out, value.String(name))
		}
	}
	return value.ListOf(out...).Mark(t.marksOf(t.contributions[includedClasses]) | t.marksOf(t.left[includedClasses])), nil
}

// classNames returns the names that a contribution to the classes has: a text or a list.
func (t *Table) classNames(p *Candidate) ([]string, error) {
	v, err := t.value(p)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, item := range asList(v) {
		text, ok := plainText(item)
		if !ok {
			return nil, source.Errorf(p.At, source.BadType, "the name of a class is a text, and this is %s", value.Article(item.Kind()))
		}
		if text != "" {
			out = append(out, text)
		}
	}
	return out, nil
}
