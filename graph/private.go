package graph

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Values that are not output
//
// A map may say which of its keys are private ([Private]). A private key is a key like any other:
// its cell has layers, and everything that is evaluated sees it. Only a map as a whole has two
// forms. [Cell.AsMap] is the map that templates and expressions see, and its [value.Map] offers the
// other one, without private keys, to everything that prints, compares or stores maps
// ([value.Public]).
//
// Which keys are private is the union over the maps that are visible on the cell, so the answer is
// in their fold: a base brings its private keys along, newer layers add to them, and a map that
// {+%: replace} hides takes its own with it. An example, with private as it is written:
//
//	base.yaml   private: [a], a: 1, b: 2
//	main.yaml   include: base.yaml, private: [b]
//
//	main.yaml is printed as {}; expanded it is {private: [a, b], a: 1, b: 2}.
//
// The directive itself is an entry of its map, under [PrivateKey], with a list that joins older ones
// as a union. So the expanded document has it, edits reach it, and what is evaluated does not see
// it.

// PrivateKey is the key of the directive in an expanded document.
var PrivateKey = value.K("+private")

// A Private says which keys of a map are private, and of the maps that it joins.
type Private struct{ Names []PrivateName }

// A PrivateName is a key, or a pattern of keys as in [path.Match], except that a slash is an
// ordinary character.
type PrivateName struct {
	Text string
	At   source.Span
}

// Check returns an error if the name is not a valid pattern.
func (n PrivateName) Check() error {
	_, err := path.Match(n.Text, "")
	return err
}

// Matches reports whether the key with this text is private.
func (n PrivateName) Matches(key string) bool { return n.Text == key || n.pattern().matches(key) }

// A keyPattern is a name that may match other keys than itself: literal text, then a pattern.
type keyPattern struct{ literal, rest string }

