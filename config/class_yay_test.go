package config_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
	"github.com/yaytpl/yaytpl/source"
)

// TestInstancesInYay: "new" and "create" with native classes (spec: yay, sections 5.10, 5.11,
// 10.4). The class names its instances i-NAME.
func TestInstancesInYay(t *testing.T) {
	tests := []struct {
		name, text, want string // of the whole, or a code
		applied          int32
	}{
		{"new", "x:\n  new C:\n    name: web\nurl: http://{{ x.id }}/\n", "map[url:http://i-web/ x:map[id:i-web name:web]]", 1},
		{"new as", "new C as x:\n  name: a\nn: {{ x.id }}\n", "map[n:i-a x:map[id:i-a name:a]]", 1},
		{"create", "x:\n  create \"C\":\n    name: a\n", "map[x:map[id:i-a name:a]]", 1},
		{"by another name", "set D = C\nx:\n  new D:\n    name: a\n", "map[x:map[id:i-a name:a]]", 1},
		{"without parameters", "x:\n  new C: {}\ny:\n  new C:\n", "map[x:map[id:i-none] y:map[id:i-none]]", 2},
		{"in a loop", "l:\n  for i in range(3):\n    - new C:\n        name: n{{ i }}\n", "map[l:[map[id:i-n0 name:n0] map[id:i-n1 name:n1] map[id:i-n2 name:n2]]]", 3},
		{"more keys", "x:\n  new C:\n    name: a\n  extra: 1\nx:\n  name: b\n", "map[x:map[extra:1 id:i-a name:b]]", 1},
		{"under a condition", "x:\n  new C:\n    name: a\nif x.id == \"i-a\":\n  late:\n    new C:\n      name: b\n", "map[late:map[id:i-b name:b] x:map[id:i-a name:a]]", 2},
		{"a chain", "x:\n  new C:\n    name: {{ y.id }}\ny:\n  new C:\n    name: {{ z.id }}\nz:\n  new C:\n    name: a\n", "map[x:map[id:i-i-i-a name:i-i-a] y:map[id:i-i-a name:i-a] z:map[id:i-a name:a]]", 3},
		{"peeking", "x:\n  new C:\n    name: {{ y.name }}\n    p: q\ny:\n  new C:\n    name: {{ x.p }}\n", "map[x:map[id:i-q name:q p:q] y:map[id:i-q name:q]]", 2},
		{"a cycle", "x:\n  new C:\n    name: {{ y.id }}\ny:\n  new C:\n    name: {{ x.id }}\n", string(source.Cycle), 2},
		{"unknown", "x:\n  new D:\n    name: a\n", string(source.NoMatching), 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			c := config.New(ctx, yaytpl.Options{NoEnv: true})
			if err := c.LoadText("site.yay", test.text); err != nil {
				t.Fatal(err)
			}
			var n atomic.Int32
			c.Register("C", func(_ context.Context, params config.Node) (map[string]any, error) {
				n.Add(1)
				name, err := params.Get("name").Text("none")
				return map[string]any{"id": "i-" + name}, err
			})
			all, err := c.Resolve()
			got := fmt.Sprint(all)
			if err != nil {
				got = string(source.Findings(err)[0].Code)
			}
			if got != test.want || n.Load() > test.applied || err == nil && n.Load() < test.applied {
				t.Errorf("%s, %v with %d applications, want %s with %d", got, err, n.Load(), test.want, test.applied)
			}
		})
	}
}

// TestYayInstancesAtTheSameTime: three instances that wait for each other.
func TestYayInstancesAtTheSameTime(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	c := config.New(ctx, yaytpl.Options{NoEnv: true})
	if err := c.LoadText("site.yay", "backends:\n  for i in range(3):\n    - new C:\n        n: {{ i }}\nall: {{ backends[0].met + backends[2].met }}\n"); err != nil {
		t.Fatal(err)
	}
	var here sync.WaitGroup
	here.Add(3)
	c.Register("C", func(ctx context.Context, _ config.Node) (map[string]any, error) {
		here.Done()
		met := make(chan struct{})
		go func() { here.Wait(); close(met) }()
		select {
		case <-met:
			return map[string]any{"met": 1}, nil
		case <-ctx.Done():
			return nil, errors.New("the others do not come")
		}
	})
	all, err := c.Resolve()
	if want := "map[all:2 backends:[map[met:1 n:0] map[met:1 n:1] map[met:1 n:2]]]"; fmt.Sprint(all) != want || err != nil {
		t.Errorf("%v, %v; want %s", all, err, want)
	}
}

