package bind

import (
	"strings"
	"testing"
)

// FuzzKeys: any key is read or refused; a name in quotes is one segment, and reads back.
func FuzzKeys(f *testing.F) {
	for _, s := range []string{"a", "a::b.c.0", "'a.b'.c", `"a".-1`, "Integer, x", "Array[String], 'y z'", "Type[Clock]", "/classes", "a..b", "'", "a.'b", "Hash[String, Integer]", "a . b", "Integer"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		k, err := ParseKey(s)
		if err == nil && k.Type == nil && len(k.Segments) == 0 {
			t.Errorf("%q has neither a type nor segments", s)
		}
		if strings.ContainsAny(s, "'\"") || s == "" {
			return
		}
		segments, err := SplitKey("'" + s + "'")
		if err != nil || len(segments) != 1 || segments[0].Text != s {
			t.Errorf("%q in quotes: got %v, %v", s, segments, err)
		}
	})
}
