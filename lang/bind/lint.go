package bind

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// Lint returns probable mistakes that are no errors for the facts of this table: warnings, in
// the order of text (spec: bindings, section 12).
func (t *Table) Lint() []*source.Diagnostic {
	l := &linter{table: t}
	list := slices.Collect(maps.Values(t.entries))
	slices.SortFunc(list, func(a, b *entry) int { return cmp.Compare(a.textOrder(), b.textOrder()) })
	for _, e := range list {
		l.shadowedConflict(e)
		l.potentialConflict(e)
		l.dead(e)
		l.boundTwice(e)
	}
	l.caseOnly(list)
	l.unused()
	l.orphans()
	l.mixedLayers()
	return l.found
}

type linter struct {
	table *Table
	found []*source.Diagnostic
}

// warnf adds a warning.
func (l *linter) warnf(at source.Span, code source.Code, format string, args ...any) *source.Diagnostic {
	d := source.Warnf(at, code, format, args...)
	l.found = append(l.found, d)
	return d
}

// textOrder is the position of the first candidate, whether it applies or not.
func (e *entry) textOrder() int32 {
	first := e.order()
	for _, n := range e.refused {
		first = min(first, n.order)
	}
	return first
}

// bindingsOf returns the candidates that are no data of providers.
func bindingsOf(list []*Candidate) []*Candidate {
	return slices.DeleteFunc(slices.Clone(list), func(n *Candidate) bool { return n.Level != nil })
}

// shadowedConflict reports ties below the winner, which a change above would make errors.
func (l *linter) shadowedConflict(e *entry) {
	list := bindingsOf(e.candidates)
	for i := 1; i+1 < len(list); i++ {
		a, b := list[i], list[i+1]
		if a.rank.compare(&b.rank) == 0 && (a.Flags|b.Flags)&Abstract == 0 && a.rank.compare(&list[0].rank) < 0 {
			l.warnf(b.At, source.ShadowedConflict, "%s is bound twice in layer \"%s\" at equal precedence, below the binding that counts", b.Key, l.table.strata[b.rank.layer].name).
				Note(a.At, "first bound here")
			return
		}
	}
}

// maxPairs bounds the comparisons of one key.
const maxPairs = 2000

// potentialConflict reports two bindings of one rank whose conditions can hold together, for
// other facts than these.
func (l *linter) potentialConflict(e *entry) {
	all := bindingsOf(slices.Concat(e.candidates, e.refused))
	slices.SortStableFunc(all, func(a, b *Candidate) int { return int(a.order) - int(b.order) })
	pairs := 0
	for i, a := range all {
		for _, b := range all[i+1:] {
			if pairs++; pairs > maxPairs {
				return
			}
			if a.rank.layer != b.rank.layer || (a.Flags|b.Flags)&Abstract != 0 || a.cond == nil || b.cond == nil || a.cond.holds && b.cond.holds {
				continue
			}
			if first, ok := together(a.cond, b.cond); ok {
				l.warnf(b.At, source.PotentialConflict, "%s is bound twice where %s", b.Key, first).Note(a.At, "the other binding is here")
				return
			}
		}
	}
}

// together returns the tests under which two conditions of equal precedence hold, false if
// they exclude each other.
func together(a, b *branch) (string, bool) {
	for _, x := range a.alternatives {
		for _, y := range b.alternatives {
			if x.vec.compare(&y.vec) != 0 {
				continue
			}
			values, shown := map[string]string{}, map[string]string{}
			ok := true
			for _, t := range slices.Concat(x.tests, y.tests) {
				if v, known := values[t.category]; known && !strings.EqualFold(v, t.value) {
					ok = false
				}
				values[t.category], shown[t.category] = t.value, t.shown
			}
			if !ok {
				continue
			}
			var parts []string
			for _, name := range slices.Sorted(maps.Keys(values)) {
				parts = append(parts, name+" is "+shown[name])
			}
			return strings.Join(parts, " and "), true
		}
	}
	return "", false
}

