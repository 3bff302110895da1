package yay

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// FuzzEval evaluates any expression completely: it ends in a value or in an error with
// a place, within the limits, and nothing secret loses its mark or gets into a message.
func FuzzEval(f *testing.F) {
	for _, text := range []string{
		"n + 1 if l[0] > 3 else m.port", "[x * y for x in range(9) for y in l if x % 2]", "{k: m[k] for k in m}", "nowhere else m['nil'] else 'x' + secret",
		"replace(secret, 'h', w)", "sub('(a)', '\\\\1b', w)[0]", "sorted(words)[::-1][1:]", "min(1, 2.5, yes)", "make(a=secret, b=[n])", "2 ** 70 // 3 << 2 & ~1",
		"join(split(secret, 'n'), pin)", "self_list == self_map", "ring", "loop_sum else 1", "vault.password in 'x'", "sum([i ** 2 for i in range(10)]) / 0", "-'3' - +'4e1'",
		"'x' if not (nothing or empty) and n else dangling_items[0]", "range(0, 10 ** 9, 10 ** 8)[3]", "int(float('1.5')) % -2", "1, 2, [3, ()]", "numbered['80'] not in words", "keys(vault)[0]",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parseText(text)
		if err != nil {
			return
		}
		w := newWorld(t)
		v, err := eval(n, w, nil)
		if err == nil {
			err = checkMarks(t, text, v, 0)
		}
		if w.depth != 0 || w.steps > w.maxSteps+1_000_000 {
			t.Errorf("%s: depth %d, %d steps", text, w.depth, w.steps)
		}
		if err != nil {
			checkMessage(t, text, err)
		}
	})
}

// checkMarks looks at everything in v. Marks of a list or mapping are those of its
// items, too.
func checkMarks(t *testing.T, text string, v value.Value, marks value.Marks) error {
	marks |= v.Marks()
	if v.Is(value.StringKind) && strings.Contains(v.Str(), "hunter2") && marks&value.Secret == 0 && !strings.Contains(text, "hunter") {
		t.Errorf("%s: %q is not secret", text, v.Str())
	}
	switch v.Kind() {
	case value.ListKind:
		for i := range min(v.List().Len(), 100) {
			item, err := v.List().At(i)
			if err == nil {
				err = checkMarks(t, text, item, marks)
			}
			if err != nil {
				return err
			}
		}
	case value.MapKind:
		for k := range v.Map().Keys() {
			item, _, err := v.Map().Get(k)
			if err == nil {
				err = checkMarks(t, text, item, marks)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func checkMessage(t *testing.T, text string, err error) {
	d, ok := err.(*source.Diagnostic)
	if !ok || d.At.IsZero() || d.Code == "" || d.Code == source.Internal {
		t.Errorf("%s: %#v", text, err)
		return
	}
	if strings.Contains(d.Message+d.Hint, "hunter2") && !strings.Contains(text, "hunter") {
		t.Errorf("%s: %q (%s)", text, d.Message, d.Hint)
	}
}
