package schema

import (
	"maps"
	"math"
	"math/big"
	"slices"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/value"
)

// Validate calls visit for each violation of the schema in v, until it returns false.
//
// Code: limit; and the errors of the parts of v.
func (s *Schema) Validate(v value.Value, visit func(Violation) bool) error {
	r := run{schema: s}
	_, err := r.check(s.root, v, nil, &sink{visit: visit}, s.evaluated())
	return err
}

// Valid reports whether v satisfies the schema.
func (s *Schema) Valid(v value.Value) (bool, error) {
	r := run{schema: s}
	return r.check(s.root, v, nil, nil, s.evaluated())
}

// A run validates one value.
type run struct {
	schema *Schema
	depth  int
	near   int // candidates of near names so far

	explaining int         // alternatives that are explained, one inside of the other
	scope      []*resource // resources of the nodes around the current one, for $dynamicRef
}

// A location is a place in the value, as a list from the inside out.
type location struct {
	up     *location
	key    value.Key
	hidden bool // the value around it is secret: the key is not shown
}

// path returns the keys that lead to the location. It ends before the first hidden one.
func (l *location) path() value.Path {
	var p value.Path
	for ; l != nil; l = l.up {
		if l.hidden {
			p = p[:0]
		} else {
			p = append(p, l.key)
		}
	}
	slices.Reverse(p)
	return p
}

// at returns the location of a key of v, which is at l.
func (l *location) at(v value.Value, k value.Key) *location {
	return &location{l, k, v.Marks() != 0 || l != nil && l.hidden}
}

// evaluated are the keys or items of a value that a schema has looked at. Nil counts nothing.
type evaluated struct {
	all   bool
	keys  map[string]bool
	items int          // so many from the beginning
	at    map[int]bool // and these
}

func (s *Schema) evaluated() *evaluated {
	if !s.tracks {
		return nil
	}
	return &evaluated{}
}

// key records that a key was looked at.
func (e *evaluated) key(name string) {
	if e == nil {
		return
	}
	if e.keys == nil {
		e.keys = map[string]bool{}
	}
	e.keys[name] = true
}

// add records what another schema has looked at.
func (e *evaluated) add(o *evaluated) {
	if e == nil || o == nil {
		return
	}
	e.all = e.all || o.all
	e.items = max(e.items, o.items)
	for name := range o.keys {
		e.key(name)
	}
	for i := range o.at {
		e.item(i)
	}
}

// item records that an item was looked at.
func (e *evaluated) item(i int) {
	if e == nil {
		return
	}
	if e.at == nil {
		e.at = map[int]bool{}
	}
	e.at[i] = true
}

// check checks v, which is at l, by n. It reports violations to out; if that is nil it ends at the
// first one. It adds the keys and items that n looks at to seen.
func (r *run) check(n *node, v value.Value, l *location, out *sink, seen *evaluated) (bool, error) {
	if out != nil && out.done {
		return false, nil
	}
	if err := r.schema.charge(stepsOfCheck); err != nil {
		return false, err
	}
	if r.depth++; r.depth > maxDepth {
		return false, tooDeep()
	}
	defer func() { r.depth-- }()
	if len(r.scope) == 0 || r.scope[len(r.scope)-1] != n.in {
		r.scope = append(r.scope, n.in)
		defer func() { r.scope = r.scope[:len(r.scope)-1] }()
	}
	if v.Is(value.UndefinedKind) {
		return false, v.Reason()
	}
	if n.never {
		return out.found(n, l, "", notAllowed), nil
	}
	if n.alone {
		return r.check(n.ref.target, v, l, out, seen)
	}
	if n.types != 0 && n.types&typesOf(v) == 0 {
		return out.wrongType(n, l, "type", v, n.types), nil
	}
	var own *evaluated
	if seen != nil {
		own = &evaluated{}
	}
	c := checking{r, n, v, l, out, own, true}
	if err := c.all(); err != nil {
		return false, err
	}
	if c.ok {
		seen.add(own)
	}
	return c.ok, nil
}

// A checking is one value that is checked by one node.
type checking struct {
	*run
	n    *node
	v    value.Value
	l    *location
	out  *sink
	seen *evaluated
	ok   bool
}

// all checks everything that n says. The keywords about what others have evaluated are last.
func (c *checking) all() error {
	if err := c.scalar(); err != nil || c.ended() {
		return err
	}
	if err := c.references(); err != nil || c.ended() {
		return err
	}
	if err := c.choices(); err != nil || c.ended() {
		return err
	}
	if err := c.condition(); err != nil || c.ended() {
		return err
	}
	switch c.v.Kind() {
	case value.ListKind:
		if err := c.list(); err != nil || c.ended() {
			return err
		}
		return c.itemsLeft()
	case value.MapKind:
		if err := c.object(); err != nil || c.ended() {
			return err
		}
		return c.keysLeft()
	}
	return nil
}

// ended reports whether nothing more has to be checked.
func (c *checking) ended() bool { return !c.ok && (c.out == nil || c.out.done) }

// violated reports a violation of a keyword by the value.
func (c *checking) violated(word string, m message) {
	if c.ok = false; c.out != nil {
		c.out.found(c.n, c.l, word, m)
	}
}

// sub checks a value by a node.
func (c *checking) sub(n *node, v value.Value, l *location, seen *evaluated) error {
	ok, err := c.check(n, v, l, c.out, seen)
	c.ok = c.ok && ok
	return err
}

// quiet reports whether a value satisfies a node.
func (c *checking) quiet(n *node, seen *evaluated) (bool, error) {
	return c.check(n, c.v, c.l, nil, seen)
}

