package expr

import (
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Lookups describes the lookup plugins.
func Lookups() []Doc { return lookups.docs() }

type lookupFunc func(c lookupCall) ([]value.Value, error)

// lookups is set by init, since an expression that a lookup evaluates may have lookups.
var lookups table[lookupFunc]

func init() {
	lookups = table[lookupFunc]{
		{Doc{"csvfile", "a field of the row of a CSV file that begins with a key", "lookup('csvfile', 'k', file='t.csv', delimiter=',')", "v"}, lookupCSV},
		{Doc{"dict", "a map as a list of {key, value}", "query('dict', {'k': 1})", "[{key: k, value: 1}]"}, filterTerms("dict2items", value.MapKind)},
		{Doc{"env", "an environment variable; default= if it is unset, else an empty text", "lookup('env', 'NO_SUCH', default='x')", "x"}, lookupEnv},
		{Doc{"file", "the contents of a file, without blanks at its end", "lookup('file', 'data.txt')", "line"}, lookupFile},
		{Doc{"fileglob", "the files that match a pattern", "query('fileglob', '*.txt')", "[/srv/site/data.txt]"}, filterTerms("fileglob", value.StringKind)},
		{Doc{"first_found", "the first file that exists", "lookup('first_found', ['no.txt', 'data.txt'])", "/srv/site/data.txt"}, lookupFirstFound},
		{Doc{"flattened", "all items, lists in lists taken apart", "query('flattened', [1, [2, [3]]])", "[1, 2, 3]"}, lookupFlattened},
		{Doc{"indexed_items", "the items with their positions", "query('indexed_items', ['a'])", "[[0, a]]"}, lookupIndexedItems},
		{Doc{"ini", "a setting of an INI file", "lookup('ini', 'k', section='s', file='x.ini')", "v"}, lookupIni},
		{Doc{"items", "the items of lists", "query('items', [1, 2])", "[1, 2]"}, lookupItems},
		{Doc{"lines", "the lines that a command prints", "query('lines', 'echo a')", "[a]"}, lookupLines},
		{Doc{"list", "its arguments", "query('list', 1, 2)", "[1, 2]"}, lookupList},
		{Doc{"nested", "all combinations of the items of lists", "query('nested', [1], ['a', 'b'])", "[[1, a], [1, b]]"}, lookupNested},
		{Doc{"pipe", "what a command prints", "lookup('pipe', 'echo a')", "a"}, lookupPipe},
		{Doc{"random_choice", "one item, by chance", "lookup('random_choice', ['a'])", "a"}, lookupRandomChoice},
		{Doc{"sequence", "numbers as texts: start, end, stride, count, format", "query('sequence', 'start=1 end=3')", "['1', '2', '3']"}, lookupSequence},
		{Doc{"subelements", "pairs of an item without a list in it and each element of that list", "query('subelements', [{'n': 1, 'k': [2]}], 'k')", "[[{n: 1}, 2]]"}, lookupSubelements},
		{Doc{"template", "a rendered template file", "lookup('template', 'part.j2')", "text"}, lookupTemplate},
		{Doc{"together", "the items of lists side by side", "query('together', [1, 2], ['a', 'b'])", "[[1, a], [2, b]]"}, lookupTogether},
		{Doc{"unfurl", "the value of a path or expression", "lookup('unfurl', '::a::b')", "7"}, lookupUnfurl},
		{Doc{"url", "the lines of a page", "lookup('url', 'https://example.org/')", "text"}, lookupURL},
		{Doc{"varnames", "the names of variables that match a regular expression", "query('varnames', '^db_')", "[db_host]"}, lookupVarnames},
		{Doc{"vars", "variables by name", "lookup('vars', 'port', default=80)", "80"}, lookupVars},
	}
}

// A lookupCall is one call of a lookup plugin: its terms, and keyword options.
type lookupCall struct {
	caller
	name    string
	terms   []value.Value
	options []value.Named
}

// option returns an option; without it the result is null.
func (c lookupCall) option(name string) (value.Value, bool) {
	for _, o := range c.options {
		if o.Name == name {
			return o.Value, true
		}
	}
	return value.Null, false
}

func (c lookupCall) textOption(name, otherwise string) (string, error) {
	v, ok := c.option(name)
	if !ok || v.IsNull() {
		return otherwise, nil
	}
	return value.Text(v)
}

func (c lookupCall) errorf(code source.Code, format string, args ...any) error {
	return source.Errorf(c.at, code, format, args...)
}

// term returns a term that must be a text.
func (c lookupCall) term(v value.Value) (string, error) {
	if !v.Is(value.StringKind) {
		return "", c.errorf(source.BadType, "lookup %q needs a string, not %s", c.name, value.Article(v.Kind()))
	}
	return v.Str(), nil
}

// lookupFunc returns the template function "lookup" or "query", and nil for another
// name.
func (s *Scope) lookupFunc(name string) *value.Func {
	if name != "lookup" && name != "query" && name != "q" {
		return nil
	}
	return &value.Func{Name: name, Call: func(args value.Args) (value.Value, error) {
		if len(args.Pos) == 0 || !args.Pos[0].Is(value.StringKind) {
			return value.Null, source.Errorf(source.Span{}, source.BadType, "%q needs the name of a lookup plugin", name)
		}
		c := lookupCall{caller: caller{s: s}, name: pluginName(args.Pos[0].Str()), terms: args.Pos[1:]}
		wantList := name != "lookup"
		for _, a := range args.Named {
			if a.Name == "wantlist" {
				wantList = wantList || value.Truthy(a.Value)
				continue
			}
			c.options = append(c.options, a)
		}
		found, err := c.run()
		if err != nil || wantList {
			return value.ListOf(found...), err
		}
		return c.single(found), nil
	}}
}

// pluginName drops the collection that a name is qualified with.
func pluginName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// run calls the plugin; "errors" says what becomes of a failure.
func (c lookupCall) run() ([]value.Value, error) {
	f, ok := lookups.find(c.name)
	if !ok {
		d := source.Errorf(c.at, source.BadValue, "unknown lookup %q", c.name)
		return nil, d.DidYouMean(c.name, lookups.names)
	}
	for _, v := range append(slices.Clone(c.terms), optionValues(c.options)...) {
		if err := Raise(v); err != nil {
			return nil, err
		}
	}
	found, err := f(c)
	if err != nil {
		return nil, c.failed(err)
	}
	marks := argMarks(value.Args{Pos: c.terms, Named: c.options}) | c.s.BaseMarks
	for i := range found {
		found[i] = plain(found[i]).Mark(marks)
		c.s.touch(found[i].Marks())
	}
	return found, nil
}

func optionValues(options []value.Named) []value.Value {
	out := make([]value.Value, len(options))
	for i, o := range options {
		out[i] = o.Value
	}
	return out
}

// failed returns the error, or none if the call asks to go on without a result.
// Limits always count.
func (c lookupCall) failed(err error) error {
	err = Conceal(located(c.at, source.BadValue, err, quotable(value.Args{Pos: c.terms, Named: c.options})|c.s.BaseMarks))
	mode, _ := c.option("errors")
	if errors.Is(err, source.ErrLimit) {
		return err
	}
	switch mode.Str() {
	case "ignore":
		return nil
	case "warn":
		var d *source.Diagnostic
		if errors.As(err, &d) {
			warning := *d
			warning.Severity = source.Warning
			c.s.Env.Warn(&warning)
		}
		return nil
	}
	return err
}

// single returns the one value that "lookup" gives: texts are joined by commas.
func (c lookupCall) single(found []value.Value) value.Value {
	if c.name == "unfurl" || len(found) == 1 {
		return One(found)
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

// lookup is the function: {lookup: {plugin: terms, option: value}}.
func (c *funcCall) lookup(arg value.Value, s *Scope) (value.Value, error) {
	call := lookupCall{caller: caller{s, c.At}}
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
		call.options = append(call.options, value.Named{Name: k.Text, Value: v})
	}
	if call.name == "" {
		return value.Null, badExpression(c.At, `"lookup" takes a map: {plugin: arguments}`)
	}
	found, err := call.run()
	return One(found), err
}
