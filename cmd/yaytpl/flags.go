package main

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/yaytpl/yaytpl/source"
)

// A flagGroup is a list of flags below one heading of a command's help.
type flagGroup struct {
	title string
	set   *pflag.FlagSet
	check func() error // refuses flags that exclude each other, before the command runs; nil for no check
}

func newFlagGroup(title string) flagGroup {
	set := pflag.NewFlagSet(title, pflag.ContinueOnError)
	set.SortFlags = false
	return flagGroup{title: title, set: set}
}

// A textList is the value of a flag that may be repeated. That of pflag makes a writer of CSV with a buffer of 4 kB
// for each such flag of all commands.
type textList []string

func (l *textList) String() string { return strings.Join(*l, ",") }

// Set adds a text.
func (l *textList) Set(text string) error {
	*l = append(*l, text)
	return nil
}

// Type is the name by which completion knows flags that may be repeated.
func (l *textList) Type() string { return "stringArray" }

// A wordList is a textList whose texts are also split at commas.
type wordList []string

func (l *wordList) String() string { return strings.Join(*l, ",") }

// Set adds the words of a text. An empty one has none.
func (l *wordList) Set(text string) error {
	if text != "" {
		*l = append(*l, strings.Split(text, ",")...)
	}
	return nil
}

// Type is the name by which completion knows flags that may be repeated.
func (l *wordList) Type() string { return "stringSlice" }

// generalFlags are the flags that every command has.
type generalFlags struct {
	errors  choice
	color   choice
	quiet   bool
	verbose bool
}

func (g *generalFlags) group() flagGroup {
	fg := newFlagGroup("Messages")
	fg.set.Var(&g.errors, "errors", "format of messages on standard error")
	fg.set.Var(&g.color, "color", "when to write colours")
	fg.set.BoolVarP(&g.quiet, "quiet", "q", false, "print errors only: no warnings, notes, summary or progress")
	fg.set.BoolVarP(&g.verbose, "verbose", "v", false, "print optional includes that are missing, and the time that the command took")
	fg.set.BoolP("help", "h", false, "print this help")
	return fg
}

// earlyGeneralFlags reads --errors and --color before cobra parses the command line, because
// errors of parsing are printed according to them.
func earlyGeneralFlags(args []string) generalFlags {
	g := generalFlags{errors: oneOf("text", "text", "json", "github", "sarif"), color: oneOf("auto", "auto", "always", "never")}
	for i, arg := range args {
		name, word, has := strings.Cut(arg, "=")
		if name == "--" {
			break
		}
		if !has && i+1 < len(args) {
			word = args[i+1]
		}
		switch name {
		case "--errors":
			_ = g.errors.Set(word) // cobra reports a bad value
		case "--color":
			_ = g.color.Set(word)
		}
	}
	return g
}

// withFlags adds the flags to c, with their checks, and their groups to its help.
func (a *app) withFlags(c *cobra.Command, groups ...flagGroup) *cobra.Command {
	for _, g := range groups {
		c.Flags().AddFlagSet(g.set)
	}
	c.PreRunE = func(*cobra.Command, []string) error {
		for _, g := range groups {
			if g.check == nil {
				continue
			}
			if err := g.check(); err != nil {
				return err
			}
		}
		return nil
	}
	a.flagGroups[c.Name()] = append(groups, a.generalGroup)
	return c
}

// flagError converts an error of pflag to a finding in the words of this command.
func flagError(c *cobra.Command, err error) error {
	if err == nil || errors.Is(err, pflag.ErrHelp) {
		return err
	}
	d := usageErrorf("%v", err)
	var unknown *pflag.NotExistError
	var invalid *pflag.InvalidValueError
	var empty *pflag.ValueRequiredError
	var malformed *pflag.InvalidSyntaxError
	switch {
	case errors.As(err, &unknown):
		unknownFlag(c, unknown, d)
	case errors.As(err, &invalid):
		reason := "it takes true or false"
		if cause := invalid.Unwrap(); cause != nil && strings.HasPrefix(cause.Error(), "it takes ") {
			reason = cause.Error()
		}
		d.Message = "bad value \"" + invalid.GetValue() + "\" for " + flagName(invalid.GetFlag()) + ": " + reason
	case errors.As(err, &empty):
		d.Message = flagName(empty.GetFlag()) + " needs a value"
	case errors.As(err, &malformed):
		d.Message = "invalid flag " + malformed.GetSpecifiedFlag()
	}
	if d.Hint == "" {
		d.WithHint("see %s --help", c.CommandPath())
	}
	return d
}

