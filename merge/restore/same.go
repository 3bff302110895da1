package restore

import "github.com/yaytpl/yaytpl/value"

// same reports whether two values are the same data: see [value.Same].
func same(a, b value.Value) (bool, error) { return value.Same(a, b) }

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
