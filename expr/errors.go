package expr

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A missingError is the reason of an undefined value. The diagnostic is made on demand,
// since the search for a near miss is wasted if "default" replaces the value.
type missingError struct {
	explain func() *source.Diagnostic
	made    *source.Diagnostic
	soft    bool // written as an empty text
}

func undefined(explain func() *source.Diagnostic) value.Value {
	return value.Undefined(&missingError{explain: explain})
}

// Soft reports whether v is undefined because an inline "if" without "else" was false.
// Templates write it as an empty text: {{ ", " if not loop.last }}.
func Soft(v value.Value) bool {
	m, ok := v.Reason().(*missingError)
	return ok && m.soft
}

// hard returns v so that it is not written as an empty text: only the inline "if" itself is, and
// no attribute of it.
func hard(v value.Value) value.Value {
	if m, ok := v.Reason().(*missingError); ok && m.soft {
		return undefined(m.explain).Mark(v.Marks())
	}
	return v
}

func (m *missingError) diagnostic() *source.Diagnostic {
	if m.made == nil {
		m.made = m.explain()
		if quotesSecret(m.made) {
			m.made = concealedIn(m.made)
		}
	}
	return m.made
}

// Error returns the text of the diagnostic.
func (m *missingError) Error() string { return m.diagnostic().Error() }

// Unwrap returns the diagnostic.
func (m *missingError) Unwrap() error { return m.diagnostic() }

// Raise returns the error of using v: nil unless v is undefined.
func Raise(v value.Value) error {
	if !v.Is(value.UndefinedKind) {
		return nil
	}
	if d, ok := errors.AsType[*source.Diagnostic](v.Reason()); ok {
		return withMarks(d, v.Marks())
	}
	if err := v.Reason(); err != nil {
		return source.Errorf(source.Span{}, source.Undefined, "%s", err)
	}
	return source.Errorf(source.Span{}, source.Undefined, "the value is undefined")
}

// lateMissing returns an undefined value for the error of a value whose own template uses an
// undefined name, so that "default" and "is defined" accept it. Other errors stay:
//
//	deep: "{{ nested }}"
//	a: "{{ deep | default('x') }}"    x
//	b: "{{ deep }}"                   the error of deep
func lateMissing(v value.Value, err error) (value.Value, error) {
	d, ok := errors.AsType[*source.Diagnostic](err)
	if !ok || d.Code != source.Undefined {
		return v, err
	}
	var marks markedCause
	if errors.As(d.Cause, &marks); quotesSecret(d) {
		marks.Marks |= value.Secret
	}
	return value.Undefined(d).Mark(marks.Marks), nil
}

// A markedCause is the cause of an undefined value that depends on values with marks.
type markedCause struct {
	value.Marks
	cause error
}

// Error says nothing: the finding around it does.
func (c markedCause) Error() string { return "undefined because of a value that must not be shown" }

// Unwrap returns the cause below.
func (c markedCause) Unwrap() error { return c.cause }

// withMarks returns d with the marks of the value that is undefined.
func withMarks(d *source.Diagnostic, m value.Marks) *source.Diagnostic {
	if m == 0 {
		return d
	}
	marked := *d
	marked.Cause = markedCause{m, d.Cause}
	return &marked
}

func (s *Scope) visibleNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range s.varNames() {
			if !yield(name) {
				return
			}
		}
		names := []string{"SELF", "ROOT", "lookup", "query", "range", "dict"}
		if s.looks(0) {
			names = append(s.Env.GlobalNames(), names...)
			s.looks(len(names))
		}
		for _, name := range names {
			if !yield(name) {
				return
			}
		}
	}
}

// undefinedKey returns the value of a key or attribute that x does not have.
func undefinedKey(at source.Span, x Node, of value.Value, key string) value.Value {
	return undefined(func() *source.Diagnostic {
		return hintKey(source.Errorf(at, source.Undefined, "no such key %q%s", key, whose(x, of)), x, of, key)
	})
}

// whose names the value without the key, if the expression is a chain of names:
// " in services.web".
func whose(x Node, of value.Value) string {
	name := nodeName(x)
	switch {
	case name != "" && of.Is(value.MapKind):
		return " in " + name
	case name != "":
		return fmt.Sprintf(" in %s, which is %s", name, value.Article(of.Kind()))
	case !of.Is(value.MapKind):
		return " in " + value.Article(of.Kind())
	}
	return ""
}