func unknownFlag(c *cobra.Command, err *pflag.NotExistError, d *source.Diagnostic) {
	if shorthands := err.GetSpecifiedShortnames(); shorthands != "" {
		d.Message = "unknown flag -" + err.GetSpecifiedName()
		if shorthands != err.GetSpecifiedName() {
			d.Message += " in -" + shorthands
		}
		d.WithHint("see %s --help; write -- before arguments that begin with -", c.CommandPath())
		if hint := foreignHint(c, err.GetSpecifiedName()); hint != "" {
			d.WithHint("%s; see %s --help", hint, c.CommandPath())
		}
		return
	}
	d.Message = "unknown flag --" + err.GetSpecifiedName()
	if hint := foreignHint(c, err.GetSpecifiedName()); hint != "" {
		d.WithHint("%s; see %s --help", hint, c.CommandPath())
		return
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	if near := source.Suggest(err.GetSpecifiedName(), slices.Values(names)); near != "" {
		d.WithHint("did you mean --%s? see %s --help", near, c.CommandPath())
	}
}

// flagName returns the short form of a flag if it has one: -o, --timeout.
func flagName(f *pflag.Flag) string {
	if f.Shorthand != "" {
		return "-" + f.Shorthand
	}
	return "--" + f.Name
}

// exactly requires one argument for each of the words, which name them in messages.
func exactly(words ...string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		var d *source.Diagnostic
		switch {
		case len(args) == len(words):
			return nil
		case len(args) < len(words):
			d = wrongArguments(c, "%s needs %s", c.Name(), strings.Join(words[len(args):], " and "))
		case len(words) == 0:
			return wrongArguments(c, "%s takes no arguments, not %q", c.Name(), args[0])
		default:
			d = wrongArguments(c, "%s takes %s: unexpected argument %q", c.Name(), strings.Join(words, " and "), args[len(words)])
		}
		if hint := argumentHint(c, words, args); hint != "" {
			d.WithHint("%s; see %s --help", hint, c.CommandPath())
		}
		return d
	}
}

// some requires at least one argument.
func some(word string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) == 0 {
			return wrongArguments(c, "%s needs at least one %s", c.Name(), word)
		}
		return nil
	}
}

// layersAnd requires at least one FILE and then the word.
func layersAnd(word string) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if len(args) >= 2 {
			return nil
		}
		return exactly("FILE", word)(c, args)
	}
}

// cutLast returns the FILEs and the last of the arguments.
func cutLast(args []string) (files []string, last string) {
	n := len(args) - 1
	return args[:n:n], args[n]
}

func wrongArguments(c *cobra.Command, format string, args ...any) *source.Diagnostic {
	return usageErrorf(format, args...).WithHint("see %s --help", c.CommandPath())
}

// withFiles gives --in of the commands that edit all words up to the next flag, as --in=WORD
// each. Without such a word it gives --in an empty one.
//
//	set -i a.b 1 --in x.yaml y.yaml --backup     set -i a.b 1 --in=x.yaml --in=y.yaml --backup
func withFiles(root *cobra.Command, words []string) []string {
	if !slices.Contains(words, "--in") {
		return words
	}
	c, _, err := root.Find(words)
	if err != nil || c.Flag("in") == nil {
		return words
	}
	var out []string
	for i := 0; i < len(words); i++ {
		if words[i] == "--" {
			return append(out, words[i:]...)
		}
		if words[i] != "--in" || i > 0 && takesNext(c, words[i-1]) {
			out = append(out, words[i])
			continue
		}
		first := i + 1
		for i+1 < len(words) && (words[i+1] == "-" || !strings.HasPrefix(words[i+1], "-")) {
			i++
			out = append(out, "--in="+words[i])
		}
		if i < first {
			out = append(out, "--in=")
		}
	}
	return out
}

