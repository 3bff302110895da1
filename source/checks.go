package source

import (
	"slices"
	"strings"
)

// A Level says how findings of a kind are reported.
type Level string

// The levels.
const (
	LevelError   Level = "error"
	LevelWarning Level = "warning"
	LevelOff     Level = "off"
)

// Checks are the levels of kinds of warnings. Kinds that are not in it are warnings. The nil map
// is allowed.
type Checks map[Code]Level

// Levels returns all levels.
func Levels() []Level { return []Level{LevelError, LevelWarning, LevelOff} }

// Warnings returns the kinds of findings that are warnings, and whose levels can be set.
func Warnings() []Code {
	return []Code{
		BoundTwice, CaseOnlyDifference, Changed, DeadBinding, Encrypted, KindChange, ListRepeat, ListTwin, MixedHieraLayer, NoMatch, NullIgnored,
		OrphanContribution, PotentialConflict, Redacted, RenamedStillBound, ShadowedConflict, Suspicious, UndefinedInterpolation,
		UnknownKey, UnusedBindings, UnusedENC, WholeList, WhiteoutUnmatched,
	}
}

// JoinKinds returns the kinds of findings about layers.
func JoinKinds() []Code {
	return []Code{KindChange, ListRepeat, ListTwin, NullIgnored, UnknownKey, WhiteoutUnmatched}
}

// ParseChecks parses settings of the form KIND=LEVEL. The last one for a kind counts.
//
// Code: usage.
func ParseChecks(settings []string) (Checks, error) {
	var c Checks
	for _, text := range settings {
		kind, level, ok := strings.Cut(text, "=")
		if !ok {
			return nil, Errorf(Span{}, Usage, "a check is set by KIND=LEVEL, not %q", text).WithHint(levelHint)
		}
		if err := c.Set(strings.TrimSpace(kind), strings.TrimSpace(level)); err != nil {
			return nil, err
		}
	}
	return c, nil
}

const levelHint = "the levels are error, warning and off"

// Set sets the level of a kind.
//
// Code: usage, with near names.
func (c *Checks) Set(kind, level string) error {
	var names []string
	for _, code := range Warnings() {
		names = append(names, string(code))
	}
	if !slices.Contains(names, kind) {
		d := Errorf(Span{}, Usage, "unknown kind of warning %q", kind)
		if slices.ContainsFunc(Codes(), func(i CodeInfo) bool { return i.Code == Code(kind) }) {
			d.Message = "findings of kind " + kind + " are errors: only those that are warnings can be set"
		}
		return d.WithHint("the kinds are %s", strings.Join(names, ", ")).DidYouMean(kind, slices.Values(names))
	}
	var words []string
	for _, l := range Levels() {
		words = append(words, string(l))
	}
	if !slices.Contains(words, level) {
		return Errorf(Span{}, Usage, "unknown level %q for %s", level, kind).WithHint(levelHint).DidYouMean(level, slices.Values(words))
	}
	if *c == nil {
		*c = Checks{}
	}
	(*c)[Code(kind)] = Level(level)
	return nil
}

// Level returns the level of a kind.
func (c Checks) Level(code Code) Level {
	if level, ok := c[code]; ok {
		return level
	}
	return LevelWarning
}

// Apply returns a finding as its level says: a warning as it is or as an error, nil if it is off.
// Findings that are no warnings stay.
func (c Checks) Apply(d *Diagnostic) *Diagnostic {
	if d.Severity != Warning {
		return d
	}
	switch c.Level(d.Code) {
	case LevelOff:
		return nil
	case LevelError:
		raised := *d
		raised.Severity = Error
		return &raised
	}
	return d
}

// Filter returns a function that passes findings on to warn as their levels say. warn may be nil.
func (c Checks) Filter(warn func(*Diagnostic)) func(*Diagnostic) {
	if warn == nil || len(c) == 0 {
		return warn
	}
	return func(d *Diagnostic) {
		if d = c.Apply(d); d != nil {
			warn(d)
		}
	}
}
