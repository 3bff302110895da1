package config_test

import (
	"fmt"
	"testing"
	"testing/fstest"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/config"
)

// TestFSLookups: lookups in the files of a file system read from it.
func TestFSLookups(t *testing.T) {
	fsys := fstest.MapFS{
		"app.yaml": {Data: []byte("color: \"{{ lookup('csvfile', 'a', file='t.csv', delimiter=',') }}\"\ntext: \"{{ lookup('file', 'note.txt') }}\"\nfirst: \"{{ lookup('first_found', ['no.txt', 'note.txt']) | basename }}\"\nport: \"{{ lookup('ini', 'port', file='x.ini', section='s') }}\"\ntmpl: \"{{ lookup('template', 'part.j2') | trim }}\"\nglob: \"{{ query('fileglob', '*.txt') | map('basename') | list }}\"\ninc: \"{% include 'part.j2' %}\"\n")},
		"t.csv":    {Data: []byte("a,red\n")},
		"note.txt": {Data: []byte("hello\n")},
		"part.j2":  {Data: []byte("{{ text }}!\n")},
		"x.ini":    {Data: []byte("[s]\nport = 80\n")},
	}
	c := config.New(t.Context(), yaytpl.Options{Dir: t.TempDir()})
	err := c.Add(config.FS(fsys, "app.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for key, want := range map[string]string{
		"color": "red", "text": "hello", "first": "note.txt", "port": "80", "tmpl": "hello!", "glob": "[note.txt]", "inc": "hello!",
	} {
		v, err := config.Get[any](c, key, nil)
		if text := fmt.Sprint(v); err != nil || text != want {
			t.Errorf("%s = %s, %v, want %s", key, text, err, want)
		}
	}
}
