package pattern

import "testing"

func TestLocal(t *testing.T) {
	for _, c := range []struct {
		text           string
		linux, windows bool
	}{
		{"a/b.yaml", true, true},
		{"a\\b.yaml", true, false}, // a name on Linux, two parts on Windows
		{"..\\..\\x.yaml", true, false},
		{"a/..\\..\\x.yaml", true, false},
		{"../x.yaml", false, false},
		{"/x.yaml", false, false},
		{"C:/x.yaml", false, false},
	} {
		for system, want := range map[string]bool{"linux": c.linux, "windows": c.windows} {
			if err := local(system, c.text); (err == nil) != want {
				t.Errorf("%s on %s: error %v, want one: %t", c.text, system, err, !want)
			}
		}
	}
}