// TestYayParametersApplyNothing: reading parameters does not apply the class.
func TestYayParametersApplyNothing(t *testing.T) {
	c := config.New(t.Context(), yaytpl.Options{NoEnv: true})
	if err := c.LoadText("site.yay", "s: 3\nx:\n  new C:\n    name: web\n    deep:\n      size: {{ s }}\ny: {{ x.deep.size }}\n"); err != nil {
		t.Fatal(err)
	}
	c.Register("C", func(context.Context, config.Node) (map[string]any, error) {
		t.Error("the class is applied")
		return nil, nil
	})
	for _, n := range []config.Node{c.Get("x", "name"), c.Get("x", "deep", "size"), c.Get("y")} {
		if _, err := n.Text(); err != nil || n.At().IsZero() {
			t.Errorf("%v: %v at %v", n, err, n.At())
		}
	}
}

// TestYayInstancesShareFiles: instances that are applied at the same time read the same included
// files, of every language.
func TestYayInstancesShareFiles(t *testing.T) {
	c := config.New(t.Context(), yaytpl.Options{NoEnv: true, Memory: map[string]string{
		"base.yaml": "base: &b {size: 3, kind: \"k{{ base.size }}\", list: [1, 2, {eval: ::base::size}]}\nmore: {+*b: , sum: \"{{ base.list | sum }}\"}\n",
		"lib.yay":   "set step = 2\nmacro named:\n  label: n{{ n * step }}\ncommon:\n  if more.sum > 5:\n    enough: {{ more.kind }}\n",
	}})
	if err := c.LoadText("site.yay", `
include "mem://base.yaml"
include "mem://lib.yay"
all:
  for i in range(20):
    - new C:
        n: {{ i }}
        text: {{ common.enough }}-{{ more.list[2] }}
        of:
          call named:
            n: {{ i }}
`); err != nil {
		t.Fatal(err)
	}
	c.Register("C", func(_ context.Context, params config.Node) (map[string]any, error) {
		text, err := params.Get("text").Text()
		label, err2 := params.Get("of", "label").Text()
		return map[string]any{"id": text + "-" + label}, errors.Join(err, err2)
	})
	all, err := c.Get("all").List()
	if err != nil || len(all) != 20 {
		t.Fatalf("%v, %v", all, err)
	}
	for i, item := range all {
		if id, want := item.(map[string]any)["id"], fmt.Sprintf("k3-3-n%d", 2*i); id != want {
			t.Errorf("id of %d is %v, want %s", i, id, want)
		}
	}
}

// A class that ends its goroutine is an error, for the caller and for all others.
func TestGoexitOfAClassIsAnError(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{NoEnv: true})
	c.Register("Bad", func(context.Context, config.Node) (map[string]any, error) { runtime.Goexit(); return nil, nil })
	if err := c.LoadText("main.yay", "a:\n  new Bad:\n    p: 1\nb: 2\n"); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, err := c.Get("a", "q").Int()
		if err == nil || !strings.Contains(err.Error(), "Bad ended its goroutine") || !strings.Contains(err.Error(), "main.yay:2") {
			t.Errorf("Int: %v", err)
		}
		if _, err = c.Resolve(); err == nil || !strings.Contains(err.Error(), "Bad ended its goroutine") {
			t.Errorf("Resolve: %v", err)
		}
	}
	if b, err := c.Get("b").Int(); b != 2 || err != nil {
		t.Errorf("b is %d, %v", b, err)
	}
}

// A class that panics while it is applied ahead of time does not end the program.
func TestPanicOfAClassIsAnError(t *testing.T) {
	c := config.New(context.Background(), yaytpl.Options{NoEnv: true})
	c.Register("Bad", func(context.Context, config.Node) (map[string]any, error) { panic("bad luck") })
	if err := c.LoadText("main.yay", "a:\n  new Bad:\n    p: 1\n"); err != nil {
		t.Fatal(err)
	}
	_, err := c.Resolve()
	if err == nil || !strings.Contains(err.Error(), "Bad panicked: bad luck") || !strings.Contains(err.Error(), "main.yay:2") {
		t.Errorf("Resolve: %v", err)
	}
}
