package graph

// A shape says what the layers of a cell come to, before anything is evaluated.
type shape uint8

const (
	absentShape  shape = iota // nothing
	deletedShape              // a deletion that found nothing to delete yet
	nullShape
	nulledShape // a null that found nothing to hide yet
	scalarShape
	computedShape
	mapShape
	listShape
)

func (s shape) article() string {
	return [...]string{"nothing", "a deletion", "null", "null", "a scalar", "a computed value", "a map", "a list"}[s]
}

// yay says what a shape is in the words of Yay.
func (s shape) yay() string {
	if s == mapShape {
		return "a mapping"
	}
	return s.article()
}
