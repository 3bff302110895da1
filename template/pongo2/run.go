package pongo2

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

func init() { template.RegisterPongo2(dialect{}) }

type dialect struct{}

// standardTime is how long a template may take if its context has no deadline.
const standardTime = 10 * time.Second

// A run renders a template. The library works in a goroutine of its own, which a filter may keep busy past the
// deadline. That goroutine asks for everything that is outside of it, and Render answers: so the document is evaluated by
// the caller, and by nobody once Render has returned.
type run struct {
	page      template.Page
	questions chan func() // asked by the library's goroutine, each closing done
	over      chan struct{}

	// Of the library's goroutine.
	set      *pongo2.TemplateSet
	files    map[string]*file // by the names that the library has for them
	hooks    []hook
	tokens   int
	keys     map[string]*pongo2.Value // the keys that were read
	out      strings.Builder
	marks    value.Marks
	printed  int         // bytes that were printed, also into buffers; more than there are
	steps    int         // not counted by the evaluation yet
	stack    int         // kB that macros, blocks and files take
	bodies   []int       // what was printed before each filter tag around the place
	random   bool        // the result depends on chance
	at       source.Span // of the last hook that has a place
	in       *file       // of the last hook
	missing  error       // of the last file that was not there
	included source.Span
	failed   error
}

// halt is the panic by which the library's goroutine stops.
type halt struct{}

// Render implements [template.Dialect].
func (dialect) Render(ctx context.Context, p template.Page) (value.Value, error) {
	if _, ok := ctx.Deadline(); !ok {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, standardTime)
		defer stop()
	}
	r := &run{page: p, questions: make(chan func()), over: make(chan struct{}), files: map[string]*file{}, keys: map[string]*pongo2.Value{}}
	defer close(r.over)
	done := make(chan error, 1)
	go func() { done <- r.render() }()
	for {
		select {
		case answer := <-r.questions:
			answer()
		case err := <-done:
			if err != nil {
				return value.Null, err
			}
			return value.String(r.out.String()).Mark(r.marks).Verbatim(), nil
		case <-ctx.Done():
			if !errors.Is(ctx.Err(), context.DeadlineExceeded) {
				return value.Null, ctx.Err()
			}
			d := source.Errorf(p.File.Span(p.Start, p.Start), source.Timeout, "the template takes too long").
				WithHint("--timeout gives it more than the %s that are standard", standardTime)
			return value.Null, d
		}
	}
}

// ask calls f in the goroutine of Render.
func (r *run) ask(f func() error) error {
	var err error
	answered := make(chan struct{})
	select {
	case r.questions <- func() { defer close(answered); err = f() }:
		<-answered
		return err
	case <-r.over:
		panic(halt{})
	}
}

// fail stops the library with an error. One in the file that is at work gets the places of the includes that lead
// there.
func (r *run) fail(err error) {
	if d, ok := err.(*source.Diagnostic); ok && r.in != nil && d.At.File == r.in.source && len(d.Includes) == 0 {
		located := *d
		err = r.in.included(&located)
	}
	r.failed = err
	panic(halt{})
}

// render renders the template in the library's goroutine. Panics of the library are errors.
func (r *run) render() (err error) {
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(halt); !ok {
				r.failed = source.Errorf(r.at, source.BadValue, "pongo2 fails here%s", r.detail(": %v", p))
			}
			err = r.failed
		}
	}()
	r.set = pongo2.NewSet("yaytpl", loader{r})
	if err := r.set.BanTag("ssi"); err != nil {
		return err
	}
	r.set.Globals[hookName] = r.called
	main := r.add(&file{source: r.page.File, start: r.page.Start, dir: r.page.Dir})
	tpl, err := r.set.FromFile(main)
	if err == nil {
		err = r.ask(r.note)
	}
	if err == nil {
		err = tpl.ExecuteWriterUnbuffered(r.context(), writer{r})
	}
	if err == nil {
		err = r.ask(r.count)
	}
	return r.translated(err)
}

// note makes chance an input of the result, if it is one.
func (r *run) note() error {
	if r.random {
		r.page.Files(source.Span{}, false).Random()
	}
	return nil
}

// count adds the steps since the last time to the evaluation, which checks the time and the memory as well.
func (r *run) count() error {
	steps := r.steps
	r.steps = 0
	return r.page.Scope.Env.Step(steps)
}

// detail returns a detail of a message, unless it may have a part of a secret that the template has read.
func (r *run) detail(format string, args ...any) string {
	if r.marks != 0 {
		return "; the reason is not shown, because the template has read a secret"
	}
	return fmt.Sprintf(format, args...)
}

// A writer bounds the result.
type writer struct{ run *run }

var _ io.Writer = writer{}

// Write implements [io.Writer]. The library ignores its errors.
func (w writer) Write(p []byte) (int, error) {
	w.run.fits(w.run.at, w.run.out.Len()+len(p))
	return w.run.out.Write(p)
}

