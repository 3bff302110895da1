package config

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A newExpr evaluates to an instance of a class. Its parameters are the map under another key of
// the document.
type newExpr struct {
	config        *Config
	class, params string
}

func (m newExpr) Eval(p *graph.Context) (value.Value, error) {
	given, _, err := p.Cell.RootMap().Map().Get(value.K(m.params))
	if err != nil {
		return value.Null, err
	}
	a := m.config.now.instances
	if a.classes[m.class] == nil {
		return value.Null, source.Errorf(p.At, source.NoMatching, "no class %q", m.class)
	}
	return value.FromMap(nativeClass{a, m.class}.Instance(p, given)), nil
}

func (m newExpr) Raw() value.Value { return value.Null }
func (m newExpr) Soft() bool       { return false }

// instancesOf returns a configuration in YAML with an instance of the class C under
// each name. The key of its parameters is that name with "_params".
func instancesOf(t *testing.T, text string, names ...string) *Config {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	c := New(ctx, yaytpl.Options{NoEnv: true})
	if err := c.LoadText("site.yaml", text); err != nil {
		t.Fatal(err)
	}
	f := source.NewFile("site.yay", strings.Repeat("x\n", 100))
	var m graph.Map
	for i, name := range names {
		n := &graph.Computed{At: f.Span(2*i, 2*i+1), Thunk: newExpr{c, "C", name + "_params"}}
		m.Entries = append(m.Entries, graph.Entry{Key: value.K(name), Node: n})
	}
	c.push(engine.Layer{Name: "site.yay", Docs: []*graph.Doc{{File: f, Root: graph.NewMap(m)}}})
	return c
}

// counting returns a class whose instances have an id made of their name, and the counter of its
// calls.
func counting() (Class, *atomic.Int32) {
	var n atomic.Int32
	return func(_ context.Context, params Node) (map[string]any, error) {
		n.Add(1)
		name, err := params.Get("name").Text()
		return map[string]any{"id": "i-" + name}, err
	}, &n
}

const oneInstance = "x_params: {name: web}\nurl: 'http://{{ x.id }}'\n"

func TestClassIsAppliedWhenNeeded(t *testing.T) {
	tests := []struct {
		name string
		read func(*Config) (any, error)
		want any
		n    int32
	}{
		{"nothing", func(c *Config) (any, error) { return c.Get("x_params", "name").Text() }, "web", 0},
		{"a parameter", func(c *Config) (any, error) { return c.Get("x", "name").Text() }, "web", 0},
		{"the kind", func(c *Config) (any, error) { return c.Get("x").Kind() }, value.MapKind, 0},
		{"a member", func(c *Config) (any, error) { return c.Get("x", "id").Text() }, "i-web", 1},
		{"a member elsewhere", func(c *Config) (any, error) { return c.Get("url").Text() }, "http://i-web", 1},
		{"a key that is not there", func(c *Config) (any, error) { return c.Get("x", "no").Text("none") }, "none", 1},
		{"the keys", func(c *Config) (any, error) {
			keys, err := c.Get("x").Keys()
			return strings.Join(keys, " "), err
		}, "name id", 1},
		{"the number of keys", func(c *Config) (any, error) { return c.Get("x").Len() }, 2, 1},
		{"everything", func(c *Config) (any, error) {
			all, err := c.Resolve()
			return fmt.Sprint(all), err
		}, "map[url:http://i-web x:map[id:i-web name:web] x_params:map[name:web]]", 1},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := instancesOf(t, oneInstance, "x")
			class, n := counting()
			c.Register("C", class)
			for range 2 {
				if got, err := test.read(c); err != nil || got != test.want {
					t.Errorf("got %v, %v; want %v", got, err, test.want)
				}
			}
			if n.Load() != test.n {
				t.Errorf("the class was applied %d times, want %d", n.Load(), test.n)
			}
		})
	}
}

