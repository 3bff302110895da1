package value

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
)

var errNoItem = errors.New("the item fails")

// A failing is a list and a map whose second item or entry cannot be computed, and whose
// third entry has no value.
type failing struct{}

func (failing) Len() int { return 3 }

func (failing) At(i int) (Value, error) {
	if i == 1 {
		return Null, errNoItem
	}
	return Int(int64(i)), nil
}

func (failing) Keys() iter.Seq[Key] { return slices.Values([]Key{K("a"), K("b"), K("c")}) }

func (failing) Get(k Key) (Value, bool, error) {
	v, err := failing{}.At(int(k.Text[0] - 'a'))
	return v, k.Text != "c", err
}

func nested(depth int) Value {
	v := Int(1)
	for range depth {
		v = ListOf(v)
	}
	return v
}

// document is {a: [1, [2]], b: 'x'} whose outer list is secret.
func document() Value {
	m := NewMap(2)
	m.Set(K("a"), ListOf(Int(1), ListOf(Int(2))).Mark(Secret))
	m.Set(K("b"), String("x"))
	return FromMap(m)
}

func TestWalk(t *testing.T) {
	var seen []string
	visit := func(at Position, v Value, err error) error {
		text, _ := Repr(v)
		if at.Marks != 0 {
			text += "*"
		}
		seen = append(seen, strings.Repeat("-", at.Depth)+Path{at.Key}.String()+" "+text)
		return err
	}
	if err := Walk(document(), visit); err != nil {
		t.Fatal(err)
	}
	want := "\"\" {'a': [1, [2]], 'b': 'x'}|-a [1, [2]]|--\"\" 1*|--\"\" [2]*|---\"\" 2*|-b 'x'"
	if got := strings.Join(seen, "|"); got != want {
		t.Errorf("visited\n%s, want\n%s", got, want)
	}
}

func TestWalkSkips(t *testing.T) {
	for _, c := range []struct {
		rule string
		skip error
		want int
	}{{"inside", SkipInside, 3}, {"all", SkipAll, 2}} {
		visits := 0
		err := Walk(document(), func(_ Position, v Value, _ error) error {
			if visits++; v.Is(ListKind) {
				return c.skip
			}
			return nil
		})
		if err != nil || visits != c.want {
			t.Errorf("skip %s: %d visits and %v, want %d", c.rule, visits, err, c.want)
		}
	}
}

func TestWalkFailures(t *testing.T) {
	for _, v := range []Value{FromList(failing{}), FromMap(failing{})} {
		stop := func(_ Position, _ Value, err error) error { return err }
		if err := Walk(v, stop); err != errNoItem {
			t.Errorf("a %s that fails: %v", v.Kind(), err)
		}
		visits, failures := 0, 0
		goOn := func(_ Position, _ Value, err error) error {
			visits++
			if err != nil {
				failures++
			}
			return nil
		}
		want := map[Kind]int{ListKind: 4, MapKind: 3}[v.Kind()]
		if err := Walk(v, goOn); err != nil || visits != want || failures != 1 {
			t.Errorf("a %s that fails: %d visits, %d failures and %v", v.Kind(), visits, failures, err)
		}
		if _, err := Plain(v); err != errNoItem {
			t.Errorf("Plain of a %s that fails: %v", v.Kind(), err)
		}
		if marks, err := DeepMarks(ListOf(v, Int(1).Mark(Secret))); err != errNoItem || marks != Secret {
			t.Errorf("DeepMarks of a %s that fails and a secret: %d and %v", v.Kind(), marks, err)
		}
	}
}

func TestWalkIsBounded(t *testing.T) {
	if _, err := Plain(nested(MaxNesting)); err != nil {
		t.Errorf("Plain: %v", err)
	}
	if _, err := Plain(nested(MaxNesting + 2)); err != errTooDeep {
		t.Errorf("Plain: %v", err)
	}
	if _, err := DeepMarks(nested(MaxNesting + 2)); err != errTooDeep {
		t.Errorf("DeepMarks: %v", err)
	}
	around := 0
	err := Walk(nested(MaxNesting+10), func(at Position, v Value, err error) error {
		if err == errTooDeep {
			return nil
		}
		around++
		return err
	})
	if err != nil || around != MaxNesting+1 {
		t.Errorf("%d visits and %v", around, err)
	}
}

// The message of errTooDeep is a constant, so it has the number as a text.
func TestTooDeepNamesTheLimit(t *testing.T) {
	if want := fmt.Sprintf(" %d deep", MaxNesting); !strings.HasSuffix(errTooDeep.Error(), want) {
		t.Errorf("%q does not end in %q", errTooDeep.Error(), want)
	}
}

