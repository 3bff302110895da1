package bind

import (
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Merging by sources
//
// A key may have values in bindings, and in several levels of a hierarchy, each of which may be several files. With
// the strategy unique and
//
//	bindings                    [a]
//	hiera  nodes/x.yaml         b
//	       common: one.yaml     [b, c]
//	       common: two.yaml     [c]
//
// Puppet first joins the files of the level common, [b, c], then the levels of the hierarchy, [b, c], and last what
// bindings and hierarchies have, [a, b, c]. For most data one fold over all values gives the same. It differs
// where a strategy changes a single value: unique makes a list of it, but only where there could have
// been several sources. A [nest] has the three lists, and closes a list when the next candidate is of another
// level or provider.

// merged folds the values of all candidates: first the values of one level, then the levels of one
// provider, then providers and bindings. Puppet does the same, one strategy inside of the
// other, which differs where a strategy changes a single value: unique makes a list of it.
func (t *Table) merged(a Answer, e *entry) (Answer, error) {
	f := nest{t: t, a: a}
	for _, n := range e.candidates {
		v, given, err := t.checked(e, n)
		if err != nil {
			return a, err
		}
		if !given {
			continue
		}
		if last := f.last; last != nil && last.Level == nil && n.Level == nil && last.rank.compare(&n.rank) == 0 {
			return a, t.conflict(last, n) // only the order of text puts one above the other
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
	if err := t.checkMerged(e, f.first, a.Value); err != nil {
		return a, err
	}
	a.Type, err = types.Infer(a.Value)
	return a, err
}

// checkMerged checks the result of a merge against the types of lists and maps that are declared for the key. Each
// source was checked against the types below it only, but a lower source adds to the result, to which a type above
// it applies as well. Types of scalars do not count: unique makes lists of these.
func (t *Table) checkMerged(e *entry, first *Candidate, v value.Value) error {
	for _, n := range e.candidates {
		if n.Type == nil || n.Type.Kind != types.Array && n.Type.Kind != types.Hash {
			continue
		}
		if err := types.Check(n.Type, v, t.config.Budget.Step); err != nil {
			return t.mismatch(err, first, n.At, "what is merged for "+n.Key.String())
		}
	}
	return nil
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

// close folds the values of the last level, and with all these the values of its provider.
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

// size returns the number of locations of the level of a candidate, and of the levels of
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
		if n.state == done && n.val.Kind() == v.Kind() {
			return n.At
		}
	}
	return or.At
}

// strategy returns how the values of an entry are merged, nil for the best one: as the
// request says, else as the highest source that has an option. In a default hierarchy only its
// own options count.
func (t *Table) strategy(e *entry, r Request, rule *KeyRule) (*Strategy, source.Span) {
	if r.Merge != nil && !e.fallback {
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

// A foundRule is the result of finding the options of a key.
type foundRule struct {
	rule   *KeyRule
	err    error
	listed int // Table.listed when it was found; 0 is never
}

// rule returns the options of a key in the data of providers, nil if there are none: in the data of
// default hierarchies or in all other. It keeps them until other options are listed, since lookups
// while options are being read find none.
func (t *Table) rule(e *entry, fallback bool) (*KeyRule, error) {
	if len(t.providers) == 0 || len(e.levels) == 0 {
		return nil, nil
	}
	kept := &e.rule
	if fallback {
		kept = &e.defaultRule
	}
	if kept.listed == 0 || kept.listed != t.listed {
		t.asking++
		find := t.findRule
		if fallback {
			find = t.findDefaultRule
		}
		rule, err := find(e.key.Name)
		t.asking--
		*kept = foundRule{rule, err, t.listed}
	}
	return kept.rule, kept.err
}

// findDefaultRule returns the options of a key in the data of default hierarchies.
func (t *Table) findDefaultRule(name string) (*KeyRule, error) {
	for _, p := range t.providers {
		if !p.provider.Owns(name) {
			continue
		}
		rules, ok := t.fallback[p.provider]
		if !ok {
			var err error
			if rules, err = p.provider.Rules(t.scope, true); err != nil {
				return nil, err
			}
			t.fallback[p.provider] = rules
			t.listed++
		}
		if r, err := ruleFor(rules, name, t.config.Budget.Step); r != nil || err != nil {
			return r, err
		}
	}
	return nil, nil
}

// findRule returns the options of a key in all data but the data of default hierarchies.
func (t *Table) findRule(name string) (*KeyRule, error) {
	module := ""
	if i := strings.Index(name, "::"); i > 0 {
		module = name[:i]
	}
	rules, ok := t.rules[module]
	if !ok {
		for _, p := range slices.Backward(t.providers) {
			if !p.provider.Owns(name) {
				continue
			}
			own, err := p.provider.Rules(t.scope, false)
			if err != nil {
				return nil, err
			}
			rules = JoinRules(rules, own)
		}
		t.rules[module] = rules
		t.listed++
	}
	return ruleFor(rules, name, t.config.Budget.Step)
}

// quotable returns the place of an answer: in a hidden file, whose text no message quotes, if the
// value is secret or the data converts it to Sensitive.
func (t *Table) quotable(a Answer) source.Span {
	at := a.At
	if at.File == nil {
		return at
	}
	marks, _ := value.DeepMarks(a.Value)
	if marks == 0 && a.entry != nil {
		if rule, err := t.rule(a.entry, false); err == nil && rule != nil && rule.Convert != nil && strings.Contains(rule.Convert.String(), types.Sensitive.String()) {
			marks = value.Sensitive
		}
	}
	if marks != 0 {
		at.File = at.File.Hidden()
	}
	return at
}

// converted applies convert_to of the data to a value that a provider gave: to the part that a
// key with dots asks for, as Puppet does. That of default hierarchies has no effect.
func (t *Table) converted(a Answer) (Answer, error) {
	rule, err := t.rule(a.entry, false)
	if err != nil || rule == nil || rule.Convert == nil || !slices.ContainsFunc(a.entry.candidates, func(n *Candidate) bool { return n.Level != nil && n.At == a.At }) {
		return a, err
	}
	return t.convertedBy(rule, a)
}

// convertedBy applies the convert_to of a rule.
func (t *Table) convertedBy(rule *KeyRule, a Answer) (Answer, error) {
	v, err := types.Convert(rule.Convert, a.Value, rule.ConvertArgs, t.config.Budget.Step)
	if limit := (*source.Diagnostic)(nil); errors.As(err, &limit) {
		return a, err
	}
	if err != nil {
		bad := (*types.Error)(nil)
		if errors.As(err, &bad) && bad.Unknown {
			return a, source.Errorf(rule.ConvertAt, source.UnknownType, "%s", bad.Message)
		}
		return a, source.Errorf(t.quotable(a), source.TypeMismatch, "'%s': %s", a.Key.Text, err).Note(rule.ConvertAt, "convert_to is here")
	}
	a.Value = v
	a.Type, err = types.Infer(v)
	return a, err
}