// TestClassIsAppliedOnce asks for the same instance from many goroutines.
func TestClassIsAppliedOnce(t *testing.T) {
	c := instancesOf(t, "x_params: {name: web}\ny_params: {name: '{{ x.id }}'}\n", "x", "y")
	class, n := counting()
	c.Register("C", class)
	var all sync.WaitGroup
	for i := range 20 {
		all.Go(func() {
			switch i % 3 {
			case 0:
				if _, err := c.Resolve(); err != nil {
					t.Error(err)
				}
			case 1:
				if id, err := c.Get("y", "id").Text(); id != "i-i-web" || err != nil {
					t.Errorf("y.id = %q, %v", id, err)
				}
			default:
				for e, err := range c.Get("x").Entries() {
					if _, serr := e.Text(); err != nil || serr != nil {
						t.Error(err, serr)
					}
				}
			}
		})
	}
	all.Wait()
	if n.Load() != 2 {
		t.Errorf("applied %d times, want once for each of 2 instances", n.Load())
	}
}

// together returns a class that waits until n instances are applied at the same time, and
// fails otherwise.
func together(n int) Class {
	var here sync.WaitGroup
	here.Add(n)
	return func(ctx context.Context, params Node) (map[string]any, error) {
		here.Done()
		met := make(chan struct{})
		go func() { here.Wait(); close(met) }()
		select {
		case <-met:
			return map[string]any{"met": n}, nil
		case <-ctx.Done():
			return nil, errors.New("the others do not come")
		}
	}
}

