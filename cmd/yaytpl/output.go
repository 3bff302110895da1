package main

import (
	"bufio"
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/rand"
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
	f.addMarks(fg)
	return fg
}

func (f *resultFlags) addMarks(fg flagGroup) {
	fg.set.BoolVar(&f.reveal, "reveal", false, "print sensitive values; in explain and diff also secret ones")
	fg.set.BoolVar(&f.redact, "redact", false, "also hide values from encrypted files, and omit comments")
}

// options checks the flags and returns them as options, with standard as the default format.
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

// A spool keeps a result until it is known that all of it can be written: of a result with an error nothing
// is printed. What is longer than spoolSize is in a temporary file, so that memory does not grow with
// the number of targets. The file is encrypted with a key that exists in memory only, since results have secrets.
// Where no such file can be made, the result stays in memory.
type spool struct {
	size   int
	buffer bytes.Buffer
	file   *os.File
	cipher cipher.Block
	out    *bufio.Writer // encrypts to file
	failed bool          // to make a file
}

// spoolSize is how many bytes of a result are kept in memory.
const spoolSize = 4 << 20

// Write implements io.Writer.
func (s *spool) Write(p []byte) (int, error) {
	s.size += len(p)
	if s.file == nil && !s.failed && s.buffer.Len()+len(p) > spoolSize {
		s.failed = !s.create()
	}
	if s.file == nil {
		return s.buffer.Write(p)
	}
	n, err := s.out.Write(p)
	if err != nil {
		err = s.fileError(err)
	}
	return n, err
}

// create moves the result to a file, and reports whether that was possible.
func (s *spool) create() bool {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return false
	}
	if s.file, err = os.CreateTemp("", "yaytpl-*"); err != nil {
		return false
	}
	_ = os.Remove(s.file.Name()) // fails where open files cannot be removed; close does it there
	s.cipher = block
	s.out = bufio.NewWriterSize(cipher.StreamWriter{S: s.stream(), W: s.file}, 64<<10)
	if _, err = s.out.Write(s.buffer.Bytes()); err != nil {
		s.close()
		s.file = nil
		return false
	}
	s.buffer = bytes.Buffer{}
	return true
}

// stream returns the key stream of the file.
func (s *spool) stream() cipher.Stream { return cipher.NewCTR(s.cipher, make([]byte, aes.BlockSize)) }

// copyTo writes the result.
func (s *spool) copyTo(w io.Writer) error {
	if s.file == nil {
		_, err := s.buffer.WriteTo(w)
		return err
	}
	if err := s.out.Flush(); err != nil {
		return s.fileError(err)
	}
	if _, err := s.file.Seek(0, io.SeekStart); err != nil {
		return s.fileError(err)
	}
	_, err := io.Copy(w, cipher.StreamReader{S: s.stream(), R: s.file})
	return err
}

func (s *spool) fileError(err error) error {
	return source.Errorf(source.Span{}, source.Access, "cannot write the temporary file %s: %v", s.file.Name(), withoutPath(err)).
		WithHint("TMPDIR names another directory for temporary files")
}

// close removes the file.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

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

// alone calls run, which uses the terminal, and shows no progress meanwhile.
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
