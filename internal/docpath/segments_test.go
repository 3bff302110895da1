package docpath_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/value"
)

const qualified = `{p::w: {port: 1, x: {y: 2}, t.c: 3, q::r: 4}, p::l: [5], p: {w: 6, z.a: 7}, o: {n: {m: 8}}, m::0: 9, s: {}}`

// The exact key wins over its segments.
func TestSegments(t *testing.T) {
	tests := []struct{ path, want, at string }{
		{"p::w.port", "1", "p::w.port"},
		{"p::w::port", "1", "p::w.port"},
		{`"p::w".port`, "1", "p::w.port"},
		{`"p::w"::port`, "1", "p::w.port"},
		{"p::w.x.y", "2", "p::w.x.y"},
		{"p::w.t.c", "3", `p::w."t.c"`},
		{`p::w."t.c"`, "3", `p::w."t.c"`},
		{`p::w."q::r"`, "4", `p::w."q::r"`},
		{"p::w::q::r", "4", `p::w."q::r"`},
		{"p::l[0]", "5", "p::l[0]"},
		{"p::l.0", "5", "p::l[0]"},
		{"p::l::0", "5", "p::l[0]"},
		{"::p::w", "6", "p.w"},
		{"p.w", "6", "p.w"},
		{"p::z.a", "7", `p."z.a"`},
		{"o::n::m", "8", "o.n.m"},
		{"m::0", "9", "m::0"},
		{"o::n.m", "", ""}, // a segment is not divided below a key without "::"
		{"::p::w::port", "", ""},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		v, at, err := follow(data(t, qualified), steps)
		k, _ := value.KeyOf(v)
		if test.want == "" {
			if err == nil {
				t.Errorf("%s: %s, want an error", test.path, k.Text)
			}
			continue
		}
		if err != nil || k.Text != test.want || at.String() != test.at {
			t.Errorf("%s: %s at %s, %v, want %s at %s", test.path, k.Text, at, err, test.want, test.at)
		}
	}
}

// Segments that no key of the document decides are one key each.
func TestNewSegments(t *testing.T) {
	tests := []struct{ path, want string }{
		{"a::b.c::d", `a "b.c" d`},
		{"p::w.new.key", `"p::w" new key`},
		{"p::new.key", `p "new.key"`},
		{"s::a.b", `s "a.b"`},
		{"::p::w", "p w"},
		{"a::1.5", `a "1.5"`},
	}
	for _, test := range tests {
		steps, err := docpath.Parse(test.path)
		if err != nil {
			t.Fatal(err)
		}
		var words []string
		for _, s := range docpath.JoinKnown(data(t, qualified), steps) {
			if strings.ContainsAny(s.Key, ".:") {
				s.Key = `"` + s.Key + `"`
			}
			words = append(words, s.Key)
		}
		if got := strings.Join(words, " "); got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}

func TestQualified(t *testing.T) {
	root := data(t, qualified)
	tests := []struct{ path, want string }{
		{"a::b", `"a::b"`},
		{"a::b.c", `"a::b".c`},
		{"a::b[0].c", `"a::b"[0].c`},
		{"::a::b", ""},
		{"a.b", ""},
	}
	for _, test := range tests {
		steps, _ := docpath.Parse(test.path)
		got := ""
		if docpath.HasQualified(root, steps) {
			got = docpath.Qualified(nil, steps)
		}
		if got != test.want {
			t.Errorf("%s: %s, want %s", test.path, got, test.want)
		}
	}
}

// The text of a path leads to the place of the path in a document that has only this place.
func TestPathsAsTextLeadBack(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "b", "::", ":", ".", "\"", "'", "[", "]", "*", "\\", " "}
	for range 20_000 {
		var path value.Path
		for range 1 + random.IntN(3) {
			key := ""
			for range 1 + random.IntN(4) {
				key += parts[random.IntN(len(parts))]
			}
			path = append(path, value.K(key))
		}
		v := value.String("here")
		for i := len(path) - 1; i >= 0; i-- {
			m := value.NewMap(1)
			m.Set(path[i], v)
			v = value.FromMap(m)
		}
		steps, err := docpath.Parse(path.String())
		if err != nil {
			t.Fatalf("%q: %v", path, err)
		}
		if _, at, err := follow(v, steps); err != nil || at.String() != path.String() || len(at) != len(path) {
			t.Fatalf("%q leads to %q, %v", path, at, err)
		}
	}
}
