package main

import (
	"fmt"
	"sync"
	"time"
)

// A progress tells someone in front of a terminal that work goes on. It says
// nothing during the first second. A nil progress never says anything.
type progress struct {
	mu    sync.Mutex
	app   *app
	what  string
	shown bool
	ended bool
	timer *time.Timer
}

// startProgress begins to tell about work, if anybody is watching.
func (a *app) startProgress(what string) {
	if a.general.quiet || a.general.errors.is("json") || !a.isTerminal(a.err) {
		return
	}
	p := &progress{app: a, what: what}
	p.timer = time.AfterFunc(time.Second, p.tick)
	a.progress = p
	a.atEnd(p.stop)
}

func (p *progress) tick() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return
	}
	p.shown = true
	fmt.Fprintf(p.app.err, "\r\x1b[K%s: %d s", p.what, int(time.Since(p.app.began).Seconds()))
	p.timer.Reset(time.Second)
}

// clear makes room for other output on the terminal.
func (p *progress) clear() {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.shown {
		fmt.Fprint(p.app.err, "\r\x1b[K")
		p.shown = false
	}
}

// alone runs something that uses the terminal while no progress is shown.
func (a *app) alone(run func()) {
	if p := a.progress; p != nil {
		p.clear()
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	run()
}

// stop ends the progress for good.
func (p *progress) stop() {
	p.clear()
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.timer.Stop()
}
