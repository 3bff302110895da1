package main

import (
	"bytes"
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
