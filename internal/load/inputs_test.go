package load

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// listed returns inputs as texts: kind, name and how many places ask.
func listed(n *Inputs) []string {
	var all []string
	for _, in := range n.All() {
		all = append(all, fmt.Sprintf("%s %s %d", in.Kind, in.Name, len(in.At)))
	}
	return all
}

// The name of a URL has no login, and a document that is missing is noted as well.
func TestInputsURL(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/a" {
			http.NotFound(w, r)
		}
	}))
	defer server.Close()
	f := New(Config{AllowURL: true})
	h := f.Host("", "")
	for _, name := range []string{"/a", "/b"} {
		_, _ = h.Get(strings.Replace(server.URL, "://", "://ann:pw@", 1) + name)
	}
	got, want := fmt.Sprint(listed(f.Inputs())), fmt.Sprintf("[url %s/a 0 url %[1]s/b 0]", server.URL)
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A question that was answered before is noted for each place, once. Goroutines share the notes.
func TestInputsPlaces(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.txt"), []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	var notes Inputs
	f := New(Config{Dir: dir, Roots: []string{dir}, Inputs: &notes, Getenv: func(string) (string, bool) { return "", false }})
	doc := source.NewFile("doc.yaml", "0123456789")
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			h := f.Host("", "").For(doc.Span(i%4, i%4+1), false)
			if _, err := h.ReadFile("a.txt", ""); err != nil {
				t.Error(err)
			}
			h.Getenv("X")
		})
	}
	all.Wait()
	got := fmt.Sprint(listed(&notes))
	want := fmt.Sprintf("[file %s 4 env X 4]", filepath.Join(dir, "a.txt"))
	if got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// All variables are one input, and those that the sandbox hides are none.
func TestInputsVariables(t *testing.T) {
	environ := func() []string { return []string{"A=1", "B=2"} }
	for _, c := range []struct {
		config Config
		want   string
	}{
		{Config{}, "[env * 1]"},
		{Config{NoEnv: true}, "[]"},
		{Config{AllowURL: true}, "[]"},
		{Config{AllowEnv: []string{"A*"}}, "[env A 1 env A* 1]"},
	} {
		c.config.Environ = environ
		c.config.Getenv = func(name string) (string, bool) { return "", name == "A" || name == "B" }
		f := New(c.config)
		h := f.Host("", "").For(source.NewFile("doc.yaml", "x").Span(0, 1), false)
		for _, name := range h.Environ() {
			h.Getenv(name)
		}
		if got := fmt.Sprint(listed(f.Inputs())); got != c.want {
			t.Errorf("%+v: got %s, want %s", c.config.AllowEnv, got, c.want)
		}
	}
}

// A name is secret if a secret decides it for all that ask, and joined notes count as own ones.
func TestInputsSecret(t *testing.T) {
	var notes, other Inputs
	plain, hidden := source.NewFile("a.yaml", "x"), source.NewFile("b.yaml.gpg", "x")
	hidden.Secret = true
	notes.note(Input{Kind: EnvInput, Name: "A"}, AskerAt(hidden.Span(0, 1)))
	notes.note(Input{Kind: EnvInput, Name: "B"}, AskerAt(hidden.Span(0, 1)))
	other.note(Input{Kind: EnvInput, Name: "B"}, AskerAt(plain.Span(0, 1)))
	notes.Join(&other)
	notes.Join(&notes)
	var got []string
	for _, in := range notes.All() {
		got = append(got, fmt.Sprintf("%s %t %d", in.Name, in.Secret, len(in.At)))
	}
	if want := "[A true 1 B false 2]"; fmt.Sprint(got) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

func TestInputsHas(t *testing.T) {
	var n, other Inputs
	n.Note(FileInput, "/a", source.Span{})
	other.Note(EnvInput, "X", source.Span{})
	n.Join(&other)
	for _, tt := range []struct {
		kind InputKind
		name string
		want bool
	}{{FileInput, "/a", true}, {AbsentInput, "/a", false}, {FileInput, "/b", false}, {EnvInput, "X", true}, {EnvInput, "Y", false}} {
		if got := n.Has(tt.kind, tt.name); got != tt.want {
			t.Errorf("%s %s: %v", tt.kind, tt.name, got)
		}
	}
}

// Repeated questions take no memory, and the first answer with a hash counts.
func TestInputsRepeated(t *testing.T) {
	var n Inputs
	f := source.NewFile("a.yaml", "a long text")
	for i := range 10_000 {
		in := Input{Kind: FileInput, Name: fmt.Sprint("/", i%3), Looked: i < 3}
		if i >= 6 {
			in.sum = func() string { return fmt.Sprint(i) }
		}
		n.note(in, AskerAt(f.Span(i%2, i%2+1)))
	}
	if len(n.notes) > 2*leastSorted {
		t.Errorf("%d notes of 6 questions", len(n.notes))
	}
	for i, in := range n.All() {
		if in.Looked || in.Hash() != fmt.Sprint(i+6) || len(in.At) != 2 {
			t.Errorf("%s: %v, %s, %v", in.Name, in.Looked, in.Hash(), in.At)
		}
	}
}
