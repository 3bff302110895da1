package value_test

import (
	"errors"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// TestMisfits has the hints of operations that do not take their values.
func TestMisfits(t *testing.T) {
	failed := func(_ value.Value, err error) error { return err }
	_, order := value.Compare(value.String("a"), value.Int(1))
	list, text, one := value.ListOf(), value.String("a"), value.Int(1)
	tests := []struct {
		name string
		err  error
		text string
		hint string
	}{
		{"text and number", failed(value.Add(text, one)), "cannot compute a string + an integer", "x ~ y joins texts; the filters int and float make a number of a text"},
		{"text and list", failed(value.Add(list, text)), "cannot compute a list + a string", "[x] is a list with one item"},
		{"null", failed(value.Add(value.Null, one)), "cannot compute null + an integer", "x | default(VALUE, true) replaces null"},
		{"maps", failed(value.Add(value.FromMap(value.NewMap(0)), value.FromMap(value.NewMap(0)))), "cannot compute a map + a map", "x | combine(y) merges maps"},
		{"order", order, "cannot order a string and an integer", "the filters int and float make a number of a text, string a text of a number"},
		{"a list of a text", value.Wants("a list", value.StringKind), "wants a list, got a string", "split(',') makes a list of a text, [x] a list with it"},
		{"a parameter", value.Wants(`an integer for "n"`, value.StringKind), `wants an integer for "n", got a string`, "the filters int and float make a number of a text"},
		{"nothing usual", value.Wants("a number", value.ListKind), "wants a number, got a list", ""},
	}
	for _, tt := range tests {
		var misfit *value.MisfitError
		if !errors.As(tt.err, &misfit) || misfit.Error() != tt.text || misfit.Hint() != tt.hint {
			t.Errorf("%s: %v, hint %q", tt.name, tt.err, misfit.Hint())
		}
	}
}
