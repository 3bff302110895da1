package bind

import (
	"slices"
	"strings"
)

// resolve returns the entry of a key with the levels of providers, or the entry of a key which is
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

// bound reports whether a binding has the key, and not only data of a provider.
func (e *entry) bound() bool {
	return slices.ContainsFunc(e.candidates, func(n *Candidate) bool { return n.Level == nil })
}

// ask adds the levels of the providers to an entry, once.
func (t *Table) ask(e *entry) error {
	if e.asked {
		return e.broken
	}
	e.asked = true
	t.asking++
	defer func() { t.asking-- }()
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

// defaultEntry returns an entry with the default hierarchies for a key that other levels have,
// nil if none has the key.
func (t *Table) defaultEntry(e *entry) (*entry, error) {
	if !e.inDefaults {
		e.inDefaults = true
		d := &entry{key: e.key, asked: true}
		if err := t.askDefaults(d); err != nil {
			return nil, err
		}
		if d.some() {
			d.sort()
			e.defaults = d
		}
	}
	return e.defaults, nil
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

// IsPublic reports whether a key has a value that is in no encrypted file and that no secret chose.
func (t *Table) IsPublic(name string) bool {
	e, err := t.resolve(Key{Name: name})
	return err == nil && slices.ContainsFunc(e.candidates, func(n *Candidate) bool {
		return n.producer != nil && (n.At.File == nil || !n.At.File.Secret) && (n.Level == nil || n.Level.Marks == 0)
	})
}
