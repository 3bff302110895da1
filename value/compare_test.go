package value

import (
	"strings"
	"testing"
)

// endless is a list that contains itself, as a list of a configuration can.
type endless struct{}

func (endless) Len() int              { return 1 }
func (endless) At(int) (Value, error) { return FromList(endless{}), nil }

func TestEqualOfValuesWithoutEnd(t *testing.T) {
	_, err := Equal(FromList(endless{}), FromList(endless{}))
	if err == nil || !strings.Contains(err.Error(), "nested more than") {
		t.Errorf("Equal of a list in itself: error %v", err)
	}
}

func TestEqualOfSharedLists(t *testing.T) {
	shared := func() Value {
		v := Int(1)
		for range 40 {
			v = ListOf(v, v)
		}
		return v
	}
	_, err := Equal(shared(), shared())
	if err == nil || !strings.Contains(err.Error(), "steps") {
		t.Errorf("Equal of shared lists: error %v", err)
	}
}

func TestReprOfSharedListsIsBounded(t *testing.T) {
	v := String(strings.Repeat("x", 1000))
	for range 40 {
		v = ListOf(v, v)
	}
	if _, err := Repr(v); err == nil {
		t.Error("Repr of 2^40 texts gives no error")
	}
}