// pattern returns the pattern of a name, the zero pattern for a name without wildcards.
func (n PrivateName) pattern() keyPattern {
	i := strings.IndexAny(n.Text, `*?[\`)
	if i < 0 {
		return keyPattern{}
	}
	return keyPattern{n.Text[:i], flat(n.Text[i:])}
}

func (p keyPattern) matches(key string) bool {
	rest, ok := strings.CutPrefix(key, p.literal)
	if !ok || p.rest == "" {
		return false
	}
	ok, _ = path.Match(p.rest, flat(rest))
	return ok
}

// flat replaces slashes, which path.Match treats specially, by a character that no key has.
func flat(s string) string { return strings.ReplaceAll(s, "/", "\x00") }

// A privacy is the private keys of the map on a cell.
type privacy struct {
	from  []*layer   // the maps with the directive, newest first
	names []*nameSet // their names

	declared bool        // the map has PrivateKey
	seen     []value.Key // the keys for templates, once known
	public   []value.Key // the keys for output, once known
}

// hides reports whether a key is private. steps is the work for this.
func (p *privacy) hides(k value.Key) (hidden bool, steps int) {
	if p == nil {
		return false, 0
	}
	for _, names := range p.names {
		found, n := names.has(k.Text)
		if steps += n; found {
			return true, steps
		}
	}
	return false, steps
}

// add adds the names of a map.
func (p *privacy) add(from *layer, e *Eval) {
	names := from.node.(*Map).Private
	set := e.names[names]
	if set == nil {
		set = newNameSet(names)
		if e.names == nil {
			e.names = map[*Private]*nameSet{}
		}
		e.names[names] = set
	}
	p.from, p.names = append(p.from, from), append(p.names, set)
}

// A nameSet is the names of a [Private], made for lookups.
type nameSet struct {
	exact    map[string]struct{}
	patterns map[string][]keyPattern // by their literal text, which a key begins with
	lengths  []int                   // of these literal texts, each once
	matched  map[string]bool         // whether a key matches a pattern, once known
}

func newNameSet(p *Private) *nameSet {
	s := nameSet{exact: map[string]struct{}{}, patterns: map[string][]keyPattern{}, matched: map[string]bool{}}
	added, lengths := map[keyPattern]bool{}, map[int]bool{}
	for _, n := range p.Names {
		s.exact[n.Text] = struct{}{}
		pattern := n.pattern()
		if pattern.rest == "" || added[pattern] {
			continue
		}
		added[pattern] = true
		s.patterns[pattern.literal] = append(s.patterns[pattern.literal], pattern)
		if size := len(pattern.literal); !lengths[size] {
			lengths[size] = true
			s.lengths = append(s.lengths, size)
		}
	}
	return &s
}

// maxMatched is the number of keys whose result a nameSet remembers.
const maxMatched = 100_000

// has reports whether a key is in the set. steps is the work for this.
func (s *nameSet) has(key string) (found bool, steps int) {
	if _, ok := s.exact[key]; ok || s.lengths == nil {
		return ok, 1
	}
	found, known := s.matched[key]
	if !known {
		found, steps = s.matches(key)
		if len(s.matched) >= maxMatched {
			clear(s.matched)
		}
		s.matched[key] = found
	}
	return found, 1 + steps
}

// matches reports whether a key matches one of the patterns. 3,000 patterns such as "x17-*" take a
// lookup for each length of "x17-"; only patterns with the same literal text are tried one by one.
func (s *nameSet) matches(key string) (ok bool, steps int) {
	for _, n := range s.lengths {
		if n > len(key) {
			continue
		}
		steps++
		for _, pattern := range s.patterns[key[:n]] {
			steps += matchSteps + len(key)/bytesPerStep
			if pattern.matches(key) {
				return true, steps
			}
		}
	}
	return false, steps
}

// matchSteps is the cost of matching a key with a pattern.
const (
	matchSteps   = 8
	bytesPerStep = 16
)

// privacy returns the private keys of the map on c, nil for none.
func (c *Cell) privacy() (*privacy, error) {
	f, err := c.fold() // first, since it may include the first document with private keys
	if err != nil || !c.eval.private {
		return nil, err
	}
	if f.privacy == nil {
		p, err := c.eval.privacyOf(f.maps)
		if err != nil {
			return nil, err
		}
		f.privacy = p
	}
	if f.privacy == noPrivacy {
		return nil, nil
	}
	return f.privacy, nil
}

// noPrivacy is the privacy of a map without private keys.
var noPrivacy = &privacy{}

// privacyOf returns the private keys of maps that are joined, noPrivacy for none.
func (e *Eval) privacyOf(maps []*layer) (*privacy, error) {
	var p privacy
	for _, l := range maps {
		switch n := l.node.(type) {
		case *Map:
			if n.Private != nil {
				p.add(l, e)
				p.declared = true
			}
		case *View:
			m, err := n.Map()
			if err != nil {
				return nil, err
			}
			if lazy, ok := m.(*lazyMap); ok {
				var of *privacy
				err := n.through(lazy.cell(), viewedPrivacy, PrivateKey, func() (err error) { of, err = lazy.cell().privacy(); return err })
				if err != nil {
					return nil, err
				}
				if of != nil {
					for _, from := range of.from {
						p.add(from, e)
					}
				}
			}
		}
	}
	if p.from == nil {
		return noPrivacy, nil
	}
	return &p, nil
}

// seenKeys returns the keys of the map on c that are not directives.
func (c *Cell) seenKeys() ([]value.Key, error) {
	p, err := c.privacy()
	if err != nil {
		return nil, err
	}
	if p == nil || !p.declared {
		return c.keys()
	}
	return c.keysBut(&p.seen, func(k value.Key) (bool, int) { return k == PrivateKey, 1 })
}

// publicKeys returns the keys of the map on c without private ones.
func (c *Cell) publicKeys() ([]value.Key, error) {
	p, err := c.privacy()
	if err != nil {
		return nil, err
	}
	if p == nil {
		return c.keys()
	}
	return c.keysBut(&p.public, func(k value.Key) (bool, int) {
		hidden, steps := p.hides(k)
		return hidden || p.declared && k == PrivateKey, steps
	})
}

// keysBut returns the keys of the map on c without those for which out returns true; out also
// returns its steps. It keeps them in known once the keys of c are known.
func (c *Cell) keysBut(known *[]value.Key, out func(value.Key) (bool, int)) ([]value.Key, error) {
	if *known != nil {
		return *known, nil
	}
	all, err := c.keys()
	if err != nil {
		return nil, err
	}
	keys := make([]value.Key, 0, len(all))
	for _, k := range all {
		hidden, steps := out(k)
		if err := c.eval.Step(steps); err != nil {
			return nil, err
		}
		if !hidden {
			keys = append(keys, k)
		}
	}
	if f, err := c.fold(); err == nil && f.hasKeys {
		*known = keys
	}
	return keys, nil
}

// isSeen reports whether what is evaluated sees a key of the map on c.
func (c *Cell) isSeen(k value.Key) (bool, error) {
	if k != PrivateKey {
		return true, nil
	}
	p, err := c.privacy()
	return p == nil || !p.declared, err
}

// A publicMap is the map on a cell without its private keys.
type publicMap Cell

// Public implements [value.Discreet].
func (m *lazyMap) Public() value.Map {
	if m.cell().plain() != nil {
		return m
	}
	p, err := m.cell().privacy()
	if p == nil || err != nil { // the keys return the error
		return m
	}
	return (*publicMap)(m)
}

func (m *publicMap) cell() *Cell { return (*Cell)(m) }

// Keys yields the keys that are not private.
func (m *publicMap) Keys() iter.Seq[value.Key] { return yieldKeys(m.cell().publicKeys()) }

// yieldKeys yields keys, or value.UnknownKey instead of an error.
func yieldKeys(keys []value.Key, err error) iter.Seq[value.Key] {
	if err != nil {
		keys = []value.Key{value.UnknownKey}
	}
	return slices.Values(keys)
}

// Len returns the number of entries that are not private.
func (m *publicMap) Len() int {
	keys, err := m.cell().publicKeys()
	if err != nil {
		return 1
	}
	return len(keys)
}

// Get returns the value under a key that is not private.
func (m *publicMap) Get(k value.Key) (value.Value, bool, error) {
	p, err := m.cell().privacy()
	if err != nil {
		return value.Null, true, err
	}
	if hidden, steps := p.hides(k); hidden {
		return value.Null, false, m.cell().eval.Step(steps)
	}
	return (*lazyMap)(m).Get(k)
}

// AnnotationAt returns the annotation of the i-th entry that is not private.
func (m *publicMap) AnnotationAt(i int) *value.Annotation {
	keys, err := m.cell().publicKeys()
	return m.cell().annotationAt(keys, err, i)
}

// formMap is the map on a cell with nothing evaluated, and without the directive.
type formMap struct{ *rawMap }

func (m formMap) Keys() iter.Seq[value.Key] { return yieldKeys((*Cell)(m.rawMap).seenKeys()) }

func (m formMap) Len() int {
	keys, _ := (*Cell)(m.rawMap).seenKeys()
	return len(keys)
}
