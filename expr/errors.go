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

// missing is the reason of an undefined value. The diagnostic is made when somebody
// wants it, since the search for a near miss is wasted if "default" catches it.
type missing struct {
	explain func() *source.Diagnostic
	made    *source.Diagnostic
	soft    bool // written as an empty text
}

func undefined(explain func() *source.Diagnostic) value.Value {
	return value.Undefined(&missing{explain: explain})
}

// Soft reports whether v is undefined only because an inline "if" without "else" did
// not hold. Templates write it as an empty text: {{ ", " if not loop.last }}.
func Soft(v value.Value) bool {
	m, ok := v.Reason().(*missing)
	return ok && m.soft
}

func (m *missing) diagnostic() *source.Diagnostic {
	if m.made == nil {
		m.made = m.explain()
		if quotesSecret(m.made) {
			m.made = concealedIn(m.made)
		}
	}
	return m.made
}

// Error returns the text of the diagnostic.
func (m *missing) Error() string { return m.diagnostic().Error() }

// Unwrap returns the diagnostic.
func (m *missing) Unwrap() error { return m.diagnostic() }

// Raise returns the error of using v: nil unless v is undefined.
func Raise(v value.Value) error {
	if !v.Is(value.UndefinedKind) {
		return nil
	}
	var d *source.Diagnostic
	if errors.As(v.Reason(), &d) {
		return d
	}
	if err := v.Reason(); err != nil {
		return source.Errorf(source.Span{}, source.Undefined, "%s", err)
	}
	return source.Errorf(source.Span{}, source.Undefined, "the value is undefined")
}

func (s *Scope) visibleNames() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range s.varNames() {
			if !yield(name) {
				return
			}
		}
		for _, name := range append(s.Env.GlobalNames(), "SELF", "ROOT", "lookup", "query", "range", "dict") {
			if !yield(name) {
				return
			}
		}
	}
}

// undefinedKey is the value of a key or attribute that x does not have.
func undefinedKey(at source.Span, x Node, of value.Value, key string) value.Value {
	return undefined(func() *source.Diagnostic {
		d := source.Errorf(at, source.Undefined, "no such key %q%s", key, whose(x, of))
		if of.Is(value.MapKind) && of.Marks() == 0 {
			return d.DidYouMean(key, value.KeyTexts(of.Map()))
		}
		return d
	})
}

// whose says whose key is missing, as far as the expression has a name for it.
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

// nodeName writes a chain of names, keys and indexes as in the source.
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

var errSelfReference = source.Errorf(source.Span{}, source.Cycle, "a variable needs its own value")

// located gives an error of a value or a library the place of the expression that
// met it. An error that has a place keeps it. If marks is not zero, the message may
// show what must not be shown, and is replaced. That an evaluation was called off is no
// finding, and is handed on.
func located(at source.Span, code source.Code, err error, marks value.Marks) error {
	if err == nil || errors.Is(err, context.Canceled) {
		return err
	}
	var tooBig *value.LimitError
	if errors.As(err, &tooBig) {
		return source.Errorf(at, source.Limit, "%s", tooBig)
	}
	var d *source.Diagnostic
	if !errors.As(err, &d) {
		d = source.Errorf(at, codeOf(err, code), "%s", err)
		if marks != 0 {
			d.Message = concealed
		}
		return d
	}
	if marks != 0 && mayQuote(d, at) {
		return &source.Diagnostic{At: at, Severity: d.Severity, Code: d.Code, Message: concealed}
	}
	return d.Located(at)
}

// quotable returns the marks of what a message about arguments may quote: what is in
// lists and maps counts. Where an item cannot be computed, that is what the message is
// about.
func quotable(args value.Args) value.Marks {
	marks, _ := value.DeepMarks(value.ListOf(append(optionValues(args.Named), args.Pos...)...))
	return marks
}

const concealed = "the operation failed on a value that must not be shown"

// mayQuote reports whether a finding about the expression at a place may quote what
// was given to it: the name of a file or of a filter, a path. Findings from elsewhere,
// as from the body of a macro, are about what stands there.
func mayQuote(d *source.Diagnostic, at source.Span) bool {
	if d.Code == source.Limit || d.Code == source.Timeout {
		return false
	}
	return d.At.IsZero() || d.At.File == at.File && d.At.Start >= at.Start && d.At.End <= at.End
}

