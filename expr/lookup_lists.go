package expr

import (
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// lookupUnfurl evaluates each term as an expression of a document, with the options as variables, and returns all
// matches.
func lookupUnfurl(c lookupCall) ([]value.Value, error) {
	s := c.s
	for _, o := range c.options {
		if o.Name != "errors" {
			s = s.With(o.Name, o.Value)
		}
	}
	var all []value.Value
	for _, t := range c.terms {
		m, err := c.evalAny(t, s)
		if err != nil {
			return nil, err
		}
		*c.chosen |= m.chosen
		all = append(all, m.found...)
	}
	return all, nil
}

// lookupVars is Ansible's lookup "vars": the variable of each name. A missing one is the option default, or an error.
func lookupVars(c lookupCall) ([]value.Value, error) {
	return c.each(func(name string) (value.Value, error) {
		if err := c.Step(searchedSteps); err != nil {
			return value.Null, err
		}
		v, err := evalName(&Name{Range{c.at}, name}, c.s)
		if otherwise, ok := c.option("default"); ok && err == nil && v.Is(value.UndefinedKind) {
			return otherwise, nil // without a search for similar names
		}
		if err == nil {
			err = Raise(v)
		}
		var d *source.Diagnostic
		if otherwise, ok := c.option("default"); ok && errors.As(err, &d) && d.Code == source.Undefined {
			return otherwise, nil
		}
		return v, err
	})
}

// searchedSteps is the cost of a name that is compared with a pattern.
const searchedSteps = 32

// lookupVarnames searches the names of the variables, in order of definition: the top-level keys, then
// the variables of the expression, outer ones first.
func lookupVarnames(c lookupCall) ([]value.Value, error) {
	names := slices.Clone(c.s.Env.GlobalNames())
	own := slices.Collect(c.s.varNames())
	slices.Reverse(own)
	seen := map[string]bool{}
	names = slices.DeleteFunc(append(names, own...), func(name string) bool {
		again := seen[name]
		seen[name] = true
		return again
	})
	var all []value.Value
	for _, t := range c.terms {
		pattern, err := c.term(t)
		if err != nil {
			return nil, err
		}
		if err := c.Step(1 + searchedSteps*len(names)); err != nil {
			return nil, located(c.at, source.Limit, err, 0)
		}
		for _, name := range names {
			found, err := c.CallTest("search", value.String(name), value.Args{Pos: []value.Value{value.String(pattern)}})
			if err != nil {
				return nil, err
			}
			if value.Truthy(found) {
				all = append(all, value.String(name).Verbatim())
			}
		}
	}
	return all, nil
}

// filter calls a filter and returns the items of its result.
func (c lookupCall) filter(name string, in value.Value, args value.Args) ([]value.Value, error) {
	v, err := c.CallFilter(name, in, args)
	if err != nil {
		return nil, err
	}
	*c.chosen |= v.Marks()
	return listItems(v)
}

// filterTerms returns the lookup that applies a filter to each term, which must be of a
// kind, and joins the results.
func filterTerms(filter string, kind value.Kind) func(lookupCall) ([]value.Value, error) {
	return func(c lookupCall) ([]value.Value, error) {
		var all []value.Value
		for _, t := range c.terms {
			if !t.Is(kind) {
				return nil, c.errorf(source.BadType, "lookup %q needs %s, not %s", c.name, value.Article(kind), value.Article(t.Kind()))
			}
			items, err := c.filter(filter, t, value.Args{})
			if err != nil {
				return nil, err
			}
			all = append(all, items...)
		}
		return all, nil
	}
}

// filterLists applies a filter of several lists to the terms. A map counts as the list of its keys, any
// other term that is no list as a list of one. Lists among the items of a result are expanded, down to a
// number of levels.
func (c lookupCall) filterLists(filter string, levels int64) ([]value.Value, error) {
	if len(c.terms) == 0 {
		return nil, c.errorf(source.BadValue, "lookup %q needs at least one list", c.name)
	}
	lists := slices.Clone(c.terms)
	for i, t := range lists {
		if t.Is(value.MapKind) {
			var keys []value.Value
			for k := range t.Map().Keys() {
				keys = append(keys, k.Value())
			}
			lists[i] = value.ListOf(keys...).Mark(t.Marks())
		} else if !t.Is(value.ListKind) {
			lists[i] = value.ListOf(t)
		}
	}
	rows, err := c.filter(filter, lists[0], value.Args{Pos: lists[1:]})
	for i, row := range rows {
		if err != nil {
			break
		}
		var items []value.Value
		if items, err = listItems(row); err == nil && slices.ContainsFunc(items, func(v value.Value) bool { return v.Is(value.ListKind) }) {
			items, err = c.flatten(items, value.Int(levels))
			rows[i] = value.ListOf(items...).Mark(row.Marks())
		}
	}
	return rows, err
}

// flatten returns items with the lists among them replaced by their items, down to a
// number of levels; null is all levels.
func (c lookupCall) flatten(items []value.Value, levels value.Value) ([]value.Value, error) {
	return c.filter("flatten", value.ListOf(items...), value.Args{Named: []value.Named{
		{Name: "levels", Value: levels}, {Name: "skip_nulls", Value: value.False},
	}})
}

func lookupList(c lookupCall) ([]value.Value, error) { return c.terms, nil }

func lookupItems(c lookupCall) ([]value.Value, error) { return c.flatten(c.terms, value.Int(1)) }

func lookupFlattened(c lookupCall) ([]value.Value, error) { return c.flatten(c.terms, value.Null) }

func lookupIndexedItems(c lookupCall) ([]value.Value, error) {
	items, err := lookupItems(c)
	for i, v := range items {
		items[i] = value.ListOf(value.Int(int64(i)), v)
	}
	return items, err
}

// lookupNested makes all combinations; the last list changes fastest.
func lookupNested(c lookupCall) ([]value.Value, error) { return c.filterLists("product", 2) }

// lookupTogether puts lists next to each other; short ones are filled up with null.
func lookupTogether(c lookupCall) ([]value.Value, error) { return c.filterLists("zip_longest", 1) }

// pairSteps is the cost of a pair of an item and one of a list in it.
const pairSteps = 32

// lookupSubelements takes a list of maps, or a map of maps, the key of a list in each, which may be a
// path with dots, and the flag skip_missing: as an option or in a map after the key.
func lookupSubelements(c lookupCall) ([]value.Value, error) {
	if len(c.terms) < 2 || len(c.terms) > 3 {
		return nil, c.errorf(source.BadValue, `lookup "subelements" needs a list of maps and a key, and may have {skip_missing: true}`)
	}
	key, err := c.term(c.terms[1])
	if err != nil {
		return nil, err
	}
	skip, err := c.flag(false, "skip_missing")
	if err == nil && len(c.terms) == 3 {
		skip, err = c.subelementsFlags(c.terms[2], skip)
	}
	if err != nil {
		return nil, err
	}
	items, err := c.notSkipped(c.terms[0])
	if err != nil {
		return nil, err
	}
	args := value.Args{Pos: c.terms[1:2], Named: []value.Named{{Name: "skip_missing", Value: value.Bool(skip)}}}
	pairs, err := c.filter("subelements", value.ListOf(items...), args)
	if err != nil {
		return nil, err
	}
	path := strings.Split(key, ".")
	if err := c.Step(pairSteps * len(pairs)); err != nil {
		return nil, err
	}
	for i, v := range pairs {
		pair, err := listItems(v)
		if err != nil || len(pair) != 2 {
			return nil, c.errorf(source.Internal, "subelements gave no pairs")
		}
		if pair[0], err = withoutKey(pair[0], path); err != nil {
			return nil, err
		}
		pairs[i] = value.ListOf(pair...)
	}
	return pairs, nil
}

// subelementsFlags reads the third term of subelements.
func (c lookupCall) subelementsFlags(flags value.Value, skip bool) (bool, error) {
	if !flags.Is(value.MapKind) {
		return false, c.errorf(source.BadType, `the third term of lookup "subelements" is a map such as {skip_missing: true}, not %s`, value.Article(flags.Kind()))
	}
	for k := range flags.Map().Keys() {
		if err := c.known(k.Text); err != nil {
			return false, err
		}
		v, _, err := flags.Map().Get(k)
		if err != nil {
			return false, err
		}
		if skip, err = c.truth(k.Text, v); err != nil {
			return false, err
		}
	}
	return skip, nil
}

// notSkipped returns the maps of a list or map without those that Ansible marks as skipped.
func (c lookupCall) notSkipped(of value.Value) ([]value.Value, error) {
	var items []value.Value
	var err error
	switch {
	case of.Is(value.ListKind):
		items, err = listItems(of)
	case of.Is(value.MapKind):
		if v, ok, err := of.Map().Get(value.K("skipped")); err != nil || ok && value.Truthy(v) {
			return nil, err
		}
		for k := range of.Map().Keys() {
			v, _, err := of.Map().Get(k)
			if err != nil {
				return nil, err
			}
			items = append(items, v.Mark(of.Marks()))
		}
	default:
		return nil, c.errorf(source.BadType, `lookup "subelements" needs a list or map of maps, not %s`, value.Article(of.Kind()))
	}
	var kept []value.Value
	for _, item := range items {
		if err == nil && !item.Is(value.MapKind) {
			err = c.errorf(source.BadType, `lookup "subelements" needs maps as items, not %s`, value.Article(item.Kind()))
		}
		if err != nil {
			return nil, err
		}
		v, ok, getErr := item.Map().Get(value.K("skipped"))
		if getErr != nil {
			return nil, getErr
		}
		if !ok || v.Is(value.BoolKind) && !v.Bool() {
			kept = append(kept, item)
		}
	}
	return kept, err
}

// withoutKey returns a map without the entry at a path.
func withoutKey(v value.Value, path []string) (value.Value, error) {
	if !v.Is(value.MapKind) || len(path) == 0 {
		return v, nil
	}
	left := value.NewMap(v.Map().Len())
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return v, err
		}
		if k == value.K(path[0]) {
			if len(path) == 1 {
				continue
			}
			if item, err = withoutKey(item, path[1:]); err != nil {
				return v, err
			}
		}
		left.Set(k, item)
	}
	return value.FromMap(left).Mark(v.Marks()), nil
}

func lookupRandomChoice(c lookupCall) ([]value.Value, error) {
	items, err := lookupItems(c)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return []value.Value{items[c.Random()%uint64(len(items))]}, nil
}
