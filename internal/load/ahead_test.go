package load_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// Ahead reads regular files of some size that no message or prompt depends on. Open returns what was
// read, if it would have read that.
func TestAhead(t *testing.T) {
	dir := tree(t, map[string]string{
		"a.yaml": "a: 1234567890\n", "small.yaml": "a: 1\n", "sub/": "", "bad.yaml": "a: 1234567890\xff", "b.yaml.gpg": "a: 1234567890\n",
		"vault.yaml": "$ANSIBLE_VAULT;1.1;AES256\n6161\n", "over.yaml": "a: 1234567890\n", "c.yaml": "c: 123456789012345678901234567890\n",
	})
	for _, tt := range []struct {
		name     string
		prepared bool // Ahead returns a function
		read     bool // that returns a file
	}{
		{"a.yaml", true, true},
		{"./sub/../a.yaml", true, true},
		{fileURL("", dir) + "/a.yaml", true, true},
		{"vault.yaml", true, false},
		{"bad.yaml", true, false},
		{"../a.yaml", false, false},
		{"small.yaml", false, false},
		{"c.yaml", false, false}, // exceeds the limit
		{"sub", false, false},
		{"missing.yaml", false, false},
		{"b.yaml.gpg", false, false},
		{"over.yaml", false, false},
		{"/dev/zero", false, false},
		{"-", false, false},
		{"", false, false},
		{"https://example.org/a.yaml", false, false},
		{"ftp://example.org/a.yaml", false, false},
	} {
		var notes load.Inputs
		f := load.New(load.Config{Dir: dir, Roots: []string{dir}, MaxBytes: 32, Inputs: &notes, Overlay: map[string]string{"over.yaml": "o: 1234567890\n"}})
		read := f.Ahead(tt.name, 10)
		if read == nil {
			if tt.prepared {
				t.Errorf("%s: is not prepared", tt.name)
			}
			continue
		}
		if again := f.Ahead(tt.name, 10); again != nil {
			t.Errorf("%s: is prepared twice", tt.name)
		}
		early := read()
		if !tt.prepared || (early != nil) != tt.read {
			t.Errorf("%s: prepared, got %v", tt.name, early)
		}
		if all := notes.All(); len(all) > 0 {
			t.Errorf("%s: has the notes %v before it is opened", tt.name, all)
		}
		if early == nil {
			continue
		}
		file, err := f.Open(tt.name, "")
		if err != nil || file != early {
			t.Errorf("%s: Open returns %v, %v, not what was read ahead", tt.name, file, err)
		}
		if all := notes.All(); len(all) != 1 || all[0].Hash() == "" || all[0].Info == nil {
			t.Errorf("%s: got the notes %v", tt.name, all)
		}
	}
}

// What was read ahead and exceeds the limits then is refused as Open refuses it.
func TestAheadLimit(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1234567890\n", "b.yaml": "b: 1234567890\n"})
	f := load.New(load.Config{Dir: dir, MaxBytes: 20})
	if read := f.Ahead("b.yaml", 1); read() == nil {
		t.Error("b.yaml was not read ahead")
	}
	if _, err := f.Open("a.yaml", ""); err != nil {
		t.Error(err)
	}
	if _, err := f.Open("b.yaml", ""); err == nil || !strings.Contains(err.Error(), "more than 20 bytes") {
		t.Errorf("got %v", err)
	}
}

// Open and the function of Ahead may be called at the same time: one of them reads, and they return the same file.
func TestAheadRace(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": strings.Repeat("# 1234567890\n", 1000)})
	for range 100 {
		f := load.New(load.Config{Dir: dir})
		read := f.Ahead("a.yaml", 1)
		var early *source.File
		var all sync.WaitGroup
		all.Go(func() { early = read() })
		file, err := f.Open("a.yaml", "")
		all.Wait()
		if err != nil || early != nil && early != file {
			t.Fatalf("got %v, %v and %v", file, err, early)
		}
	}
}