// withPair gives --diff-nodes of lookup the two words that follow it.
//
//	lookup --diff-nodes a.yaml b.yaml site.pp     lookup --diff-nodes=a.yaml --diff-nodes=b.yaml site.pp
func withPair(root *cobra.Command, words []string) []string {
	const name = "--diff-nodes"
	i := slices.Index(words, name)
	if i < 0 {
		return words
	}
	c, _, err := root.Find(words)
	if err != nil || c.Flag(name[2:]) == nil || slices.Contains(words[:i], "--") || takesNext(c, words[i-1]) {
		return words
	}
	out, rest := slices.Clone(words[:i]), words[i+1:]
	if len(rest) < 2 {
		return append(out, name+"=")
	}
	out = append(out, name+"="+rest[0], name+"="+rest[1])
	return append(out, rest[2:]...)
}

// A choice is a flag whose value is one of a few words.
type choice struct {
	value string
	words []string
}

func oneOf(value string, words ...string) choice { return choice{value, words} }

func (c *choice) String() string      { return c.value }
func (c *choice) Type() string        { return strings.Join(c.words, "|") }
func (c *choice) is(word string) bool { return c.value == word }

func (c *choice) Set(word string) error {
	word = strings.TrimSpace(word)
	if !slices.Contains(c.words, word) {
		return fmt.Errorf("it takes %s", listed(c.words))
	}
	c.value = word
	return nil
}

// listed joins words as in "a, b or c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// A count is a flag whose value is a whole number above zero, or a size with a unit such as
// 10M. Zero means that the flag is not given.
type count struct {
	n     int
	units bool
}

func (c *count) Type() string {
	if c.units {
		return "BYTES"
	}
	return "N"
}

func (c *count) String() string {
	if c.n == 0 {
		return ""
	}
	return strconv.Itoa(c.n)
}

// Set parses a number such as 1000; with units also 64k, 10M, 2GB and 1GiB.
func (c *count) Set(s string) error {
	digits, factor := s, 1
	if c.units {
		digits, factor = cutUnit(s)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n <= 0 || n > math.MaxInt/factor {
		if c.units {
			return fmt.Errorf("it takes a size such as 1000, 64k, 10M or 2G")
		}
		return fmt.Errorf("it takes a whole number above zero")
	}
	c.n = n * factor
	return nil
}

// group returns --max-bytes as the only limit of a command.
func (c *count) group(usage string) flagGroup {
	limits := newFlagGroup("Limits")
	c.units = true
	limits.set.Var(c, "max-bytes", usage)
	return limits
}

func cutUnit(s string) (digits string, factor int) {
	digits = strings.TrimRight(s, "BbiI")
	if digits == "" {
		return s, 1
	}
	last := len(digits) - 1
	switch digits[last] {
	case 'k', 'K':
		return digits[:last], 1 << 10
	case 'm', 'M':
		return digits[:last], 1 << 20
	case 'g', 'G':
		return digits[:last], 1 << 30
	}
	return digits, 1
}

// A prefix is a flag whose value begins names.
type prefix struct{ s string }

func (p *prefix) Type() string   { return "PREFIX" }
func (p *prefix) String() string { return p.s }

// Set takes a prefix of names, which is not empty.
func (p *prefix) Set(s string) error {
	if s == "" {
		return fmt.Errorf("it takes the beginning of names, such as APP_")
	}
	p.s = s
	return nil
}

// A duration is a flag whose value is a time such as 500ms or 2m, or a number of seconds.
type duration struct{ d time.Duration }

func (d *duration) Type() string { return "TIME" }

func (d *duration) String() string {
	if d.d == 0 {
		return ""
	}
	return d.d.String()
}

// Set parses a duration that is not negative.
func (d *duration) Set(s string) error {
	span, err := time.ParseDuration(s)
	if seconds, bad := strconv.ParseFloat(s, 64); bad == nil && math.Abs(seconds) < 1e9 {
		span, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || span < 0 {
		return fmt.Errorf("it takes a time such as 500ms, 30s or 2m")
	}
	d.d = span
	return nil
}

// A docNumber is a flag whose value is the number of a document, counted from 0.
type docNumber struct {
	n   int
	set bool
}

func (d *docNumber) Type() string { return "N" }

func (d *docNumber) String() string {
	if !d.set {
		return ""
	}
	return strconv.Itoa(d.n)
}

// fromOne returns the number counted from 1, 0 if it is not given.
func (d *docNumber) fromOne() int {
	if !d.set {
		return 0
	}
	return d.n + 1
}

// Set parses a number that is not negative.
func (d *docNumber) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return fmt.Errorf("it takes the number of a document, counted from 0")
	}
	d.n, d.set = n, true
	return nil
}
