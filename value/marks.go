package value

// DeepMarks returns the marks of v and of everything in it. A list or map that is
// reached on several ways is looked at once. The error is that of an item that
// cannot be computed, or of nesting without end.
func DeepMarks(v Value) (Marks, error) {
	w := markWalk{}
	err := w.visit(v, 0)
	return w.found, err
}

const allMarks = Sensitive | Secret

type markWalk struct {
	found   Marks
	visited Visited
}

func (w *markWalk) visit(v Value, depth int) error {
	w.found |= v.marks
	if w.found == allMarks || v.kind != ListKind && v.kind != MapKind {
		return nil
	}
	if depth > maxDepth {
		return errTooDeep
	}
	if !w.visited.Add(v) {
		return nil
	}
	if v.kind == ListKind {
		return w.visitList(v.List(), depth)
	}
	return w.visitMap(v.Map(), depth)
}

func (w *markWalk) visitList(l List, depth int) error {
	for item, err := range Items(l) {
		if err != nil {
			return err
		}
		if err := w.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}

func (w *markWalk) visitMap(m Map, depth int) error {
	for k := range m.Keys() {
		item, _, err := m.Get(k)
		if err != nil {
			return err
		}
		if err := w.visit(item, depth+1); err != nil {
			return err
		}
	}
	return nil
}
