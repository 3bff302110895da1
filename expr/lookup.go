package expr

import (
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Lookups describes the lookup plugins.
func Lookups() []Doc {
	docs := lookups().docs()
	for i, l := range lookups() {
		if names := slices.Collect(l.call.names); len(names) > 0 && names[0] != anyOption {
			docs[i].Doc += ". Options: " + strings.Join(names, ", ")
		}
	}
	return docs
}

// A lookup is a lookup plugin: the options that it has beside "errors" and "wantlist", each with its
// other names ("allow_no_value allow_none"), and the function.
type lookup struct {
	options []string
	find    func(c lookupCall) ([]value.Value, error)
}

// anyOption says that a lookup takes options of all names.
const anyOption = "*"

// knows reports whether the lookup has an option with a name.
func (l lookup) knows(name string) bool {
	return slices.Contains(l.options, anyOption) || contains(l.names, name)
}

// names yields the names of the options.
func (l lookup) names(yield func(string) bool) {
	for _, o := range l.options {
		for _, name := range strings.Fields(o) {
			if !yield(name) {
				return
			}
		}
	}
}

func contains(names iter.Seq[string], name string) bool {
	for n := range names {
		if n == name {
			return true
		}
	}
	return false
}

// allLookups is a lateTable because "unfurl" evaluates expressions, which may have lookups.
var allLookups lateTable[lookup]

func lookups() table[lookup] { return allLookups.get(newLookups) }

func newLookups() table[lookup] {
	return table[lookup]{
		{Doc{"csvfile", "a field of the row of a CSV file that begins with a key", "lookup('csvfile', 'k', file='t.csv', delimiter=',')", "v"}, lookup{words("file delimiter col keycol default encoding"), lookupCSV}},
		{Doc{"dict", "a map as a list of {key, value}", "query('dict', {'k': 1})", "[{key: k, value: 1}]"}, lookup{nil, filterTerms("dict2items", value.MapKind)}},
		{Doc{"env", "an environment variable; default= if it is unset, else an empty text", "lookup('env', 'NO_SUCH', default='x')", "x"}, lookup{words("default"), lookupEnv}},
		{Doc{"file", "the contents of a file, without blanks at its end", "lookup('file', 'data.txt')", "line"}, lookup{words("rstrip lstrip"), lookupFile}},
		{Doc{"fileglob", "the files that match a pattern", "query('fileglob', '*.txt')", "[/srv/site/data.txt]"}, lookup{nil, filterTerms("fileglob", value.StringKind)}},
		{Doc{"first_found", "the first file that exists", "lookup('first_found', ['no.txt', 'data.txt'])", "/srv/site/data.txt"}, lookup{words("files paths skip"), lookupFirstFound}},
		{Doc{"flattened", "all items, nested lists expanded", "query('flattened', [1, [2, [3]]])", "[1, 2, 3]"}, lookup{nil, lookupFlattened}},
		{Doc{"indexed_items", "the items with their positions", "query('indexed_items', ['a'])", "[[0, a]]"}, lookup{nil, lookupIndexedItems}},
		{Doc{"ini", "a setting of an INI file, or of a Java properties file", "lookup('ini', 'k', section='s', file='x.ini')", "v"}, lookup{[]string{"file", "section", "type", "re", "default", "encoding", "case_sensitive", "allow_no_value allow_none", "interpolation"}, lookupIni}},
		{Doc{"items", "the items of lists", "query('items', [1, 2])", "[1, 2]"}, lookup{nil, lookupItems}},
		{Doc{"lines", "the lines that a command prints", "query('lines', 'echo a')", "[a]"}, lookup{nil, lookupLines}},
		{Doc{"list", "its arguments", "query('list', 1, 2)", "[1, 2]"}, lookup{nil, lookupList}},
		{Doc{"nested", "all combinations of the items of lists", "query('nested', [1], ['a', 'b'])", "[[1, a], [1, b]]"}, lookup{nil, lookupNested}},
		{Doc{"password", "a password that a file keeps, a random one if the file does not exist. Writing it needs --allow-write; /dev/null is not written", "lookup('password', '/dev/null length=3 chars=a')", "aaa"}, lookup{words("length chars encrypt ident seed"), lookupPassword}},
		{Doc{"pipe", "the output of a command", "lookup('pipe', 'echo a')", "a"}, lookup{nil, lookupPipe}},
		{Doc{"random_choice", "a random item", "lookup('random_choice', ['a'])", "a"}, lookup{nil, lookupRandomChoice}},
		{Doc{"sequence", "numbers as texts: [start-]end[/stride][:format], or start=, end= or count=, stride=, format=", "query('sequence', 'start=1 end=3')", "['1', '2', '3']"}, lookup{words("start end stride count format"), lookupSequence}},
		{Doc{"subelements", "pairs of an item without a list in it and each element of that list", "query('subelements', [{'n': 1, 'k': [2]}], 'k')", "[[{n: 1}, 2]]"}, lookup{words("skip_missing"), lookupSubelements}},
		{Doc{"template", "the text of a rendered template file. Line breaks after blocks are removed, as trim_blocks does; a header line of the file changes that", "lookup('template', 'part.j2')", `"text\n"`}, lookup{words("template_vars variable_start_string variable_end_string comment_start_string comment_end_string convert_data jinja2_native"), lookupTemplate}},
		{Doc{"together", "the items of lists side by side", "query('together', [1, 2], ['a', 'b'])", "[[1, a], [2, b]]"}, lookup{nil, lookupTogether}},
		{Doc{"unfurl", "the value of a path or expression; options are variables", "lookup('unfurl', '::a::b')", "7"}, lookup{words(anyOption), lookupUnfurl}},
		{Doc{"unvault", "the contents of a file, decrypted if it is encrypted", "lookup('unvault', 'data.txt')", `"line\n"`}, lookup{nil, lookupUnvault}},
		{Doc{"url", "the lines of a page", "lookup('url', 'https://example.org/')", "text"}, lookup{words("split_lines"), lookupURL}},
		{Doc{"varnames", "the names of variables that match a regular expression, in order of definition", "query('varnames', '^db_')", "[db_host]"}, lookup{nil, lookupVarnames}},
		{Doc{"vars", "variables by name", "lookup('vars', 'port', default=80)", "80"}, lookup{words("default"), lookupVars}},
	}
}

func words(text string) []string { return strings.Fields(text) }

// A lookupCall is one call of a lookup plugin: its terms, and keyword options.
type lookupCall struct {
	caller
	name    string
	plugin  lookup
	terms   []value.Value
	options []value.Named
	chosen  *value.Marks // of the values that decided what was found
}

func (c lookupCall) errorf(code source.Code, format string, args ...any) *source.Diagnostic {
	return source.Errorf(c.at, code, format, args...)
}

// term returns the text of a term. Any other kind is an error.
func (c lookupCall) term(v value.Value) (string, error) {
	if !v.Is(value.StringKind) {
		return "", c.errorf(source.BadType, "lookup %q needs a string, not %s", c.name, value.Article(v.Kind()))
	}
	return v.Str(), nil
}

// The costs of a question to the host, such as for a file, and of an item of the result of a lookup.
const (
	hostSteps       = 256
	lookupItemSteps = 16
)

// lookupFunc returns the template function "lookup", "query" or "q", and nil for other
// names. at is the place of its calls.
func (s *Scope) lookupFunc(name string, at source.Span) *value.Func {
	switch name {
	case "lookup", "query", "q":
	case "namespace":
		return s.namespaceFunc()
	default:
		return nil
	}
	return &value.Func{Name: name, Call: func(args value.Args) (value.Value, error) {
		if name == "lookup" && s.bound(args.Pos) {
			return s.inject(Injection{Function: name, Args: args.Pos, Named: args.Named})
		}
		if len(args.Pos) == 0 || !args.Pos[0].Is(value.StringKind) {
			return value.Null, source.Errorf(source.Span{}, source.BadType, "%q needs the name of a lookup plugin", name)
		}
		c := lookupCall{caller: caller{s: s, at: at}, name: pluginName(args.Pos[0].Str()), terms: args.Pos[1:], chosen: new(value.Marks)}
		wantList, err := c.take(args.Named)
		if err != nil {
			return value.Null, err
		}
		if err := c.Step(hostSteps); err != nil {
			return value.Null, err
		}
		found, failed, err := c.run()
		if err == nil {
			err = c.Step(1 + lookupItemSteps*len(found))
		}
		switch {
		case err != nil:
			return value.Null, err
		case name != "lookup" || wantList:
			return value.ListOf(found...).Mark(c.marks()), nil
		case failed:
			return value.Null.Mark(c.marks()), nil
		}
		return c.single(found).Mark(c.marks()), nil
	}}
}

// take sets the options of the call. It returns the option "wantlist".
func (c *lookupCall) take(options []value.Named) (wantList bool, err error) {
	for _, o := range options {
		if o.Name == "wantlist" {
			if err = Raise(o.Value); err == nil {
				wantList = value.Truthy(o.Value)
			}
			continue
		}
		c.options = append(c.options, o)
	}
	return wantList, err
}

// pluginName returns a name without its collection: items for ansible.builtin.items.
func pluginName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// notHere names the data that a lookup reads from an installation of Ansible, "" for other lookups.
func notHere(name string) string {
	switch name {
	case "config":
		return "the settings of Ansible"
	case "inventory_hostnames":
		return "an inventory"
	}
	return ""
}

// run calls the plugin. The option "errors" can turn a failure into an empty result.
func (c *lookupCall) run() (found []value.Value, failed bool, err error) {
	var ok bool
	if c.plugin, ok = lookups().find(c.name); !ok {
		if what := notHere(c.name); what != "" {
			return nil, false, c.errorf(source.BadValue, "lookup %q reads %s, which yaytpl does not have", c.name, what)
		}
		d := c.errorf(source.BadValue, "unknown lookup %q", c.name)
		if in := collectionOf("lookup", c.name); in != "" {
			return nil, false, d.WithHint("it is a lookup of %s, which yaytpl does not have", in)
		}
		return nil, false, d.DidYouMean(c.name, lookups().names)
	}
	for _, v := range append(slices.Clone(c.terms), optionValues(c.options)...) {
		if err := Raise(v); err != nil {
			return nil, false, err
		}
	}
	if err := c.checkOptions(); err != nil {
		return nil, false, err
	}
	if err := c.chosenBy(); err != nil {
		return nil, false, err
	}
	c.secret = c.marks() != 0
	found, err = c.plugin.find(*c)
	if err != nil {
		return nil, true, c.failed(err)
	}
	marks := c.marks()
	for i := range found {
		found[i] = plain(found[i]).Mark(marks)
		c.s.touch(found[i].Marks())
	}
	return found, false, nil
}

// checkOptions refuses options that the plugin does not have, and unknown values of "errors".
func (c lookupCall) checkOptions() error {
	for _, o := range c.options {
		if o.Name == "errors" {
			if mode := o.Value.Str(); !slices.Contains(errorModes, mode) && !o.Value.IsNull() {
				return c.errorf(source.BadValue, `the option "errors" is strict, warn or ignore, not %q`, mode).DidYouMean(mode, slices.Values(errorModes))
			}
			continue
		}
		if err := c.known(o.Name); err != nil {
			return err
		}
	}
	return nil
}

var errorModes = []string{"strict", "warn", "ignore"}

// known refuses an option that the plugin does not have.
func (c lookupCall) known(name string) error {
	if c.plugin.knows(name) {
		return nil
	}
	d := c.errorf(source.BadValue, "lookup %q has no option %q", c.name, name)
	names := slices.Collect(c.plugin.names)
	if len(names) > 0 {
		d.Hint = "its options are " + strings.Join(names, ", ")
	}
	return d.DidYouMean(name, slices.Values(append(names, "errors", "wantlist")))
}

// chosenBy notes that secrets in the terms and options decide what is found. A plugin that
// rearranges the items of its terms does not read them.
func (c lookupCall) chosenBy() error {
	switch c.name {
	case "items", "flattened", "indexed_items", "list", "nested", "together", "subelements", "dict", "random_choice":
	default:
		for _, v := range append(slices.Clone(c.terms), optionValues(c.options)...) {
			m, err := c.DeepMarks(v)
			if err != nil {
				return err
			}
			*c.chosen |= m
		}
	}
	if c.marks() != 0 && c.name != "file" && c.name != "url" && c.name != "env" && c.name != "pipe" {
		c.Decided()
	}
	return nil
}

// marks returns the marks of the terms and options, which decide what is found.
func (c lookupCall) marks() value.Marks {
	return argMarks(value.Args{Pos: c.terms, Named: c.options}) | c.s.BaseMarks | *c.chosen
}

func optionValues(options []value.Named) []value.Value {
	out := make([]value.Value, len(options))
	for i, o := range options {
		out[i] = o.Value
	}
	return out
}

// failed returns the error, or nil if the option "errors" is "ignore" or "warn". A limit
// is always an error.
func (c lookupCall) failed(err error) error {
	err = Conceal(located(c.at, source.BadValue, err, c.s.quotable(value.Args{Pos: c.terms, Named: c.options})|c.s.BaseMarks))
	mode, _ := c.option("errors")
	if errors.Is(err, source.ErrLimit) {
		return err
	}
	switch mode.Str() {
	case "ignore":
		return nil
	case "warn":
		if d, ok := errors.AsType[*source.Diagnostic](err); ok {
			warning := *d
			warning.Severity = source.Warning
			c.s.Env.Warn(&warning)
		}
		return nil
	}
	return err
}

// single returns the value of "lookup": several texts are joined by commas, and nothing is an empty
// list.
func (c lookupCall) single(found []value.Value) value.Value {
	switch {
	case len(found) == 1 || c.name == "unfurl":
		return One(found)
	case len(found) == 0:
		return value.ListOf()
	}
	var all value.TextBuilder
	for i, v := range found {
		if !v.Is(value.StringKind) {
			return value.ListOf(found...)
		}
		if i > 0 {
			all.WriteString(",")
		}
		_ = all.WriteValue(v, v.Str()) // fails for lists and maps only
	}
	return all.Value().Verbatim()
}

// lookup evaluates the function {lookup: {plugin: terms, option: value}}.
func (c *funcCall) lookup(arg value.Value, s *Scope) (value.Value, error) {
	if arg.Is(value.StringKind) || arg.Is(value.ListKind) {
		return c.injected(arg, s)
	}
	call := lookupCall{caller: caller{s: s, at: c.At}, chosen: new(value.Marks)}
	var options []value.Named
	for k := range arg.Map().Keys() {
		v, _, err := arg.Map().Get(k)
		if err != nil {
			return value.Null, err
		}
		v = v.Mark(arg.Marks())
		if call.name == "" {
			call.name = pluginName(k.Text)
			call.terms = []value.Value{v}
			if v.Is(value.ListKind) {
				if call.terms, err = listItems(v); err != nil {
					return value.Null, err
				}
			}
			continue
		}
		options = append(options, value.Named{Name: k.Text, Value: v})
	}
	if call.name == "" {
		return value.Null, badExpression(c.At, `"lookup" takes a map: {plugin: arguments}`)
	}
	wantList, err := call.take(options)
	if err != nil {
		return value.Null, err
	}
	found, _, err := call.run()
	if wantList && err == nil {
		return value.ListOf(found...).Mark(call.marks()), nil
	}
	return One(found).Mark(call.marks()), err
}
