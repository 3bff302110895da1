package frontend

import (
	"reflect"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

// TestParsedOnce: whoever comes at the same time gets the same documents, and one of
// them what was found. Errors are for all.
func TestParsedOnce(t *testing.T) {
	for _, test := range []struct {
		name  string
		docs  []*graph.Doc
		found source.Severity
		told  int32
		calls int32
	}{
		{"documents", []*graph.Doc{{}}, source.Warning, 1, 1},
		{"errors", nil, source.Error, 8, 1},
		{"documents with an error", []*graph.Doc{{}}, source.Error, 8, 1},
	} {
		var calls, told atomic.Int32
		lang := Language{parse: func(*source.File, Options) ([]*graph.Doc, []*source.Diagnostic) {
			calls.Add(1)
			return test.docs, []*source.Diagnostic{{Severity: test.found}}
		}}
		c, f := NewCache(), source.NewFile("a.yaml", "")
		var all sync.WaitGroup
		for range 8 {
			all.Go(func() {
				docs, findings := c.Parse(lang, f, Options{})
				told.Add(int32(len(findings)))
				if len(docs) != len(test.docs) {
					t.Errorf("%s: got %d documents", test.name, len(docs))
				}
			})
		}
		all.Wait()
		if calls.Load() != test.calls || told.Load() != test.told {
			t.Errorf("%s: parsed %d times and told %d times, want %d and %d", test.name, calls.Load(), told.Load(), test.calls, test.told)
		}
	}
}

// Each option is a part of the key.
func TestKeyOf(t *testing.T) {
	f := source.NewFile("a.yaml", "")
	plain := keyOf(f, YAML, Options{})
	all := reflect.TypeFor[Options]()
	for i := range all.NumField() {
		var o Options
		switch field := reflect.ValueOf(&o).Elem().Field(i); field.Kind() {
		case reflect.Bool:
			field.SetBool(true)
		case reflect.Map:
			field.Set(reflect.ValueOf(map[string]bool{"templates": false}))
		default:
			t.Fatalf("%s is of a kind that no key has", all.Field(i).Name)
		}
		if keyOf(f, YAML, o) == plain {
			t.Errorf("%s is not a part of the key", all.Field(i).Name)
		}
	}
}

// A file that was parsed ahead is not parsed again, and its warnings are those of the first Parse.
func TestCacheAhead(t *testing.T) {
	calls := 0
	lang := Language{parse: func(*source.File, Options) ([]*graph.Doc, []*source.Diagnostic) {
		calls++
		return []*graph.Doc{{}}, []*source.Diagnostic{{Severity: source.Warning}}
	}}
	c, f := NewCache(), source.NewFile("a.yaml", "")
	c.Ahead(lang, f, Options{})
	for _, want := range []int{1, 0} {
		c.Ahead(lang, f, Options{})
		if docs, findings := c.Parse(lang, f, Options{}); len(docs) != 1 || len(findings) != want {
			t.Errorf("got %d documents and %d findings, want 1 and %d", len(docs), len(findings), want)
		}
	}
	if calls != 1 {
		t.Errorf("parsed %d times", calls)
	}
}

// A parser that panics does so for each caller: no one takes its result for an empty file.
func TestCachePanic(t *testing.T) {
	lang := Language{parse: func(*source.File, Options) ([]*graph.Doc, []*source.Diagnostic) { panic("parser") }}
	c, f := NewCache(), source.NewFile("a.yaml", "")
	panics := func(call func()) (p any) {
		defer func() { p = recover() }()
		call()
		return nil
	}
	if p := panics(func() { c.Ahead(lang, f, Options{}) }); p != "parser" {
		t.Errorf("Ahead: got %v", p)
	}
	if p := panics(func() { c.Parse(lang, f, Options{}) }); p != "parser" {
		t.Errorf("Parse: got %v", p)
	}
}