// dead reports conditional bindings below an unconditional one of a higher layer: no facts
// make them count.
func (l *linter) dead(e *entry) {
	var above *Candidate
	for _, n := range e.candidates {
		if n.cond == nil && n.Level == nil && n.Flags&(Abstract|Optional) == 0 {
			above = n
			break
		}
	}
	if above == nil {
		return
	}
	for _, n := range bindingsOf(slices.Concat(e.candidates, e.refused)) {
		if n.cond != nil && n.rank.layer > above.rank.layer && n.Flags&Abstract == 0 {
			l.warnf(n.At, source.DeadBinding, "this binding of %s never counts: a higher layer binds it without a condition", n.Key).Note(above.At, "the binding that counts is here")
		}
	}
}

// boundTwice reports a key that is bound, and bound again under the name that would be asked if
// it were not.
func (l *linter) boundTwice(e *entry) {
	if len(bindingsOf(e.candidates)) == 0 || strings.HasPrefix(e.key.Name, paramPrefix) {
		return
	}
	for _, other := range fallbacks(e.key) {
		if o := l.table.entries[other]; o != nil && len(o.candidates) > 0 {
			l.warnf(e.candidates[0].At, source.BoundTwice, "%s is bound, and %s too", e.key, other).Note(o.candidates[0].At, "it is bound here")
		}
	}
}

// caseOnly reports names that differ in the case of letters only.
func (l *linter) caseOnly(list []*entry) {
	seen := map[Key]*entry{}
	for _, e := range list {
		own := bindingsOf(e.candidates)
		if len(own) == 0 {
			continue
		}
		folded := Key{e.key.Type, strings.ToLower(e.key.Name)}
		if first := seen[folded]; first != nil {
			l.warnf(own[0].At, source.CaseOnlyDifference, "%s differs from %s in the case of letters only", e.key, first.key).Note(bindingsOf(first.candidates)[0].At, "the other one is here")
			continue
		}
		seen[folded] = e
	}
}

// unused reports sets of the site file that no layer includes.
func (l *linter) unused() {
	for _, s := range l.table.site.Sets {
		if !l.table.used[s] {
			l.warnf(s.At, source.UnusedBindings, "no layer includes the bindings '%s'", s.Name)
		}
	}
}

// orphans reports contributions to an ID that no multibind has, whatever its condition.
func (l *linter) orphans() {
	for _, id := range slices.Sorted(maps.Keys(l.table.contributions)) {
		if id == includedClasses || id == excludedClasses || len(l.table.ids[id]) > 0 {
			continue
		}
		p := l.table.contributions[id][0]
		l.warnf(p.At, source.OrphanContribution, "no multibind has the ID '%s' that this contributes to", id).DidYouMean(id, maps.Keys(l.table.ids))
	}
}

// mixedLayers reports layers that hold sets and levels of Hiera: the levels are above the
// plain bindings of the layer, which seldom is meant.
func (l *linter) mixedLayers() {
	for _, s := range l.table.strata {
		sets, providers := 0, 0
		for _, p := range s.parts {
			if p.Provider != nil {
				providers++
			} else {
				sets++
			}
		}
		if sets > 0 && providers > 0 {
			l.warnf(s.at, source.MixedHieraLayer, "the layer \"%s\" has bindings and a hierarchy of Hiera, whose levels are above its plain bindings", s.name).
				WithHint("give the hierarchy a layer of its own")
		}
	}
}

// Force evaluates all values, and returns their errors.
func (t *Table) Force() []*source.Diagnostic {
	var found []*source.Diagnostic
	list := slices.Collect(maps.Values(t.entries))
	slices.SortFunc(list, func(a, b *entry) int { return cmp.Compare(a.order(), b.order()) })
	add := func(err error) bool {
		found = append(found, source.Findings(err)...)
		return len(found) < source.MaxErrors
	}
	for _, e := range list {
		if e.key.Type == "" && !strings.HasPrefix(e.key.Name, "/") && e.key.Name != "" {
			continue // below, with the providers
		}
		if _, err := t.answer(Answer{Key: KeyPath{Text: e.key.Text()}}, e, Request{}); err != nil && !add(err) {
			return found
		}
	}
	names, err := t.All()
	if err != nil {
		add(err)
		return found
	}
	for _, name := range names {
		k := KeyPath{Text: name, Segments: []Segment{{Text: name}}}
		if _, err := t.Lookup(Request{Keys: []KeyPath{k}}); err != nil && !add(err) {
			return found
		}
	}
	return found
}