func TestRewrite(t *testing.T) {
	for _, c := range []struct {
		rule  string
		v     Value
		visit func(at Position, v Value, err error) (Value, error)
		want  string
	}{
		{"what visit returns is rewritten", document(), func(_ Position, v Value, err error) (Value, error) {
			if i, ok := v.Int(); ok && i == 2 {
				return ListOf(Int(3)), err
			}
			return v, err
		}, "{'a': [1, [[3]]], 'b': 'x'}"},
		{"skip inside", document(), func(_ Position, v Value, err error) (Value, error) {
			if v.Is(ListKind) {
				return String("list"), SkipInside
			}
			return v, err
		}, "{'a': 'list', 'b': 'x'}"},
		{"drop", document(), func(at Position, v Value, err error) (Value, error) {
			if at.Key == K("b") || v.Is(IntKind) {
				return v, Drop
			}
			return v, err
		}, "{'a': [[]]}"},
		{"drop all", document(), func(Position, Value, error) (Value, error) { return Null, Drop }, "None"},
		{"drop what fails", ListOf(FromList(failing{}), FromMap(failing{})), func(_ Position, v Value, err error) (Value, error) {
			if err != nil {
				return v, Drop
			}
			return v, nil
		}, "[[0, 2], {'a': 0}]"},
		{"replace what fails", FromList(failing{}), func(_ Position, v Value, err error) (Value, error) {
			if err != nil {
				return String("?"), SkipInside
			}
			return v, nil
		}, "[0, '?', 2]"},
	} {
		v, err := Rewrite(c.v, c.visit)
		if got, _ := Repr(v); err != nil || got != c.want {
			t.Errorf("%s: %s and %v, want %s", c.rule, got, err, c.want)
		}
	}
}

func TestRewriteKeepsMarks(t *testing.T) {
	v, err := Plain(document().Verbatim())
	if err != nil || !v.IsVerbatim() {
		t.Errorf("verbatim %v and %v", v.IsVerbatim(), err)
	}
	list, _, _ := v.Map().Get(K("a"))
	if item, _ := list.List().At(0); list.Marks() != Secret || item.Marks() != 0 {
		t.Errorf("the list has marks %d, its item %d", list.Marks(), item.Marks())
	}
}

func TestDeepMarks(t *testing.T) {
	shared := ListOf(Int(1).Mark(Sensitive))
	for range 60 {
		shared = ListOf(shared, shared)
	}
	for _, c := range []struct {
		rule string
		v    Value
		want Marks
	}{
		{"of a scalar", Int(1).Mark(Secret), Secret},
		{"of what is inside", document(), Secret},
		{"of lists that hold each other", shared, Sensitive},
		{"both end the search", ListOf(Int(1).Mark(Secret|Sensitive), FromList(failing{})), Secret | Sensitive},
	} {
		if got, err := DeepMarks(c.v); got != c.want || err != nil {
			t.Errorf("%s: %d and %v, want %d", c.rule, got, err, c.want)
		}
	}
}

func BenchmarkDeepMarks(b *testing.B) {
	items := make(Slice, 1000)
	for i := range items {
		items[i] = document()
	}
	b.ReportAllocs()
	for range b.N {
		if _, err := DeepMarks(FromList(items)); err != nil {
			b.Fatal(err)
		}
	}
}

func TestFirstMarked(t *testing.T) {
	pw := String("x").Mark(Sensitive)
	m := NewMap(2)
	m.Set(K("a"), ListOf(Int(1), pw))
	for _, tt := range []struct {
		v    Value
		path string
		more bool
	}{
		{ListOf(Int(1), String("x").Mark(Secret)), ".", false},
		{pw, ".", false},
		{FromMap(m), "a[1]", false},
		{ListOf(FromMap(m), pw), "[0].a[1]", true},
		{ListOf(ListOf(pw).Mark(Sensitive), Int(1)), "[0]", false},
	} {
		if path, more := FirstMarked(tt.v, Sensitive); path.String() != tt.path || more != tt.more {
			t.Errorf("FirstMarked(%v) = %s, %v, want %s, %v", tt.v, path, more, tt.path, tt.more)
		}
	}
}

// changing is a list that may change.
type changing struct{ Slice }

func (changing) CallMethod(string, Args) (Value, bool, error) { return Null, false, nil }

func TestMarkMemoKeepsWhatDoesNotChange(t *testing.T) {
	items := make([]Value, memoSteps)
	for i := range items {
		items[i] = Int(int64(i))
	}
	inner := changing{Slice{Int(1)}}
	for _, c := range []struct {
		last  Value
		walks int
	}{{Int(1).Mark(Secret), 1}, {FromList(inner), 2}} {
		items[memoSteps-1] = c.last
		v, walks := ListOf(items...), 0
		var m MarkMemo
		for range 2 {
			charged := false
			marks, err := m.DeepMarks(v, func(int) error { charged = true; return nil })
			if want := c.last.Marks(); marks != want || err != nil {
				t.Errorf("%v: marks %v, %v", c.last.Kind(), marks, err)
			}
			if charged {
				walks++
			}
		}
		if walks != c.walks {
			t.Errorf("%v: %d walks, want %d", c.last.Kind(), walks, c.walks)
		}
	}
}
