package expr

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// secretScope has the secret pw, the number pin and the text url, of which a part is
// secret.
func secretScope(t *testing.T) *Scope {
	pw := value.String("hunter2").Mark(value.Secret)
	url, err := value.Add(value.String("db://"), pw)
	if err != nil {
		t.Fatal(err)
	}
	return newEnv(t, "{}").scope().With("pw", pw).With("pin", value.Int(42).Mark(value.Secret)).With("url", url).
		With("cloud", value.String("swordfish").Mark(value.Sensitive))
}

func TestExpressionsKeepSecretParts(t *testing.T) {
	for text, want := range map[string]string{
		"'a' ~ pw ~ 'b'": "a*****b", "pw ~ 1": "*****1", "url ~ '/x'": "db://*****/x", "1 ~ pin": "1*****", "url + '/x'": "db://*****/x",
		"'<%s>' % url": "<db://*****>", "'<%s:%d>' % (pw, 5)": "<*****:5>", "url": "db://*****", "url or 1": "db://*****",
		"url if true else 1": "db://*****", "url if pw else 1": "*****", "url and url": "*****", "1 ~ [1, pw]": "1*****", "url[0]": "*****", "url[2:4]": "*****",
		"pw": "*****", "pin + 1": "*****", "-pin": "*****", "pin == 42": "*****", "'h' in url": "*****", "url * 2": "*****", "{pw: 1}": "*****",
		"'a' ~ pw ~ cloud": "<<REDACTED>>", "'a' ~ 'b'": "", "url | upper": "*****", "{'k': url}.k": "db://*****", "[url][0]": "db://*****",
		"'a' ~ {pw: 1}": "a*****", "lookup('list', url)": "*****",
	} {
		n, err := ParseJinja(text, Nowhere{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := Eval(n, secretScope(t))
		if masked, _ := value.Masked(v); err != nil || masked != want {
			t.Errorf("%s is shown as %q, %v, want %q", text, masked, err, want)
		}
	}
}

func TestConcatKeepsSecretParts(t *testing.T) {
	for text, want := range map[string]string{
		`{"concat": ["a", {"eval": "$pw"}]}`:                      "a*****",
		`{"concat": ["a", {"eval": "$pin"}, "b"], "sep": "-"}`:    "a-*****-b",
		`{"concat": ["a", "b", "c"], "sep": {"eval": "$pw"}}`:     "a*****b*****c",
		`{"concat": ["a"], "sep": {"eval": "$pw"}}`:               "*****",
		`{"concat": [{"eval": "$url"}, {"eval": "$cloud"}]}`:      "<<REDACTED>>",
		`{"concat": ["a", "b"]}`:                                  "",
		`{"if": {"eval": "$pw"}, "then": {"concat": ["a", "b"]}}`: "*****",
	} {
		n, err := Compile(parseJSON(t, text), source.Span{})
		if err != nil {
			t.Fatal(err)
		}
		v, err := Eval(n, secretScope(t))
		if masked, _ := value.Masked(v); err != nil || masked != want {
			t.Errorf("%s is shown as %q, %v, want %q", text, masked, err, want)
		}
	}
}

// A text from an encrypted file may be a password whatever it looks like.
func TestErrorsInSecretTexts(t *testing.T) {
	for text, want := range map[string]string{
		"hunter2":              "undefined",
		"x.hunter2 + 1":        "undefined",
		"'hunter2' | fail":     "must not be shown",
		"1 | hunter2":          "must not be shown",
		"1 is hunter2":         "must not be shown",
		"'hunter2' hunter2":    "template error",
		"hunter2(":             "template error",
		"{hunter2: 1}.hunter2": "undefined",
	} {
		f := source.NewFile("secret.yaml.gpg", text)
		f.Secret = true
		n, err := ParseJinja(text, At(f.Span(0, len(text))))
		if err == nil {
			var v value.Value
			if v, err = Eval(n, newEnv(t, `{"x": {}}`).scope()); err == nil {
				err = Raise(v)
			}
		}
		if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want an error about %q", text, err, want)
		}
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.At.IsZero() || d.Hint != "" || len(d.Notes) > 0 {
			t.Errorf("%s: %#v has no place, or says more", text, d)
		}
	}
}

func TestConcealLeavesOtherErrors(t *testing.T) {
	secret := &source.File{Name: "s.yaml.gpg", Text: "text", Secret: true}
	for _, err := range []error{
		nil, errors.New("no place"), source.Errorf(source.Span{}, source.BadValue, "no place"),
		source.Errorf(source.NewFile("plain.yaml", "text").Span(0, 1), source.BadValue, "elsewhere"),
		source.Errorf(secret.Span(0, 1), source.Limit, "more than 7 steps"),
	} {
		if got := Conceal(err); got != err {
			t.Errorf("Conceal(%v) = %v", err, got)
		}
	}
}

// An evaluation that was called off is no finding: the command ends with another status.
func TestCancelledEvaluation(t *testing.T) {
	for _, err := range []error{
		located(source.Span{}, source.BadValue, context.Canceled, 0),
		located(source.Span{}, source.Limit, fmt.Errorf("get: %w", context.Canceled), value.Secret),
	} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%v has lost its cause", err)
		}
	}
}

func TestTraceShowsParts(t *testing.T) {
	env := newEnv(t, "{}")
	env.options.Trace = true
	n, err := Compile(parseJSON(t, `{"eval": {"concat": ["a", {"eval": "$pw"}]}}`), source.Span{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Eval(n, NewScope(env, env.root).With("pw", value.String("hunter2").Mark(value.Secret))); err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, w := range env.warnings {
		said = append(said, w.Message)
	}
	if got := strings.Join(said, "; "); got != `trace: the expression "$pw" gives *****; trace: the expression gives a*****` {
		t.Errorf("traces: %s", got)
	}
}

// A read is a list that counts how often its items are asked for.
type read struct{ times int }

func (r *read) Len() int { return 2 }

func (r *read) At(int) (value.Value, error) {
	r.times++
	return value.Int(1), nil
}

// A loop can make many undefined values. Whether the message about one may quote the arguments is asked
// when there is one.
func TestMissingValueDoesNotReadArguments(t *testing.T) {
	c := &caller{s: newEnv(t, "{}").scope()}
	l := &read{}
	v := c.missing(value.Undefined(errors.New("the index is out of range")), value.Int(2), value.Args{Pos: []value.Value{value.FromList(l)}})
	if !v.Is(value.UndefinedKind) || l.times != 0 {
		t.Errorf("%v, after %d reads of items", v, l.times)
	}
	if err := Raise(v); err == nil || l.times != 2 {
		t.Errorf("%v, after %d reads of items", err, l.times)
	}
}
