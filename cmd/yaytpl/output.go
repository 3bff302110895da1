package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"golang.org/x/term"
)

// resultFlags say how a result is written.
type resultFlags struct {
	form       choice
	compact    bool
	noComments bool
	dropTags   bool
	reveal     bool
	redact     bool
}

func (f *resultFlags) group(standard string) flagGroup {
	fg := newFlagGroup("Result")
	f.form = oneOf("", yaytpl.Forms()...)
	fg.set.VarP(&f.form, "output", "o", "form of the result (default "+standard+")")
	fg.set.BoolVar(&f.compact, "compact", false, "JSON on one line")
	fg.set.BoolVar(&f.noComments, "no-comments", false, "YAML without the comments of the source")
	fg.set.BoolVar(&f.dropTags, "drop-tags", false, "leave tags such as !Ref out where the form has none")
	f.addMarks(fg)
	return fg
}

func (f *resultFlags) addMarks(fg flagGroup) {
	fg.set.BoolVar(&f.reveal, "reveal", false, "show sensitive values, and secret ones in explain and diff")
	fg.set.BoolVar(&f.redact, "redact", false, "hide values from encrypted files in results too; no comments")
}

// options returns how to write, with standard for a form that was not chosen.
func (f *resultFlags) options(standard string) (yaytpl.RenderOptions, error) {
	if f.reveal && f.redact {
		return yaytpl.RenderOptions{}, usageErrorf("--reveal and --redact exclude each other")
	}
	form := f.form.value
	if form == "" {
		form = standard
	}
	return yaytpl.RenderOptions{
		Form: form, Compact: f.compact, NoComments: f.noComments, DropTags: f.dropTags,
		Reveal: f.reveal, Redact: f.redact,
	}, nil
}

// writeJSON writes a JSON text to standard output, indented or on one line, unless making it
// failed with err.
func (a *app) writeJSON(text []byte, err error, compact bool) error {
	var b bytes.Buffer
	switch {
	case err != nil:
		return err
	case compact:
		b.Write(text)
	default:
		if err := json.Indent(&b, text, "", "  "); err != nil {
			return err
		}
	}
	b.WriteByte('\n')
	_, err = a.stdout.Write(b.Bytes())
	return err
}

// An output is standard output, buffered. It remembers that it failed, because some
// writers of results do not look.
type output struct {
	*bufio.Writer
	failed error
	under  io.Writer
}

func newOutput(w io.Writer) *output {
	o := &output{under: w}
	o.Writer = bufio.NewWriterSize(writerFunc(o.write), 64<<10)
	return o
}

func (o *output) write(p []byte) (int, error) {
	n, err := o.under.Write(p)
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// finish writes what is left. The error is errReaderGone, or a finding of code
// access.
func (o *output) finish() error {
	if err := o.Flush(); err != nil && o.failed == nil {
		o.failed = err
	}
	switch {
	case o.failed == nil:
		return nil
	case isReaderGone(runtime.GOOS, o.failed):
		return errReaderGone
	}
	cause := o.failed
	if at := (*fs.PathError)(nil); errors.As(cause, &at) {
		cause = at.Err // the system's name of the stream says nothing
	}
	d := source.Errorf(source.Span{}, source.Access, "cannot write to standard output: %v", cause)
	d.Cause = o.failed
	return d
}

// errReaderGone says that whoever read standard output has seen enough.
var errReaderGone = fmt.Errorf("standard output is closed")

// What Windows says of a pipe that nobody reads any more (Win32, winerror.h).
const (
	brokenPipe       = syscall.Errno(109)
	closingPipe      = syscall.Errno(232)
	disconnectedPipe = syscall.Errno(233)
)

func isReaderGone(system string, err error) bool {
	gone := []error{syscall.EPIPE, io.ErrClosedPipe}
	if system == "windows" {
		gone = append(gone, brokenPipe, closingPipe, disconnectedPipe)
	}
	return slices.ContainsFunc(gone, func(e error) bool { return errors.Is(err, e) })
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// isTerminal reports whether w is a terminal that understands escape sequences.
func (a *app) isTerminal(w io.Writer) bool {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return false
	}
	kind, _ := a.getenv("TERM")
	return kind != "dumb" && takesEscapes(f.Fd())
}

// openTerminal returns an input or output as a file if it is a terminal.
func openTerminal(stream any) (*os.File, bool) {
	f, ok := stream.(*os.File)
	return f, ok && term.IsTerminal(int(f.Fd()))
}

// colored reports whether to write colours to w (https://no-color.org).
func (a *app) colored(w io.Writer) bool {
	switch a.general.color.value {
	case "always":
		return true
	case "never":
		return false
	}
	if no, _ := a.getenv("NO_COLOR"); no != "" {
		return false
	}
	return a.isTerminal(w)
}

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
