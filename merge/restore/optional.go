package restore

import "github.com/yaytpl/yaytpl/value"

// An optional is a value that may not be there.
type optional struct {
	v  value.Value
	ok bool
}

var none = optional{}

func some(v value.Value) optional { return optional{v, true} }

func (o optional) isMap() bool  { return o.ok && o.v.Is(value.MapKind) }
func (o optional) isList() bool { return o.ok && o.v.Is(value.ListKind) }

// length returns how many items a list has, 0 for what is none.
func (o optional) length() int {
	if !o.isList() {
		return 0
	}
	return o.v.List().Len()
}

// get returns what a map or list has under a key.
func (o optional) get(k value.Key) (optional, error) {
	switch {
	case o.isMap():
		v, ok, err := o.v.Map().Get(k)
		return optional{v, ok && err == nil}, err
	case o.isList():
		i, ok := indexOf(k)
		if !ok || i < 0 || i >= o.v.List().Len() {
			return none, nil
		}
		v, err := o.v.List().At(i)
		return optional{v, err == nil}, err
	}
	return none, nil
}

// at returns what stands at a path.
func (o optional) at(p value.Path) (optional, error) {
	var err error
	for _, k := range p {
		if o, err = o.get(k); err != nil || !o.ok {
			return none, err
		}
	}
	return o, nil
}

// sameAs reports whether both are the same or neither is there.
func (o optional) sameAs(other optional) (bool, error) {
	if o.ok != other.ok || !o.ok {
		return o.ok == other.ok, nil
	}
	return value.Same(o.v, other.v)
}

func indexOf(k value.Key) (int, bool) {
	n, ok := k.Value().Int()
	return int(n), ok
}

// itemsOf returns the items of a list.
func itemsOf(l value.List) ([]value.Value, error) {
	items := make([]value.Value, 0, l.Len())
	for item, err := range value.Items(l) {
		if err != nil {
			return nil, err
		}
		items = append(items, item)
	}
	return items, nil
}