// nodeName writes a chain of names, keys and indexes as in the source, and other nodes
// as "".
func nodeName(n Node) string {
	switch n := n.(type) {
	case *Name:
		return n.Name
	case *Select:
		if x := nodeName(n.X); x != "" {
			return x + "." + n.Name
		}
	case *Index:
		x, lit := nodeName(n.X), (*Lit)(nil)
		if l, ok := n.Key.(*Lit); ok {
			lit = l
		}
		if x != "" && lit != nil && lit.Value.IsScalar() {
			if text, err := value.Repr(lit.Value); err == nil {
				return x + "[" + text + "]"
			}
		}
	}
	return ""
}

var errSelfReference = &source.Diagnostic{Code: source.Cycle, Message: "a variable needs its own value"}

// located adds the place of an expression to an error of a value or of the library. An
// error with a place keeps it. If marks is not zero, the message may quote a secret and
// is replaced. The error of a canceled context stays as it is.
func located(at source.Span, code source.Code, err error, marks value.Marks) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	if tooBig, ok := errors.AsType[*value.LimitError](err); ok {
		return source.Errorf(at, source.Limit, "%s", tooBig)
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		d = source.Errorf(at, source.CodeOf(err, code), "%s", err)
		var misfit *value.MisfitError
		switch {
		case marks != 0:
			d.Message = concealed
		case errors.As(err, &misfit) && misfit.Hint() != "":
			d.WithHint("%s", misfit.Hint())
		}
		return d
	}
	if marks != 0 && mayQuote(d, at) {
		return &source.Diagnostic{At: at, Severity: d.Severity, Code: d.Code, Message: concealed}
	}
	return d.Located(at)
}

// quotable returns the marks of everything that a message about arguments may quote,
// items of lists and maps included. The error of an item that cannot be computed is
// ignored: it is the subject of the message. A failed call may be one of many that a
// program goes on after, so it costs steps.
func (s *Scope) quotable(args value.Args) value.Marks {
	ended := false
	charge := func(n int) error {
		err := s.Env.Step(n)
		ended = err != nil
		return err
	}
	marks, _ := value.DeepMarksCharged(value.ListOf(append(optionValues(args.Named), args.Pos...)...), charge)
	if ended {
		return value.Secret // the rest is not known
	}
	return marks
}

const concealed = "the operation failed on a value that must not be shown"

// mayQuote reports whether a finding about the expression at a place may quote its
// arguments, such as a path or the name of a filter. A finding from elsewhere, such as
// the body of a macro, quotes the text there.
func mayQuote(d *source.Diagnostic, at source.Span) bool {
	if d.Code == source.Limit || d.Code == source.Timeout {
		return false
	}
	return d.At.IsZero() || d.At.File == at.File && d.At.Start >= at.Start && d.At.End <= at.End
}

// badExpression returns the error of an invalid expression object.
func badExpression(at source.Span, format string, args ...any) error {
	return source.Errorf(at, source.BadExpression, format, args...)
}

func unknownFilter(at source.Span, name string, lib Library) error {
	names := slices.AppendSeq(lib.FilterNames(), envFilters().names)
	d := source.Errorf(at, source.Syntax, "unknown filter %q", name)
	switch {
	case hasTest(lib, name):
		return d.WithHint("%q is a test: write x is %s", name, name)
	case isFunction(name):
		return d.WithHint("%q is a function of expressions: {eval: {%s: ...}}", name, name)
	case collectionOf("filter", name) != "":
		return d.WithHint("it is a filter of %s, which yaytpl does not have", collectionOf("filter", name))
	}
	return d.DidYouMean(name, slices.Values(names))
}

func unknownTest(at source.Span, name string, lib Library) error {
	d := source.Errorf(at, source.Syntax, "unknown test %q", name)
	if _, known := envFilters().find(name); known || lib.HasFilter(name) {
		return d.WithHint("%q is a filter: write x | %s", name, name)
	}
	if c := collectionOf("test", name); c != "" {
		return d.WithHint("it is a test of %s, which yaytpl does not have", c)
	}
	if slices.Contains(taskTests, name) {
		return d.WithHint("it is a test of the results of Ansible's tasks")
	}
	return d.DidYouMean(name, slices.Values(slices.AppendSeq(lib.TestNames(), envTests.names)))
}

