package value

// Plain returns v with every list and map in it worked out: the result is
// independent of where v came from.
func Plain(v Value) (Value, error) { return plain(v, 0) }

func plain(v Value, depth int) (Value, error) {
	if depth > maxDepth {
		return Null, errTooDeep
	}
	switch v.kind {
	case ListKind:
		items := make(Slice, 0, v.List().Len())
		for item, err := range Items(v.List()) {
			if err == nil {
				item, err = plain(item, depth+1)
			}
			if err != nil {
				return Null, err
			}
			items = append(items, item)
		}
		return v.with(FromList(items)), nil
	case MapKind:
		m := NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, ok, err := v.Map().Get(k)
			if err == nil && ok {
				item, err = plain(item, depth+1)
			}
			if err != nil {
				return Null, err
			}
			if ok {
				m.Set(k, item)
			}
		}
		return v.with(FromMap(m)), nil
	}
	return v, nil
}

// with returns w with the marks of v.
func (v Value) with(w Value) Value {
	w.marks, w.lit = v.marks, v.lit
	return w
}