// fresh returns a new set of keys and items.
func (c *checking) fresh() *evaluated { return c.schema.evaluated() }

// scalar checks what does not look into lists and maps: enum, const, numbers and texts.
func (c *checking) scalar() error {
	n, v := c.n, c.v
	for i := range n.sets {
		ok, err := c.allows(&n.sets[i])
		if err != nil {
			return err
		}
		if c.ok = c.ok && ok; !ok && c.out != nil {
			c.violated(n.sets[i].word, c.noneOf(n.sets[i].values))
		}
	}
	switch v.Kind() {
	case value.IntKind, value.FloatKind:
		for _, word := range [...]string{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"} {
			limit, ok := n.limits[word]
			if !ok {
				continue
			}
			if outside(word, v, limit) {
				c.violated(word, numberMessage(word, limit))
			}
		}
	case value.StringKind:
		return c.text()
	}
	return nil
}

// text checks a text.
func (c *checking) text() error {
	n, text := c.n, c.v.Str()
	if len(n.limits) == 0 && n.pattern == nil {
		return nil
	}
	if err := c.schema.charge(len(text) / bytesOfStep); err != nil {
		return err
	}
	c.size("minLength", "maxLength", utf8.RuneCountInString(text), "character")
	if n.pattern == nil {
		return nil
	}
	ok, err := n.matches(n.pattern, text, c.schema.charge, value.K("pattern"))
	if err != nil {
		return err
	}
	if !ok {
		c.violated("pattern", message{format: "%s does not match the pattern %s", arg: n.pattern.text})
	}
	return nil
}

// size checks a number of parts.
func (c *checking) size(least, most string, n int, unit string) {
	if limit, ok := c.n.limits[least]; ok && n < toInt(limit) {
		c.violated(least, message{format: "%s has fewer than %s", arg: counted(toInt(limit), unit)})
	}
	if limit, ok := c.n.limits[most]; ok && n > toInt(limit) {
		c.violated(most, message{format: "%s has more than %s", arg: counted(toInt(limit), unit)})
	}
}

// outside reports whether a number violates a keyword.
func outside(word string, v, limit value.Value) bool {
	if word == "multipleOf" {
		x, y := rational(v), rational(limit)
		return x == nil || !new(big.Rat).Quo(x, y).IsInt()
	}
	order, err := value.Compare(v, limit)
	if err != nil || math.IsNaN(v.Float()) { // a NaN is on neither side
		return true
	}
	switch word {
	case "minimum":
		return order < 0
	case "maximum":
		return order > 0
	case "exclusiveMinimum":
		return order <= 0
	}
	return order >= 0
}

// references checks $ref and $dynamicRef.
func (c *checking) references() error {
	if c.n.ref != nil {
		if err := c.sub(c.n.ref.target, c.v, c.l, c.seen); err != nil {
			return err
		}
	}
	if c.n.dynamic == nil {
		return nil
	}
	target := c.n.dynamic.target
	if name := c.n.dynamic.anchor; name != "" {
		for _, res := range c.scope { // the outermost one counts
			if to := res.dynamic[name]; to != nil {
				target = to
				break
			}
		}
	}
	return c.sub(target, c.v, c.l, c.seen)
}

// choices checks allOf, anyOf, oneOf and not.
func (c *checking) choices() error {
	for _, n := range c.n.allOf {
		if err := c.sub(n, c.v, c.l, c.seen); err != nil || c.ended() {
			return err
		}
	}
	if err := c.alternatives("anyOf", c.n.anyOf, len(c.n.anyOf)); err != nil || c.ended() {
		return err
	}
	if err := c.alternatives("oneOf", c.n.oneOf, 1); err != nil || c.ended() {
		return err
	}
	if c.n.not == nil {
		return nil
	}
	ok, err := c.quiet(c.n.not, c.fresh())
	if ok {
		c.violated("not", message{format: "%s is what the schema excludes"})
	}
	return err
}

// alternatives checks that at least one and at most so many nodes are satisfied.
func (c *checking) alternatives(word string, all []*node, most int) error {
	if len(all) == 0 {
		return nil
	}
	satisfied := 0
	for _, n := range all {
		seen := c.fresh()
		ok, err := c.quiet(n, seen)
		if err != nil {
			return err
		}
		if ok {
			c.seen.add(seen)
			if satisfied++; satisfied > most || satisfied == most && most == len(all) || word == "anyOf" && seen == nil {
				break
			}
		}
	}
	switch {
	case satisfied == 0 && c.out != nil:
		c.ok = false
		return c.explainAlternatives(word, all)
	case satisfied == 0:
		c.ok = false
	case satisfied > most:
		c.violated(word, message{format: "%s satisfies several alternatives of the schema, of which only one is allowed"})
	}
	return nil
}

// condition checks if, then and else, and the schemas that keys require.
func (c *checking) condition() error {
	if c.n.when != nil {
		seen := c.fresh()
		ok, err := c.quiet(c.n.when, seen)
		if err != nil {
			return err
		}
		next := c.n.otherwise
		if ok {
			c.seen.add(seen)
			next = c.n.then
		}
		if next != nil {
			if err := c.sub(next, c.v, c.l, c.seen); err != nil {
				return err
			}
		}
	}
	if c.n.demanded == nil || !c.v.Is(value.MapKind) {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(c.n.demanded)) {
		_, there, err := lookup(c.v, key)
		if err != nil {
			return err
		}
		if there {
			if err := c.sub(c.n.demanded[key], c.v, c.l, c.seen); err != nil {
				return err
			}
		}
	}
	return nil
}
