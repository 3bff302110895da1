package yay

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// parts reads a text with expressions between braces.
func parts(t testing.TB, text string) []Part {
	t.Helper()
	var out []Part
	for text != "" {
		before, rest, ok := strings.Cut(text, "{")
		if before != "" {
			out = append(out, Part{Text: before})
		}
		if !ok {
			break
		}
		inside, after, _ := strings.Cut(rest, "}")
		out = append(out, Part{Node: parsed(t, inside)})
		text = after
	}
	return out
}

func TestJoinText(t *testing.T) {
	for text, want := range map[string]string{
		"v{spelt}":                  "v1.50",
		"x{padded}":                 "x007",
		"v{spelt + 0}":              "v1.5",
		"{n}{n}":                    "44",
		"{8 / 2} {1 / 3}":           "4.0 0.3333333333333333",
		"{yes} {1 == 2}":            "True False",
		"{nothing}":                 "null",
		"{2 ** 70}":                 "1180591620717411303424",
		"{10.0 ** 17} {10.0 ** 15}": "1e+17 1000000000000000.0",
		"hi {who else 'you'}!":      "hi you!",
		"plain":                     "plain",
		"":                          "",
		"{'a' * 0 if 0 else ''}":    "",
		strings.Repeat("{w}-", 50):  strings.Repeat("ab-", 50),
	} {
		v, err := joinText(parts(t, text), newWorld(t))
		if err != nil || v.Str() != want || !v.Is(value.StringKind) || !v.IsVerbatim() || v.Marks() != 0 {
			t.Errorf("%s = %q, %v; want %q", text, v.Str(), err, want)
		}
	}
}

// TestMaskedText: of a text that was joined the secret parts are hidden, no others.
func TestMaskedText(t *testing.T) {
	for text, want := range map[string]string{
		"http://{secret}@x/{pin}":    "http://*****@x/*****",
		"a{'b' + secret + 'c'}d":     "ab*****cd",
		"{upper('b' + secret)}d":     "*****d",
		"{vault.password}":           "*****",
		"{join(['a', secret], '-')}": "a-*****",
		"{join([1, 2], secret)}":     "1*****2",
		"a{sensitive}{secret}":       "<<REDACTED>>",
	} {
		v, err := joinText(parts(t, text), newWorld(t))
		if masked, ok := value.Masked(v); !ok || masked != want || err != nil {
			t.Errorf("%s is shown as %q, %v; want %q", text, masked, err, want)
		}
	}
	w := newWorld(t)
	v, err := joinText(parts(t, "http://{secret}@x"), w)
	if v.Str() != "http://hunter2@x" || err != nil {
		t.Errorf("the text is %q, %v", v.Str(), err)
	}
}

func TestJoinTextFailures(t *testing.T) {
	for text, want := range map[string]failure{
		"a{l}":                       {at: "l", code: source.WrongType, words: []string{"string", "list"}},
		"a{m}":                       {at: "m", code: source.WrongType, words: []string{"string", "mapping"}},
		"a{make}":                    {at: "make", code: source.WrongType, words: []string{"string", "macro"}},
		"{secret}{l}":                {at: "l", code: source.WrongType, words: []string{"string", "list"}},
		"a{nowhere}":                 {at: "nowhere", code: source.NoMatching, words: []string{"nowhere"}},
		"a{join(range(999), '--')}":  {at: "range(999)", code: source.Limit, words: []string{"1000 bytes"}},
		"{2 ** 20000}":               {at: "2 ** 20000", code: source.Limit, words: []string{"digits"}},
		strings.Repeat("{w}", 501):   {at: "w", code: source.Limit, words: []string{"1000 bytes"}},
		strings.Repeat("{n}", 1001):  {at: "n", code: source.Limit, words: []string{"1000 bytes"}},
		strings.Repeat("{pin}", 251): {at: "pin", code: source.Limit, words: []string{"1000 bytes"}},
		strings.Repeat("a", 1001):    {at: "", code: source.Limit, words: []string{"1000 bytes"}},
	} {
		_, err := joinText(parts(t, text), newWorld(t))
		d := source.AsDiagnostic(err, source.Span{}, "")
		if d == nil || d.Code != want.code || d.At.Text() != want.at {
			t.Errorf("%.40s: %v, want %s at %q", text, err, want.code, want.at)
			continue
		}
		for _, word := range want.words {
			if !strings.Contains(d.Message, word) {
				t.Errorf("%.40s: %q lacks %q", text, d.Message, word)
			}
		}
	}
}

// TestTextIsNotExpanded: an "else" does not catch a value that is missing in a text.
func TestTextIsNotExpanded(t *testing.T) {
	_, err := joinText(parts(t, "a{nowhere}"), newWorld(t))
	if err == nil || isMissing(err) {
		t.Errorf("%v is caught", err)
	}
}

func TestConcat(t *testing.T) {
	w := newWorld(t)
	n := &expr.Concat{Parts: []expr.Node{parsed(t, "'1'"), parsed(t, "2"), parsed(t, "spelt")}}
	if v, err := eval(n, w, nil); v.Str() != "121.50" || err != nil {
		t.Errorf("%q, %v", v.Str(), err)
	}
	n.Parts = append(n.Parts, parsed(t, "l"))
	if _, err := eval(n, w, nil); err == nil {
		t.Error("a list is joined")
	}
}

func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "12": "12", "-12": "-12", "+12": "12", "007": "7", "1.5": "1.5", ".5": "0.5", "5.": "5.0", "1e3": "1000.0", "-1.5E-3": "-0.0015", "1e+3": "1000.0",
		"99999999999999999999": "99999999999999999999", "1e999": "inf",
		"": "None", ".": "None", "-": "None", "e5": "None", "1e": "None", "1e+": "None", "1_000": "None", "inf": "None", "nan": "None", "0x1F": "None", " 1": "None", "1 ": "None", "1.2.3": "None", "--1": "None",
	} {
		v, err := parseNumber(text, source.Span{})
		if got, _ := value.Repr(v); got != want || err != nil {
			t.Errorf("%q is %s, %v; want %s", text, got, err, want)
		}
	}
}

func TestTruth(t *testing.T) {
	for _, c := range []struct {
		v    value.Value
		want bool
	}{
		{value.Int(0), false}, {value.Int(2), true}, {value.Float(0), false}, {value.Float(0.1), true}, {value.String(""), false}, {value.String("0"), true}, {value.String("false"), true},
		{value.True, true}, {value.False, false}, {value.Null, false},
	} {
		if got, err := truth(c.v, source.Span{}); got != c.want || err != nil {
			t.Errorf("%v is %v, %v", describe(c.v), got, err)
		}
	}
	for _, v := range []value.Value{list(), mapping(), value.FromFunc(&value.Func{})} {
		if _, err := truth(v, source.Span{}); err == nil {
			t.Errorf("%s has a truth", describe(v))
		}
	}
}
