package main

import (
	"bufio"
	"bytes"
	"cmp"
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

// resultFlags are the flags of the format of a result.
type resultFlags struct {
	form       choice
	compact    bool
	noComments bool
	dropTags   bool
	reveal     bool
	redact     bool
}

// group returns the flags, with standard as the default format. Without forms all formats are possible.
func (f *resultFlags) group(standard string, forms ...string) flagGroup {
	fg := newFlagGroup("Result")
	if len(forms) == 0 {
		forms = yaytpl.Forms()
	}
	f.form = oneOf("", forms...)
	fg.set.VarP(&f.form, "output", "o", "format of the result (default "+standard+")")
	fg.set.BoolVar(&f.compact, "compact", false, "write JSON on one line")
	fg.set.BoolVar(&f.noComments, "no-comments", false, "omit the comments of the source from YAML")
	fg.set.BoolVar(&f.dropTags, "drop-tags", false, "omit tags such as !Ref where the format has none")
	f.addMarks(&fg)
	return fg
}

// addMarks adds the flags for hidden values to a group.
func (f *resultFlags) addMarks(fg *flagGroup) {
	fg.set.BoolVar(&f.reveal, "reveal", false, "print sensitive values; in explain and diff also secret ones")
	fg.set.BoolVar(&f.redact, "redact", false, "also hide values from encrypted files, and omit comments")
	fg.check = func() error {
		if f.reveal && f.redact {
			return usageErrorf("--reveal and --redact exclude each other")
		}
		return nil
	}
}

// options returns the flags as options, with standard as the default format.
func (f *resultFlags) options(standard string) yaytpl.RenderOptions {
	return yaytpl.RenderOptions{
		Form: cmp.Or(f.form.value, standard), Compact: f.compact, NoComments: f.noComments, DropTags: f.dropTags,
		Reveal: f.reveal, Redact: f.redact,
	}
}

// writeJSON writes text, which is compact JSON, to standard output, indented unless compact
// is set.
func (a *app) writeJSON(text []byte, compact bool) error {
	var b bytes.Buffer
	if compact {
		b.Write(text)
	} else if err := json.Indent(&b, text, "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err := a.stdout.Write(b.Bytes())
	return err
}

// An output is a buffered standard output. It records the first error, because some writers
// of results ignore errors.
type output struct {
	*bufio.Writer
	failed error
	under  io.Writer
	copy   *bytes.Buffer // gets what is written; nil for no copy
}

func newOutput(w io.Writer) *output {
	o := &output{under: w}
	o.Writer = bufio.NewWriterSize(writerFunc(o.write), 64<<10)
	return o
}

func (o *output) write(p []byte) (int, error) {
	n, err := o.under.Write(p)
	if o.copy != nil {
		o.copy.Write(p[:n])
	}
	if err != nil && o.failed == nil {
		o.failed = err
	}
	return n, err
}

// finish flushes the output. It returns errReaderGone, or a finding of code access.
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
	d := source.Errorf(source.Span{}, source.Access, "cannot write to standard output: %v", withoutPath(o.failed))
	d.Cause = o.failed
	return d
}

// withoutPath returns an error of the system without its beginning, such as "write /dev/stdout".
func withoutPath(err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return at.Err
	}
	if at := (*os.LinkError)(nil); errors.As(err, &at) {
		return at.Err
	}
	return err
}

// errReaderGone reports that the reader of standard output, such as head, closed it.
var errReaderGone = errors.New("standard output is closed")

// Errors of Windows for a pipe without a reader (Win32, winerror.h).
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

// openTerminal returns a stream as a file and reports whether it is a terminal.
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

// A progress writes the elapsed seconds to a terminal, from the first second on. A nil
// progress writes nothing.
type progress struct {
	mu    sync.Mutex
	app   *app
	what  string
	parts string // how much is done, or ""
	shown bool
	ended bool
	timer *time.Timer
}

// startProgress starts a progress if standard error is a terminal.
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
	fmt.Fprintf(p.app.err, "\r\x1b[K%s: %s%d s", p.what, p.parts, int(time.Since(p.app.began).Seconds()))
	p.timer.Reset(time.Second)
}

// count says how many of so many parts are done.
func (p *progress) count(done, total int) {
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.parts = fmt.Sprintf("%d of %d, ", done, total)
}

// clear erases the progress before other output.
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

// alone calls run, which uses the terminal, and hides the progress line meanwhile.
func (a *app) alone(run func()) {
	if p := a.progress; p != nil {
		p.clear()
		p.mu.Lock()
		defer p.mu.Unlock()
	}
	run()
}

// stop erases the progress and ends it.
func (p *progress) stop() {
	p.clear()
	p.mu.Lock()
	p.ended = true
	p.mu.Unlock()
	p.timer.Stop()
}