// Conceal replaces the message of an error about a text from an encrypted file, since it
// may quote the secret: a name, a literal, a template with a syntax error. Place and
// code stay, so that the author can look. Errors about other texts, and limits and
// cycles, stay as they are: keys and file names are not secret (spec: yay, section 9).
//
//	secret.yaml:3:7: template error in a text that must not be shown
func Conceal(err error) error {
	if d, ok := errors.AsType[*source.Diagnostic](err); ok && quotesSecret(d) {
		return concealedIn(d)
	}
	return err
}

func quotesSecret(d *source.Diagnostic) bool {
	if !secretText(d.At) {
		return false
	}
	switch d.Code {
	case source.Limit, source.Timeout, source.Cycle, source.Paradox, source.Internal, source.MissingInclude, source.RecursiveInclude:
		return false
	}
	return true
}

// secretText reports whether a span is in a text from an encrypted file.
func secretText(at source.Span) bool { return at.File != nil && at.File.Secret }

func concealedIn(d *source.Diagnostic) *source.Diagnostic {
	message := concealed
	switch {
	case d.Severity == source.Info:
		message = "trace of an expression that must not be shown"
	case d.Code == source.Undefined, d.Code == source.NoMatching:
		message = "unknown name or key in a text that must not be shown"
	case d.Code != source.Syntax && d.Code != source.BadExpression:
	case strings.HasPrefix(d.Message, "template error"):
		message = "template error in a text that must not be shown"
	default:
		message = "error in an expression that must not be shown"
	}
	return &source.Diagnostic{Severity: d.Severity, Code: d.Code, Message: message, At: d.At, Includes: d.Includes, Within: d.Within}
}

// partSteps is the cost of compiling a part of an expression object.
const partSteps = 16

// computed compiles and evaluates computed data. If any part of the data is marked, it
// may be a name, a path or a word of a template that is secret: errors then quote
// nothing of it.
func computed[T any](v value.Value, at source.Span, s *Scope, compile func(*compiler, value.Value, Placer) (Node, error), run func(Node, *Scope) (T, error)) (out T, err error) {
	var c compiler
	n, err := compile(&c, v, Nowhere(at))
	if err == nil {
		err = s.step(at, 1+partSteps*c.parts)
	}
	if c.marks != 0 {
		s = s.discreet()
		if err == nil { // again, with places that findings do not quote
			n, err = compile(new(compiler), v, Nowhere(hiddenPlace(at)))
		}
	}
	if err == nil {
		s.decided(c.marks)
		out, err = run(n, s)
	}
	if c.marks != 0 {
		err = discreet(err, at)
	}
	return out, err
}

// hiddenPlace returns the place as one in a secret text, so that findings that are made
// later, when a value is used, are concealed too.
func hiddenPlace(at source.Span) source.Span {
	if at.File != nil {
		at.File = at.File.Hidden()
	}
	return at
}

// discreet replaces the message of an error of the evaluation of secret data. It may
// quote the data even if its place is elsewhere, since the data may be passed to a macro.
// It replaces a place in the data by the place of the expression, which may be shown.
func discreet(err error, at source.Span) error {
	var d *source.Diagnostic
	if err == nil || errors.Is(err, context.Canceled) || !errors.As(located(at, source.BadValue, err, 0), &d) {
		return err
	}
	if d.Code != source.Limit && d.Code != source.Timeout {
		d = concealedIn(d)
	}
	if hidden := hiddenPlace(at); hidden.Contains(d.At) {
		there := *d
		there.At = at
		return &there
	}
	return d
}

// A discreetEnv conceals the findings that an evaluation reports.
type discreetEnv struct{ Env }

// Warn reports a finding without its message.
func (e discreetEnv) Warn(d *source.Diagnostic) { e.Env.Warn(concealedIn(d)) }

// discreet returns a scope for expressions that were computed from secrets.
func (s *Scope) discreet() *Scope {
	if _, ok := s.Env.(discreetEnv); ok {
		return s
	}
	inner := *s
	inner.Env = discreetEnv{s.Env}
	return &inner
}
