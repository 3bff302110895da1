package main

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/edit"
	"github.com/yaytpl/yaytpl/source"
)

// Values that are typed on the command line (spec: everyday, A1). VALUE of set and append, of
// -D, of -e and of get --default is read by one function, [yaytpl.TypedForm].

// A flagWord is one value of a flag that assigns, such as -D a=1.
type flagWord struct{ flag, text string }

// flagWords is the value of a flag that collects its words, in the order of the command line,
// in a list that it shares with other flags: -S a=1 -D a=2.
type flagWords struct {
	list *[]flagWord
	flag string
}

func (w flagWords) String() string { return "" }
func (w flagWords) Type() string   { return "PATH=VALUE" }

// Set adds a word.
func (w flagWords) Set(text string) error {
	*w.list = append(*w.list, flagWord{w.flag, text})
	return nil
}

// addWords adds a flag that collects words to a set.
func addWords(set *pflag.FlagSet, list *[]flagWord, name, short, usage string) {
	set.VarP(flagWords{list, "-" + short}, name, short, usage)
}

// Flags with assignments; -D is the third.
const (
	stringFlag = "-S"
	editFlag   = "-e"
)

// assignment parses the word of a flag.
func (w flagWord) assignment() (yaytpl.Assignment, error) {
	parse := yaytpl.ParseAssignment
	if w.flag == stringFlag {
		parse = yaytpl.ParseTextAssignment
	}
	a, err := parse(w.text)
	return a, w.named(err)
}

// named puts the flag in front of an error of usage.
func (w flagWord) named(err error) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || d.Code != source.Usage || d == nil {
		return err
	}
	return d.Named(w.flag)
}

// assignments parses the words of -D and -S.
func assignments(words []flagWord) ([]yaytpl.Assignment, error) {
	var list []yaytpl.Assignment
	for _, w := range words {
		a, err := w.assignment()
		if err != nil {
			return nil, err
		}
		list = append(list, a)
	}
	return list, nil
}

// filesOf returns the names of the files of assignments.
func filesOf(list []yaytpl.Assignment) []string {
	var names []string
	for _, a := range list {
		if a.File != "" {
			names = append(names, a.File)
		}
	}
	return names
}

// valueFlags are the flags of set and append for their VALUE.
type valueFlags struct {
	text     bool // --string
	from     string
	fromYAML string
}

func (f *valueFlags) addTo(g flagGroup, words *[]flagWord) {
	g.set.BoolVar(&f.text, "string", false, "every VALUE is text, whatever it looks like")
	g.set.StringVar(&f.from, "from", "", "the value is the text of this `FILE`, all of it; - is standard input")
	g.set.StringVar(&f.fromYAML, "from-yaml", "", "the value is the YAML of this `FILE`; - is standard input")
	addWords(g.set, words, "define-string", "S", "as -e `PATH=TEXT`, but always text (repeatable)")
}

// source returns the assignment of --from or --from-yaml, and false if there is neither.
func (f *valueFlags) source(path string) (a yaytpl.Assignment, ok bool) {
	switch {
	case f.from != "":
		return yaytpl.Assignment{Path: path, Form: yaytpl.TextForm, File: f.from}, true
	case f.fromYAML != "":
		return yaytpl.Assignment{Path: path, Form: yaytpl.YAMLForm, File: f.fromYAML}, true
	}
	return a, false
}

// edit converts an assignment to an edit. VALUE is text with --string.
func (f *valueFlags) edit(ctx context.Context, a yaytpl.Assignment, o yaytpl.Options) (edit.Edit, error) {
	if f.text && a.Form == yaytpl.TypedForm {
		a.Form = yaytpl.TextForm
	}
	e, err := edit.Assign(ctx, a, o)
	if d, ok := err.(*source.Diagnostic); ok && d.Code == source.Usage && d.Hint != "" {
		d.WithHint("--string makes it text; %s", d.Hint)
	}
	return e, err
}

// withDashedValue lets the VALUE of set and append begin with "-", unless it is a flag of the
// command: it moves the first word after FILE and PATH that is no flag to the end, after "--".
// The value of a flag stays.
//
//	set a.yaml x -1 -i         set a.yaml x -i -- -1
//	set a.yaml x -x            set a.yaml x -- -x
//	set a.yaml x --doc -1      (unchanged)
func withDashedValue(root *cobra.Command, words []string) []string {
	c, _, err := root.Find(words)
	if err != nil || c.Name() != "set" && c.Name() != "append" || slices.Contains(words, "--") {
		return words
	}
	plain := -2 // before FILE and PATH; the name of the command is one word more
	if slices.ContainsFunc(words, func(word string) bool { return strings.HasPrefix(word, "--in=") }) {
		plain = -1 // there is no FILE
	}
	for i := 0; i < len(words); i++ {
		switch word := words[i]; {
		case len(word) < 2 || word[0] != '-':
			plain++
		case takesNext(c, word):
			i++
		case plain == 1 && !isFlag(c, word):
			return append(slices.Delete(slices.Clone(words), i, i+1), "--", word)
		}
	}
	return words
}

// isFlag reports whether a word is a flag of the command, or several of one letter, with or
// without the value of the last one.
func isFlag(c *cobra.Command, word string) bool {
	if name, long := strings.CutPrefix(word, "--"); long {
		name, _, _ = strings.Cut(name, "=")
		return c.Flag(name) != nil
	}
	for i := 1; i < len(word); i++ {
		f := flagOf(c, word[i:i+1])
		switch {
		case f == nil:
			return false
		case f.NoOptDefVal == "": // the rest is its value
			return true
		}
	}
	return true
}

// takesNext reports whether a word is a flag that takes the next word as its value.
func takesNext(c *cobra.Command, word string) bool {
	if name, long := strings.CutPrefix(word, "--"); long {
		f := c.Flag(name)
		return f != nil && f.NoOptDefVal == ""
	}
	if letters, short := strings.CutPrefix(word, "-"); short {
		for i := range letters {
			f := flagOf(c, letters[i:i+1])
			if f == nil {
				return false
			}
			if f.NoOptDefVal == "" {
				return i == len(letters)-1
			}
		}
	}
	return false
}

// flagOf returns the flag of a letter, nil if there is none.
func flagOf(c *cobra.Command, letter string) *pflag.Flag {
	if f := c.Flags().ShorthandLookup(letter); f != nil {
		return f
	}
	return c.InheritedFlags().ShorthandLookup(letter)
}