func TestIndependentInstancesAtTheSameTime(t *testing.T) {
	tests := []struct {
		name, text string
		resolve    func(*Config) error
	}{
		{"of the whole", "a_params: {n: 1}\nb_params: {n: 2}\nc_params: {n: 3}\n", func(c *Config) error { _, err := c.Resolve(); return err }},
		{"value", "a_params: {n: 1}\nb_params: {n: 2}\nc_params: {n: 3}\n", func(c *Config) error { _, err := c.Value(); return err }},
		{"of a list", "a_params: {}\nb_params: {}\nc_params: {}\nall: ['{{ a }}', '{{ b.met }}', '{{ c }}']\n", func(c *Config) error { _, err := c.Get("all").List(); return err }},
		{"peeking at parameters", "a_params: {n: '{{ b.m }}', m: 1}\nb_params: {n: '{{ c.m }}', m: 2}\nc_params: {n: '{{ a.m }}', m: 3}\n", func(c *Config) error { _, err := c.Get().Map(); return err }},
		{"below an error", "a_params: {n: 1}\nb_params: {n: 2}\nc_params: {n: 3}\nbad: '{{ a.met + nothing }}'\n", func(c *Config) error {
			_, err := c.Resolve()
			if found := source.Findings(err); len(found) != 1 || found[0].Code != source.Undefined {
				return fmt.Errorf("findings %v, want one: undefined", found)
			}
			return nil
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := instancesOf(t, test.text, "a", "b", "c")
			c.Register("C", together(3))
			if err := test.resolve(c); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestInstancesBehindConditions: an instance that depends on a member of another is found after
// the class of that was applied.
func TestInstancesBehindConditions(t *testing.T) {
	c := instancesOf(t, "x_params: {name: web}\nlate_params: {name: late}\n", "x")
	f := source.NewFile("late.yay", "late")
	late := &graph.Computed{At: f.Span(0, 4), Thunk: newExpr{c, "C", "late_params"}}
	guard := &graph.Guard{
		At: f.Span(0, 4), On: memberOf{"x", "id"}, May: []graph.Node{late},
		Pick: func(_ *graph.Context, v value.Value) (graph.Node, error) {
			if v.Str() == "i-web" {
				return late, nil
			}
			return nil, nil
		},
	}
	root := graph.NewMap(graph.Map{Entries: []graph.Entry{{Key: value.K("late"), Node: guard}}})
	c.push(engine.Layer{Name: "late.yay", Docs: []*graph.Doc{{File: f, Root: root}}})
	class, n := counting()
	c.Register("C", class)
	all, err := c.Get("late").Map()
	if err != nil || all["id"] != "i-late" || n.Load() != 2 {
		t.Errorf("late = %v, %v after %d applications", all, err, n.Load())
	}
}

// A memberOf evaluates to an entry of a map of the document.
type memberOf [2]string

func (m memberOf) Eval(p *graph.Context) (value.Value, error) {
	v, _, err := p.Cell.RootMap().Map().Get(value.K(m[0]))
	if err == nil {
		v, _, err = v.Map().Get(value.K(m[1]))
	}
	return v, err
}
func (m memberOf) Raw() value.Value { return value.Null }
func (m memberOf) Soft() bool       { return false }

// TestCyclesOfInstances: instances that need members of each other are an error, never a
// deadlock, in any order.
func TestCyclesOfInstances(t *testing.T) {
	tests := []struct{ name, text string }{
		{"itself", "x_params: {name: '{{ x.id }}'}\ny_params: {name: y}\nz_params: {name: z}\n"},
		{"two", "x_params: {name: '{{ y.id }}'}\ny_params: {name: '{{ x.id }}'}\nz_params: {name: z}\n"},
		{"three", "x_params: {name: '{{ y.id }}'}\ny_params: {name: '{{ z.id }}'}\nz_params: {name: '{{ x.id }}'}\n"},
	}
	for _, test := range tests {
		for _, whole := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s/whole=%t", test.name, whole), func(t *testing.T) {
				c := instancesOf(t, test.text, "x", "y", "z")
				class, n := counting()
				c.Register("C", class)
				var err error
				if whole {
					_, err = c.Resolve()
				} else {
					_, err = c.Get("x", "id").Text("default")
				}
				if !errors.Is(err, source.ErrCycle) {
					t.Errorf("error %v, want a cycle", err)
				}
				if n.Load() > 3 {
					t.Errorf("applied %d times", n.Load())
				}
			})
		}
	}
}

func TestClassFails(t *testing.T) {
	refused := errors.New("quota exceeded")
	tests := []struct {
		name  string
		class Class
		code  source.Code
		words string
	}{
		{"its own error", func(context.Context, Node) (map[string]any, error) { return nil, refused }, source.BadValue, "x of class C: quota exceeded"},
		{"a parameter is missing", func(_ context.Context, p Node) (map[string]any, error) {
			_, err := p.Get("size").Int()
			return nil, err
		}, source.NoMatching, `no "size" in x`},
		{"wrapped", func(_ context.Context, p Node) (map[string]any, error) {
			_, err := p.Get("size").Int()
			return nil, fmt.Errorf("create: %w", err)
		}, source.BadValue, "create: "},
		{"a parameter of the wrong kind", func(_ context.Context, p Node) (map[string]any, error) {
			_, err := p.Get("name").Int(5)
			return nil, err
		}, source.WrongType, `expected integer, but x.name is the string "web"`},
		{"several", func(_ context.Context, p Node) (map[string]any, error) {
			return nil, p.Decode(&struct{ Name, Other int }{})
		}, source.WrongType, "expected integer"},
		{"a member that cannot be", func(context.Context, Node) (map[string]any, error) {
			return map[string]any{"id": make(chan int), "other": 1}, nil
		}, source.WrongType, "the member id of class C"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := instancesOf(t, oneInstance, "x")
			var n atomic.Int32
			c.Register("C", func(ctx context.Context, p Node) (map[string]any, error) {
				n.Add(1)
				return test.class(ctx, p)
			})
			for range 2 {
				_, err := c.Get("x", "id").Text("default")
				d := source.Findings(err)
				if len(d) != 1 || d[0].Code != test.code || !strings.Contains(d[0].Message, test.words) || d[0].At.IsZero() {
					t.Errorf("error %v, want %s with %q and a place", err, test.code, test.words)
				}
				if errors.Is(err, NoMatching) {
					t.Errorf("%v: the instance is there, but errors.Is finds NoMatching", err)
				}
			}
			if n.Load() != 1 {
				t.Errorf("applied %d times", n.Load())
			}
			if test.name == "its own error" {
				if _, err := c.Resolve(); !errors.Is(err, refused) {
					t.Errorf("%v is not what the class returned", err)
				}
			}
		})
	}
}

func TestMembersFailOneByOne(t *testing.T) {
	c := instancesOf(t, oneInstance, "x")
	c.Register("C", func(context.Context, Node) (map[string]any, error) {
		return map[string]any{"bad": func() {}, "list": []int{1, 2}, "map": map[string]any{"k": nil}}, nil
	})
	if got, err := c.Get("x", "list", 1).Int(); got != 2 || err != nil {
		t.Errorf("x.list[1] = %v, %v", got, err)
	}
	if k, err := c.Get("x", "map", "k").Kind(); k != value.NullKind || err != nil {
		t.Errorf("x.map.k is %v, %v", k, err)
	}
	if _, err := c.Get("x", "bad").Text(); source.Findings(err)[0].Code != source.WrongType {
		t.Errorf("x.bad: %v", err)
	}
}

