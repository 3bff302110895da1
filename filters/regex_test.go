package filters

import (
	"errors"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

func TestRegexReplaceAsInPython(t *testing.T) {
	tests := []struct{ name, text, pattern, replacement, want string }{
		{"empty matches also behind others", "abxd", "x*", "-", "-a-b--d-"},
		{"groups by number", "user@host", `^(.*)@(.*)$`, `\2/\1`, "host/user"},
		{"group zero", "aé1 b", `\w+`, `<\g<0>>`, "<aé1> <b>"},
		{"dollar before the last line feed", "a\n", "$", "!", "a!\n!"},
		{"flags inside", "a\nb", "(?m)^", ">", ">a\n>b"},
		{"named group", "abc", "(?P<x>b)", `[\g<x>]`, "a[b]c"},
		{"escaped backslash", "a.b.c", `\.`, `\\`, `a\b\c`},
		{"open repetition", "aaa", "a{,2}", "b", "bbb"},
		{"bracket first in a class", "x]y", "[]]", "-", "x-y"},
		{"bracket in a class", "x[y", "[[]", "-", "x-y"},
		{"look-ahead", "foobar", "foo(?=bar)", "_", "_bar"},
		{"back reference", "abab", `(ab)\1`, "x", "x"},
		{"back reference by name", "abab", "(?P<p>ab)(?P=p)", "x", "x"},
		{"group that took no part", "a1", "(a)(b)?1", `\1-\2`, "a-"},
		{"very end", "end\n", `\Z`, "!", "end\n!"},
		{"line feed in the replacement", "tab\there", `\t`, `\n`, "tab\nhere"},
		{"digits of all scripts", "٣ 3", `\d`, "d", "d d"},
		{"named and plain groups count together", "ab", "(?P<n>a)(b)", `\2\1`, "ba"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			args := value.Args{Pos: []value.Value{value.String(tt.pattern), value.String(tt.replacement)}}
			got, err := CallFilter(nil, "regex_replace", value.String(tt.text), args)
			if err != nil || got.Str() != tt.want {
				t.Errorf("%q with %q for %q = %q, %v; want %q", tt.text, tt.replacement, tt.pattern, got.Str(), err, tt.want)
			}
		})
	}
}

// steps is a caller that only counts.
type steps struct {
	Caller
	most, done int
}

func (s *steps) Step(n int) error {
	if s.done += n; s.done > s.most {
		return &value.LimitError{What: "steps", Max: s.most}
	}
	return nil
}

// TestSlowPatternsEnd: one match has a limit of time, and many together one of steps.
func TestSlowPatternsEnd(t *testing.T) {
	const text = `(?=a)(a+)+\b!`
	p, err := compilePattern(patternKey{text: text})
	if err != nil {
		t.Fatal(err)
	}
	p.slow.MatchTimeout = 20 * time.Millisecond
	_, err = p.find(&Ctx{}, strings.Repeat("a", 60), 1)
	if d := (*source.Diagnostic)(nil); !errors.As(err, &d) || d.Code != source.Limit {
		t.Errorf("one match: %v, want a limit", err)
	}
	few := &steps{most: 5_000_000} // a tenth of a second
	hard := value.String(strings.Repeat(strings.Repeat("a", 14)+" a! ", 3_000))
	_, err = CallFilter(&Ctx{Caller: few}, "regex_findall", hard, value.Args{Pos: []value.Value{value.String(text)}})
	if limit := (*value.LimitError)(nil); !errors.As(err, &limit) {
		t.Errorf("many matches: %v after %d steps, want a limit", err, few.done)
	}
}

func TestPatternsAreCompiledOnce(t *testing.T) {
	var cache patternCache
	first, err := cache.compile(patternKey{text: "a+"})
	if err != nil {
		t.Fatal(err)
	}
	if again, _ := cache.compile(patternKey{text: "a+"}); again != first {
		t.Error("the same pattern was compiled again")
	}
	if other, _ := cache.compile(patternKey{text: "a+", ignoreCase: true}); other == first {
		t.Error("a pattern that ignores case is the one that does not")
	}
	for i := range 2 * maxCached {
		if _, err := cache.compile(patternKey{text: "a" + strconv.Itoa(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if len(cache.seen) > maxCached {
		t.Errorf("%d patterns are kept", len(cache.seen))
	}
	runtime.KeepAlive(first)
}

func TestPatternsAreShared(t *testing.T) {
	var cache patternCache
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for i := range 50 {
				p, err := cache.compile(patternKey{text: "(?=a)a{" + strconv.Itoa(i%5) + ",}"})
				if err != nil {
					t.Error(err)
					return
				}
				if found, err := p.find(&Ctx{}, "aaaaa", 1); err != nil || len(found) != 1 {
					t.Errorf("%d matches, %v", len(found), err)
				}
			}
		})
	}
	wait.Wait()
}

func FuzzPattern(f *testing.F) {
	f.Add("(?P<a>x)[]a[]{,2}\\Z$", "xx", "\\1\\g<a>")
	f.Add("(a|b)*?(?=c)", "ababc", "\\\\")
	f.Fuzz(func(t *testing.T, pattern, text, replacement string) {
		if len(pattern) > 20 || len(text) > 20 {
			return
		}
		c := &Ctx{}
		p, err := patterns.compile(patternKey{text: pattern})
		if err != nil {
			return
		}
		matches, err := p.find(c, text, -1)
		if err != nil {
			return
		}
		_, _ = c.substitute(p, text, replacement, matches)
	})
}

func FuzzFormat(f *testing.F) {
	f.Add("{} {0!r:>5} {x[k].y:,.2f} {{}} {:{}}")
	f.Fuzz(func(t *testing.T, format string) {
		c := &Ctx{MaxBytes: 1 << 16}
		_, _ = c.format(value.String(format), value.Args{Pos: []value.Value{value.Int(7), value.Float(1.5), value.String("é")}})
	})
}

func FuzzFromJSON(f *testing.F) {
	f.Add(`{"a": [1, 2.5, "x\u00e9", null, true], "b": {}}`)
	f.Fuzz(func(t *testing.T, text string) {
		v, err := CallFilter(nil, "from_json", value.String(text), value.Args{})
		if err != nil {
			return
		}
		out, err := CallFilter(nil, "to_json", v, value.Args{})
		if err != nil {
			return
		}
		again, err := CallFilter(nil, "from_json", out, value.Args{})
		if err != nil {
			t.Fatalf("%q became %q: %v", text, out.Str(), err)
		}
		if same, _ := value.Equal(v, again); !same {
			t.Errorf("%q became %q", text, out.Str())
		}
	})
}
