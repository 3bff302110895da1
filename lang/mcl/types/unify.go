package types

import (
	"github.com/yaytpl/yaytpl/source"
)

// A Unifier joins types until they are equal (spec: mcl, section 7). It is Huet's variant of
// unification: types with parts are joined as well as undecided ones, so that parts which occur many
// times are compared once, and a check that no type contains itself follows.
//
//	[]?1 with []int           ?1 becomes int
//	func(?1) ?1 with func(int) str   ?1 becomes int, then int meets str: a Conflict
//
// The zero Unifier is ready to use.
type Unifier struct {
	// Ready are the waiters of types that were decided, in the order of the decisions. The
	// caller takes them out.
	Ready []any

	walk  int32
	depth int
}

// A Conflict is the error of two types that cannot be equal. Have and Want are the parts that differ;
// they are the arguments themselves if these differ as a whole.
type Conflict struct {
	Want, Have *Type

	// Endless says that Want would contain itself: it is a part of Have.
	Endless bool

	// Depth says that a type is nested too deeply.
	Depth bool
}

// Error names both types.
func (c *Conflict) Error() string {
	switch {
	case c.Depth:
		return "a type is nested too deeply"
	case c.Endless:
		return "the type " + c.Have.String() + " would contain itself"
	}
	return "expected " + c.Want.String() + ", found " + c.Have.String()
}

// maxDepth bounds the nesting of types, since a walk through one takes stack.
const maxDepth = 10_000

// Unify makes two types equal. On an error both may be changed in part.
//
// Errors: *[Conflict].
func (u *Unifier) Unify(want, have *Type) error {
	want, have = want.Find(), have.Find()
	if want == have {
		return nil
	}
	if u.depth++; u.depth > maxDepth {
		u.depth--
		return &Conflict{Want: want, Have: have, Depth: true}
	}
	defer func() { u.depth-- }()
	switch {
	case have.Kind == Var:
		return u.decide(have, want)
	case want.Kind == Var:
		return u.decide(want, have)
	case want.Kind == Variant || have.Kind == Variant:
		return nil
	case want.Kind != have.Kind || len(want.Fields) != len(have.Fields):
		return &Conflict{Want: want, Have: have}
	}
	for i := range want.Fields {
		if want.Kind == Struct && want.Fields[i].Name != have.Fields[i].Name {
			return &Conflict{Want: want, Have: have}
		}
	}
	return u.parts(want, have)
}

// parts joins two types of one shape, and then their parts.
func (u *Unifier) parts(want, have *Type) error {
	if want.Elem == nil && len(want.Fields) == 0 {
		return nil // scalars keep their places
	}
	have.link = want
	if want.Key != nil {
		if err := u.Unify(want.Key, have.Key); err != nil {
			return separate(have, err)
		}
	}
	for i := range want.Fields {
		if err := u.Unify(want.Fields[i].Type, have.Fields[i].Type); err != nil {
			return separate(have, err)
		}
	}
	if want.Elem != nil {
		if err := u.Unify(want.Elem, have.Elem); err != nil {
			return separate(have, err)
		}
	}
	return nil
}

// separate undoes the join of a type whose parts differ, so that messages show it as it was.
func separate(t *Type, err error) error {
	t.link = nil
	return err
}

// decide makes an undecided type equal to another one.
func (u *Unifier) decide(v, t *Type) error {
	u.walk++
	if !t.ground {
		switch found, deep := u.occurs(v, t, 0); {
		case deep:
			return &Conflict{Want: v, Have: t, Depth: true}
		case found:
			return &Conflict{Want: v, Have: t, Endless: true}
		}
	}
	v.link = t
	switch {
	case t.Kind == Var:
		t.waiting = append(t.waiting, v.waiting...)
		if t.At.IsZero() {
			t.At = v.At
		}
	default:
		u.Ready = append(u.Ready, v.waiting...)
	}
	v.waiting = nil
	return nil
}

// occurs reports whether v is t or a part of it, or whether t is nested too deeply.
func (u *Unifier) occurs(v, t *Type, depth int) (found, deep bool) {
	t = t.Find()
	if t == v {
		return true, false
	}
	if t.ground || t.seen == u.walk {
		return false, false
	}
	if depth > maxDepth {
		return false, true
	}
	t.seen = u.walk
	t.parts(func(part *Type) bool {
		found, deep = u.occurs(v, part, depth+1)
		return !found && !deep
	})
	return found, deep
}

// Wait appends a waiter to an undecided type: it becomes [Unifier.Ready] when the type is decided.
func (t *Type) Wait(waiter any) {
	t = t.Find()
	t.waiting = append(t.waiting, waiter)
}

// Ground reports whether all parts of t are decided.
func (t *Type) Ground() bool {
	t = t.Find()
	if t.ground {
		return true
	}
	if t.Kind == Var {
		return false
	}
	if t.parts((*Type).Ground) {
		t.ground = true
	}
	return t.ground
}

// Undecided returns the first part of t that is not decided, nil if t is ground.
func (t *Type) Undecided() *Type {
	t = t.Find()
	if t.Ground() {
		return nil
	}
	if t.Kind == Var {
		return t
	}
	var first *Type
	t.parts(func(part *Type) bool {
		first = part.Undecided()
		return first == nil
	})
	return first
}

// A Scheme is the type of a function of the library: its variables may become any types.
type Scheme struct {
	Type *Type
	Vars int // 0 if there are none
}

// Instance returns the type of one use: a copy with new undecided types in place of the variables. The
// place of the use is the place of the result; the parameters, and what is undecided, have none.
func (s *Scheme) Instance(at source.Span) *Type {
	fresh := make([]*Type, s.Vars)
	for i := range fresh {
		fresh[i] = Of(Var, source.Span{})
	}
	use := s.Type
	if s.Vars > 0 {
		use = instance(use, fresh, source.Span{})
	}
	return &Type{Kind: Func, Fields: use.Fields, Elem: instance(s.Type.Elem, fresh, at), ground: use.ground}
}

func instance(t *Type, fresh []*Type, at source.Span) *Type {
	if t.Kind == Var {
		return fresh[t.id]
	}
	c := &Type{Kind: t.Kind, At: at, ground: t.ground}
	if t.Key != nil {
		c.Key = instance(t.Key, fresh, at)
	}
	if t.Elem != nil {
		c.Elem = instance(t.Elem, fresh, at)
	}
	if t.Fields != nil {
		c.Fields = make([]Field, len(t.Fields))
		for i, f := range t.Fields {
			c.Fields[i] = Field{f.Name, instance(f.Type, fresh, at)}
		}
	}
	return c
}