// fits fails if a text of n bytes is too long.
func (r *run) fits(at source.Span, n int) {
	if n > r.page.MaxBytes {
		r.fail(source.Errorf(at, source.Limit, "a text of more than %d bytes (--max-bytes)", r.page.MaxBytes))
	}
}

// A hook is a place in a template that calls the run: see [guard].
type hook struct {
	kind hookKind
	at   source.Span
	name string // of a filter, or a format of time
	n    int    // bytes of text after the place, or how many times as long a chain of filters makes a text
	end  int    // of an argumentHook: the endHook of its tag
	file *file

	longest int // of an endHook: most bytes of a text that its filters had so far
}

type hookKind uint8

const (
	bodyHook     hookKind = iota // a macro, a block, a file, or the default of a parameter begins
	leaveHook                    // it ends
	loopHook                     // a turn of a loop begins
	textHook                     // (value) is printed or added
	filterHook                   // (value, argument) of a filter
	noteHook                     // a file with a computed name is included, or n bytes are printed
	beginHook                    // {% filter %} follows
	endHook                      // its body is complete
	argumentHook                 // (argument) of one of its filters
	nowHook                      // {% now %}
	keyHook                      // a key of ROOT
	defaultHook                  // (another hook, value) of a default: it ends
)

// called is the function that guarded texts call.
func (r *run) called(ctx *pongo2.ExecutionContext, args ...*pongo2.Value) *pongo2.Value {
	h := &r.hooks[args[0].Integer()]
	if r.in = h.file; !h.at.IsZero() {
		r.at = h.at
	}
	switch h.kind {
	case bodyHook:
		r.enter(h.file)
		r.charge(h.n + callBytes)
	case leaveHook:
		r.stack -= h.file.frames()
	case noteHook:
		r.charge(h.n)
		r.included = h.at
	case loopHook:
		r.charge(h.n + r.items(ctx)*itemBytes)
	case textHook:
		r.charge(size(args[1]))
		return args[1]
	case filterHook:
		return r.filter(h.name, args[1:])
	case beginHook:
		r.bodies = append(r.bodies, r.printed)
		r.charge(h.n)
	case endHook:
		body := r.printed - r.bodies[len(r.bodies)-1]
		r.bodies = r.bodies[:len(r.bodies)-1]
		h.longest = max(h.longest, times(body, h.n))
		r.fits(h.at, h.longest)
		return pongo2.AsValue(nil)
	case argumentHook:
		n := room(h.name, pongo2.AsValue(""), args[1])
		if h.name == "join" || h.name == "stringformat" {
			end := &r.hooks[h.end]
			end.longest = times(end.longest, 1+size(args[1]))
			n += end.longest
		}
		r.fits(h.at, n)
		return args[1]
	case defaultHook:
		r.stack -= h.file.frames()
		return args[2]
	case keyHook:
		return r.key(value.K(h.name))
	case nowHook:
		var now time.Time
		_ = r.ask(func() error { now = r.page.Files(h.at, r.marks != 0).Now(); return nil })
		return pongo2.AsSafeValue(now.Format(h.name))
	}
	return pongo2.AsSafeValue("")
}

// callBytes are about the bytes that a call of a macro takes.
const callBytes = 640

// charge counts n bytes that are made or copied.
func (r *run) charge(n int) {
	const (
		stepBytes = 64
		batch     = 1_000
	)
	r.printed += n
	if r.steps += 1 + n/stepBytes; r.steps < batch {
		return
	}
	if err := r.ask(r.count); err != nil {
		if d, ok := errors.AsType[*source.Diagnostic](err); ok {
			err = d.Located(r.at)
		}
		r.fail(err)
	}
}

// itemBytes are the bytes that a loop takes for each item of its list when it begins.
const itemBytes = 64

// items returns the number of items in the list of a loop in its first turn, 0 in the others.
func (r *run) items(ctx *pongo2.ExecutionContext) int {
	loop := reflect.Indirect(reflect.ValueOf(ctx.Private["forloop"]))
	if loop.Kind() != reflect.Struct || !loop.FieldByName("Revcounter").IsValid() {
		return math.MaxInt16 // a variable of the template has this name
	}
	if loop.FieldByName("Counter0").Int() > 0 {
		return 0
	}
	return int(loop.FieldByName("Revcounter").Int())
}

// maxStack bounds the stack of the library's goroutine in kB, by an estimate: Go ends a program whose stack has 1 GB.
const maxStack = 200_000

// frames returns the most kB of the stack that a macro, a block or the text of f takes before the next one begins:
// 4 kB for a call, a quarter for each tag around the place, and 4 for each operator or filter there.
func (f *file) frames() int { return 4 + f.deepest/4 + 4*f.operators }

// enter counts a nested macro, block or file. Those of macros that call each other are as many as they like.
func (r *run) enter(f *file) {
	if r.stack += f.frames(); r.stack > maxStack {
		r.fail(source.Errorf(r.at, source.Limit, "macros, blocks or includes are nested too deeply: one of them reaches itself"))
	}
}
