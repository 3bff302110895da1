package schema

import (
	"math"
	"math/big"

	"github.com/yaytpl/yaytpl/value"
)

// typesOf returns the types that a value has: 1 and 1.0 are an integer and a number.
func typesOf(v value.Value) types {
	switch v.Kind() {
	case value.NullKind:
		return isNull
	case value.BoolKind:
		return isBoolean
	case value.IntKind, value.FloatKind:
		if isWhole(v) {
			return isInteger | isNumber
		}
		return isNumber
	case value.ListKind:
		return isArray
	case value.MapKind:
		return isObject
	}
	return isString
}

// isWhole reports whether a number has no fraction.
func isWhole(v value.Value) bool {
	return v.Is(value.IntKind) || v.Float() == math.Trunc(v.Float()) && !math.IsInf(v.Float(), 0)
}

// sign returns -1, 0 or 1.
func sign(v value.Value) int {
	order, err := value.Compare(v, value.Int(0))
	if err != nil {
		return 0
	}
	return order
}

// toInt returns a whole number, at most the greatest int.
func toInt(v value.Value) int {
	if f := rational(v); f != nil && f.Num().IsInt64() {
		return int(f.Num().Int64())
	}
	return math.MaxInt
}

// rational returns a number as the fraction of its decimal spelling: 0.1 is 1/10. It returns nil for
// infinite numbers.
func rational(v value.Value) *big.Rat {
	text, err := value.Text(v.WithoutSource())
	if err != nil {
		return nil
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

// lookup returns the value of a property. Keys that are no texts count by their text.
func lookup(v value.Value, name string) (value.Value, bool, error) {
	m := value.Public(v).Map()
	if v, ok, err := m.Get(value.K(name)); ok || err != nil {
		return v, ok, err
	}
	if name == "" || !spellsScalar(name) {
		return value.Null, false, nil
	}
	for k := range m.Keys() {
		if k.Text == name && k.Kind != value.StringKind {
			return m.Get(k)
		}
	}
	return value.Null, false, nil
}

// spellsScalar reports whether a text may spell a number, a boolean or null.
func spellsScalar(text string) bool {
	switch c := text[0]; {
	case c >= '0' && c <= '9', c == '-', c == '.', c == '+', c == '~':
		return true
	}
	switch text {
	case "true", "false", "null", "True", "False", "None":
		return true
	}
	return false
}

// An allowed is the values of enum or const.
type allowed struct {
	word   string
	values []value.Value
	byHash map[uint64][]value.Value
}

// allow adds values to those that n allows.
func (c *compiler) allow(n *node, word string, values []value.Value) error {
	a := allowed{word, values, make(map[uint64][]value.Value, len(values))}
	for _, v := range values {
		hash, err := value.Hash(v, c.options.Charge)
		if err != nil {
			return err
		}
		a.byHash[hash] = append(a.byHash[hash], v)
	}
	n.sets = append(n.sets, a)
	return nil
}

// allows reports whether the value is one of a.
func (c *checking) allows(a *allowed) (bool, error) {
	if len(a.values) == 1 {
		return c.same(c.v, a.values[0])
	}
	hash, err := value.Hash(c.v, c.schema.charge)
	if err != nil {
		return false, err
	}
	for _, v := range a.byHash[hash] {
		if same, err := c.same(c.v, v); same || err != nil {
			return same, err
		}
	}
	return false, nil
}

// same reports whether two values are equal in JSON: 1 is 1.0, but neither true nor "1".
func (c *checking) same(a, b value.Value) (bool, error) {
	if err := c.schema.charge(4); err != nil {
		return false, err
	}
	if typesOf(a)&typesOf(b) == 0 {
		return false, nil
	}
	switch a.Kind() {
	case value.ListKind:
		x, y := a.List(), b.List()
		if x.Len() != y.Len() {
			return false, nil
		}
		for i := range x.Len() {
			v, err := x.At(i)
			if err != nil {
				return false, err
			}
			w, err := y.At(i)
			if err != nil {
				return false, err
			}
			if ok, err := c.nested(v, w); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	case value.MapKind:
		x, y := value.Public(a).Map(), value.Public(b)
		if x.Len() != y.Map().Len() {
			return false, nil
		}
		for k := range x.Keys() {
			v, _, err := x.Get(k)
			if err != nil {
				return false, err
			}
			w, there, err := lookup(y, k.Text)
			if !there || err != nil {
				return false, err
			}
			if ok, err := c.nested(v, w); !ok || err != nil {
				return false, err
			}
		}
		return true, nil
	}
	return value.EqualCharged(a.WithoutSource(), b.WithoutSource(), c.schema.charge)
}

// nested is same for values inside of others.
func (c *checking) nested(a, b value.Value) (bool, error) {
	if c.depth++; c.depth > maxDepth {
		return false, tooDeep()
	}
	defer func() { c.depth-- }()
	return c.same(a, b)
}

// seenItems are the items of a list so far, by their hash.
type seenItems struct {
	byHash map[uint64][]int
	items  []value.Value
}

// add adds an item and returns the position of an equal one before it, or -1.
func (s *seenItems) add(c *checking, v value.Value) (int, error) {
	if s.byHash == nil {
		s.byHash = map[uint64][]int{}
	}
	hash, err := value.Hash(v, c.schema.charge)
	if err != nil {
		return -1, err
	}
	at := -1
	for _, i := range s.byHash[hash] {
		same, err := c.same(v, s.items[i])
		if err != nil {
			return -1, err
		}
		if same {
			at = i
			break
		}
	}
	s.byHash[hash] = append(s.byHash[hash], len(s.items))
	s.items = append(s.items, v)
	return at, nil
}
