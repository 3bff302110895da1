package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestProgressIsErased(t *testing.T) {
	var out bytes.Buffer
	a := newApp(nil, streams{err: &out, out: &out})
	a.began = time.Now().Add(-3 * time.Second)
	p := &progress{app: a, what: "rendering", timer: time.NewTimer(time.Hour)}
	p.clear()
	if out.Len() > 0 {
		t.Errorf("nothing was shown, yet %q clears it", out.String())
	}
	p.tick()
	p.stop()
	p.tick()
	if want := "\r\x1b[Krendering: 3 s\r\x1b[K"; out.String() != want {
		t.Errorf("progress wrote %q, want %q", out.String(), want)
	}
}

func TestProgressNeedsATerminal(t *testing.T) {
	a := newApp(nil, streams{err: new(bytes.Buffer)})
	if a.startProgress("rendering"); a.progress != nil {
		t.Error("a buffer has a progress")
	}
}

// TestSpool writes results below and above the size that is kept in memory, and where no file can be made.
func TestSpool(t *testing.T) {
	for _, test := range []struct {
		name   string
		tmp    string
		chunks int
		inFile bool
	}{
		{"small", t.TempDir(), 3, false},
		{"large", t.TempDir(), 100, true},
		{"no directory", filepath.Join(t.TempDir(), "missing"), 100, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Setenv("TMPDIR", test.tmp)
			t.Setenv("TMP", test.tmp)
			var s spool
			var want, got bytes.Buffer
			for i := range test.chunks {
				chunk := bytes.Repeat([]byte{'a' + byte(i%26)}, spoolSize/50)
				want.Write(chunk)
				if n, err := s.Write(chunk); n != len(chunk) || err != nil {
					t.Fatal(n, err)
				}
			}
			if s.file != nil != test.inFile {
				t.Errorf("a file: %v, want %v", s.file != nil, test.inFile)
			}
			if test.inFile {
				if err := s.out.Flush(); err != nil {
					t.Fatal(err)
				}
				stored := make([]byte, 1<<10)
				if _, err := s.file.ReadAt(stored, 0); err != nil || bytes.Contains(stored, []byte("aaaa")) {
					t.Errorf("the file has the text in clear, or %v", err)
				}
			}
			if err := s.copyTo(&got); err != nil || !bytes.Equal(got.Bytes(), want.Bytes()) || s.size != want.Len() {
				t.Errorf("%d bytes of %d, size %d: %v", got.Len(), want.Len(), s.size, err)
			}
			s.close()
			if left, _ := os.ReadDir(test.tmp); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}
