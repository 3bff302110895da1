package filters

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/testing/long"
	"github.com/yaytpl/yaytpl/value"
)

// A counter is a caller that counts steps and ends the call after a number of them.
type counter struct {
	Caller
	steps, most int
}

func (c *counter) Random() uint64 { return 1 }

func (c *counter) CallFilter(name string, in value.Value, args value.Args) (value.Value, error) {
	return CallFilter(&Ctx{Caller: c}, name, in, args)
}

func (c *counter) CallTest(name string, in value.Value, args value.Args) (value.Value, error) {
	return CallTest(&Ctx{Caller: c}, name, in, args)
}

func (c *counter) Attr(v value.Value, name string) (value.Value, error) { return attribute(v, name) }

func (c *counter) Now() time.Time { return time.Unix(0, 0) }

var errMost = errors.New("too many steps")

func (c *counter) Step(n int) error {
	if c.steps += n; c.steps > c.most {
		return errMost
	}
	return nil
}

// large returns arguments that are large, deep, or small lists that share lists.
func large(n int) map[string]value.Value {
	ints, texts, maps := make([]value.Value, n), make([]value.Value, n), make([]value.Value, n)
	dict := value.NewMap(n)
	for i := range n {
		ints[i] = value.Int(int64(i))
		texts[i] = value.String(fmt.Sprintf("text%d", i))
		m := value.NewMap(2)
		m.Set(value.K("name"), texts[i])
		m.Set(value.K("n"), ints[i])
		maps[i] = value.FromMap(m)
		dict.Set(value.K(texts[i].Str()), ints[i])
	}
	deep, shared := value.ListOf(), value.ListOf(value.Int(1))
	tree := value.FromMap(value.NewMap(0))
	for range 500 {
		deep = value.ListOf(deep)
	}
	for range 40 {
		shared = value.ListOf(shared, shared)
		m := value.NewMap(2)
		m.Set(value.K("l"), tree)
		m.Set(value.K("r"), tree)
		tree = value.FromMap(m)
	}
	big, _ := value.Pow(value.Int(10), value.Int(3*int64(n)))
	return map[string]value.Value{
		"ints": value.ListOf(ints...), "texts": value.ListOf(texts...), "maps": value.ListOf(maps...), "map": value.FromMap(dict),
		"text": value.String(strings.Repeat("a b,c\n", n)), "deep": deep, "shared": shared, "tree": tree, "big": big, "bigs": value.ListOf(big, big, big),
	}
}

// called calls visit with every function of the tables, each with large arguments.
func called(n int, visit func(kind string, f *Func, in, arg string, call func(c *counter) (value.Value, error))) {
	args := large(n)
	tb := tables()
	all := map[string][]Func{"filter": tb.filters.all, "test": tb.tests.all, "global": tb.globals.all, "function": tb.functions.all}
	for k, m := range tb.methods {
		all["method of "+k.String()] = m.all
	}
	for kind, funcs := range all {
		for i := range funcs {
			f := &funcs[i]
			for what, in := range args {
				if of, method := strings.CutPrefix(kind, "method of "); method && of != in.Kind().String() {
					continue
				}
				for with, arg := range args {
					a, takes := argsOf(f, arg)
					if takes || with == "ints" {
						visit(kind, f, what, with, func(c *counter) (value.Value, error) { return f.Apply(&Ctx{Caller: c}, in, a) })
					}
				}
			}
		}
	}
}

// argsOf returns arguments for the parameters that f needs. takes is false if none is arg.
func argsOf(f *Func, arg value.Value) (a value.Args, takes bool) {
	for _, p := range f.Params {
		switch {
		case !p.Required && !p.Variadic:
		case p.Type == Int || p.Type == Float:
			a.Pos = append(a.Pos, value.Int(3))
		case p.Type == Text:
			a.Pos = append(a.Pos, value.String("name"))
		default:
			a.Pos, takes = append(a.Pos, arg), true
		}
	}
	return a, takes
}

// TestWorkEnds: no function does work without end on values that are small but have an enormous
// text, and all that make a text of a large value count it.
func TestWorkEnds(t *testing.T) {
	const most = 50_000
	many := long.Scale(2000)
	called(many, func(kind string, f *Func, in, arg string, call func(c *counter) (value.Value, error)) {
		if in != "tree" && in != "shared" && in != "ints" || in == arg {
			return
		}
		c := &counter{most: most}
		v, err := call(c)
		if err != nil {
			return
		}
		if len(v.Str()) > 100*most {
			t.Errorf("%s %s of %s with %s makes %d bytes in %d steps", kind, f.Name, in, arg, len(v.Str()), c.steps)
		}
		if n := v.List().Len(); in == "ints" && f.flow != chooses && n >= many && c.steps < n {
			t.Errorf("%s %s of %s with %s makes %d items in %d steps", kind, f.Name, in, arg, n, c.steps)
		}
	})
}

// BenchmarkWork reports how long the steps of a function take, for the slowest calls: a step
// should take some 20 ns, so that the limit of steps is reached within seconds.
//
//	go test ./filters -run xxx -bench Work -benchtime 1x
func BenchmarkWork(b *testing.B) {
	for b.Loop() {
		called(100_000, func(kind string, f *Func, in, arg string, call func(c *counter) (value.Value, error)) {
			c := &counter{most: 20_000_000}
			start := time.Now()
			if _, err := call(c); err != nil && !errors.Is(err, errMost) {
				return // an error ends the evaluation
			}
			if took := time.Since(start); took > 4*time.Millisecond && took > 50*time.Duration(c.steps) {
				b.Logf("%s %s of %s with %s: %v, %d steps, %d ns a step", kind, f.Name, in, arg, took.Round(time.Millisecond), c.steps, int(took)/max(c.steps, 1))
			}
		})
	}
}
