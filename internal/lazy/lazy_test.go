package lazy_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

func TestMakeIsCalledOnce(t *testing.T) {
	var calls atomic.Int32
	v := lazy.Value[int32]{Make: func() int32 { return calls.Add(1) }}
	if n := calls.Load(); n != 0 {
		t.Fatalf("%d calls of Make before the first Get", n)
	}
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			if got := v.Get(); got != 1 {
				t.Errorf("Get() = %d, want the result of the first call", got)
			}
		})
	}
	all.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("%d calls of Make", n)
	}
}

func TestRegexpIsCompiledOnce(t *testing.T) {
	r := lazy.Regexp{Text: "^a+$"}
	if !r.Get().MatchString("aa") || r.Get().MatchString("ab") {
		t.Errorf("%q matches something else", r.Text)
	}
	if first, second := r.Get(), r.Get(); first != second {
		t.Error("Get compiles again")
	}
}

func TestBadRegexpPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("Get returned for a text that is no regular expression")
		}
	}()
	r := lazy.Regexp{Text: "("}
	r.Get()
}

// quoteEscapes is static data: nothing runs when the program starts.
var quoteEscapes = lazy.Value[*strings.Replacer]{Make: func() *strings.Replacer { return strings.NewReplacer(`\`, `\\`, `"`, `\"`) }}

var word = lazy.Regexp{Text: `[a-z]+`}

func ExampleValue() {
	fmt.Println(quoteEscapes.Get().Replace(`a "b"`))
	// Output: a \"b\"
}

func ExampleRegexp() {
	fmt.Println(word.Get().FindAllString("one, two", -1))
	// Output: [one two]
}