func TestParametersEnd(t *testing.T) {
	c := instancesOf(t, oneInstance, "x")
	var kept Node
	c.Register("C", func(_ context.Context, params Node) (map[string]any, error) {
		kept = params.Get("name")
		return nil, nil
	})
	if _, err := c.Get("x", "id").Exists(); err != nil {
		t.Fatal(err)
	}
	if _, err := kept.Text("default"); source.Findings(err)[0].Code != source.Usage {
		t.Errorf("parameters that are kept: %v, want an error of use", err)
	}
}

func TestParametersFromGoroutines(t *testing.T) {
	c := instancesOf(t, "x_params: {l: ['{{ 1 + 1 }}', '{{ 2 + 2 }}', '{{ 3 + 3 }}']}\n", "x")
	c.Register("C", func(_ context.Context, params Node) (map[string]any, error) {
		var all sync.WaitGroup
		var sum atomic.Int64
		for i := range 3 {
			all.Go(func() {
				n, err := params.Get("l", i).Int()
				if err != nil {
					t.Error(err)
				}
				sum.Add(int64(n))
			})
		}
		all.Wait()
		return map[string]any{"sum": sum.Load()}, nil
	})
	if got, err := c.Get("x", "sum").Int(); got != 12 || err != nil {
		t.Errorf("x.sum = %d, %v", got, err)
	}
}

func TestUnknownClass(t *testing.T) {
	c := instancesOf(t, oneInstance, "x")
	if _, err := c.Get("x", "id").Text(); source.Findings(err)[0].Code != source.NoMatching {
		t.Errorf("error %v, want %s", err, source.NoMatching)
	}
	class, _ := counting()
	c.Register("C", class)
	if got, err := c.Get("x", "id").Text(); got != "i-web" || err != nil {
		t.Errorf("x.id = %q, %v", got, err)
	}
	c.Register("C", nil)
	if _, err := c.Get("x", "id").Text(); source.Findings(err)[0].Code != source.NoMatching {
		t.Errorf("without the class: %v, want %s", err, source.NoMatching)
	}
}

// TestNewRevision: another layer makes new instances.
func TestNewRevision(t *testing.T) {
	c := instancesOf(t, oneInstance, "x")
	class, n := counting()
	c.Register("C", class)
	for i, want := range []string{"i-web", "i-db"} {
		if got, err := c.Get("x", "id").Text(); got != want || err != nil {
			t.Errorf("x.id = %q, %v; want %q", got, err, want)
		}
		if n.Load() != int32(i+1) {
			t.Errorf("applied %d times", n.Load())
		}
		if err := c.Add(map[string]any{"x_params": map[string]any{"name": "db"}}); err != nil {
			t.Fatal(err)
		}
	}
}

// newInstance returns an instance of the class C for a task of its own.
func newInstance(s *instances, id string) *instance {
	return &instance{all: s, task: &task{}, class: "C", id: id}
}

func TestTimeIsUp(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	a := newInstances(ctx, map[string]Class{"C": func(context.Context, Node) (map[string]any, error) { return nil, nil }})
	if _, err := newInstance(a, "1").members(); err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, err := newInstance(a, "1").members(); err != nil {
		t.Errorf("members that are known: %v", err)
	}
	if _, err := newInstance(a, "2").members(); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
}

// TestWaitingEnds: waiting for a class ends with the context.
func TestWaitingEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	began, end := make(chan struct{}), make(chan struct{})
	a := newInstances(ctx, map[string]Class{"C": func(context.Context, Node) (map[string]any, error) {
		close(began)
		<-end
		return nil, nil
	}})
	var all sync.WaitGroup
	all.Go(func() { newInstance(a, "1").members() })
	<-began
	all.Go(func() {
		if _, err := newInstance(a, "1").members(); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want that of the context", err)
		}
		close(end)
	})
	cancel()
	all.Wait()
}

// TestPanicDoesNotHoldOthers: a panic of a class continues in the goroutine that needed it first;
// others get an error.
func TestPanicDoesNotHoldOthers(t *testing.T) {
	a := newInstances(context.Background(), map[string]Class{"C": func(context.Context, Node) (map[string]any, error) { panic("bad luck") }})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is lost")
			}
		}()
		newInstance(a, "1").members()
	}()
	if _, err := newInstance(a, "1").members(); err == nil {
		t.Error("no error")
	}
}