// codeOf lets an error of a library say its kind.
func codeOf(err error, otherwise source.Code) source.Code {
	var coded interface{ ErrorCode() string }
	if errors.As(err, &coded) && coded.ErrorCode() != "" {
		return source.Code(coded.ErrorCode())
	}
	return otherwise
}

// badExpression is the error of an expression object that makes no sense.
func badExpression(at source.Span, format string, args ...any) error {
	return source.Errorf(at, source.BadExpression, format, args...)
}

func unknownFilter(at source.Span, name string, lib Library) error {
	names := slices.AppendSeq(lib.FilterNames(), envFilters.names)
	d := source.Errorf(at, source.Syntax, "unknown filter %q", name)
	return d.DidYouMean(name, slices.Values(names))
}

func unknownTest(at source.Span, name string, lib Library) error {
	d := source.Errorf(at, source.Syntax, "unknown test %q", name)
	return d.DidYouMean(name, slices.Values(lib.TestNames()))
}

// Conceal returns an error about a text from an encrypted file without what it may
// quote of that text: names, literals, a template that cannot be read may be the
// secret, or a part of it. Place and code stay, so that the author can look. Errors
// about other texts, limits and cycles are returned as they are: keys and the names of
// files are structure, which is not secret (spec: yay, section 9).
func Conceal(err error) error {
	if err == nil {
		return nil
	}
	return conceal(err)
}

// conceal is apart from Conceal since its variable costs memory, which those without
// an error need not pay.
func conceal(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || !quotesSecret(d) {
		return err
	}
	return concealedIn(d)
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

// secretText reports whether a span lies in a text from an encrypted file.
func secretText(at source.Span) bool { return at.File != nil && at.File.Secret }

func concealedIn(d *source.Diagnostic) *source.Diagnostic {
	message := concealed
	switch {
	case d.Severity == source.Info:
		message = "trace of an expression that must not be shown"
	case d.Code == source.Undefined, d.Code == source.NoMatching:
		message = "a name or key in a text that must not be shown is not there"
	case d.Code != source.Syntax && d.Code != source.BadExpression:
	case strings.HasPrefix(d.Message, "template error"):
		message = "template error in a text that must not be shown"
	default:
		message = "error in an expression that must not be shown"
	}
	return &source.Diagnostic{Severity: d.Severity, Code: d.Code, Message: message, At: d.At, Includes: d.Includes, Within: d.Within}
}

// computed compiles and evaluates what was computed, one level deeper. A secret in any
// part of it may be a name, a path or a word of a template: nothing that is found in it
// is quoted then.
func computed[T any](v value.Value, at source.Span, s *Scope, compile func(*compiler, value.Value, Placer) (Node, error), run func(Node, *Scope) (T, error)) (out T, err error) {
	var c compiler
	n, err := compile(&c, v, Nowhere(at))
	if c.marks != 0 {
		s = s.discreet()
		if err == nil { // once more, with places that show nothing
			n, err = compile(new(compiler), v, Nowhere(hiddenPlace(at)))
		}
	}
	if err == nil {
		out, err = run(n, s)
	}
	if c.marks != 0 {
		err = discreet(err, at)
	}
	return out, err
}

// hiddenPlace returns a place as one in a text that must not be shown. Findings that
// come late, when a value is used, are known by it.
func hiddenPlace(at source.Span) source.Span {
	if at.File != nil {
		at.File = at.File.Hidden()
	}
	return at
}

// discreet returns an error of the evaluation of secret data without what it says: what
// the data consists of may be handed to anything, such as a macro somewhere else. A place
// in the data is that of the expression that evaluates it, which may be shown.
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

// A discreetEnv reports nothing that could quote what is evaluated.
type discreetEnv struct{ Env }

// Warn reports that there is a finding.
func (e discreetEnv) Warn(d *source.Diagnostic) { e.Env.Warn(concealedIn(d)) }

// discreet returns a scope for what was computed from secrets.
func (s *Scope) discreet() *Scope {
	if _, ok := s.Env.(discreetEnv); ok {
		return s
	}
	inner := *s
	inner.Env = discreetEnv{s.Env}
	return &inner
}
