package expr

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Lookups describes the lookup plugins.
func Lookups() []Doc { return lookups.docs() }

type lookupFunc func(c lookupCall) ([]value.Value, error)

// lookups is set by init, because the functions in it refer to it: "unfurl" evaluates
// expressions, which may have lookups.
var lookups table[lookupFunc]

func init() {
	lookups = table[lookupFunc]{
		{Doc{"csvfile", "a field of the row of a CSV file that begins with a key", "lookup('csvfile', 'k', file='t.csv', delimiter=',')", "v"}, lookupCSV},
		{Doc{"dict", "a map as a list of {key, value}", "query('dict', {'k': 1})", "[{key: k, value: 1}]"}, filterTerms("dict2items", value.MapKind)},
		{Doc{"env", "an environment variable; default= if it is unset, else an empty text", "lookup('env', 'NO_SUCH', default='x')", "x"}, lookupEnv},
		{Doc{"file", "the contents of a file, without blanks at its end", "lookup('file', 'data.txt')", "line"}, lookupFile},
		{Doc{"fileglob", "the files that match a pattern", "query('fileglob', '*.txt')", "[/srv/site/data.txt]"}, filterTerms("fileglob", value.StringKind)},
		{Doc{"first_found", "the first file that exists", "lookup('first_found', ['no.txt', 'data.txt'])", "/srv/site/data.txt"}, lookupFirstFound},
		{Doc{"flattened", "all items, nested lists expanded", "query('flattened', [1, [2, [3]]])", "[1, 2, 3]"}, lookupFlattened},
		{Doc{"indexed_items", "the items with their positions", "query('indexed_items', ['a'])", "[[0, a]]"}, lookupIndexedItems},
		{Doc{"ini", "a setting of an INI file", "lookup('ini', 'k', section='s', file='x.ini')", "v"}, lookupIni},
		{Doc{"items", "the items of lists", "query('items', [1, 2])", "[1, 2]"}, lookupItems},
		{Doc{"lines", "the lines that a command prints", "query('lines', 'echo a')", "[a]"}, lookupLines},
		{Doc{"list", "its arguments", "query('list', 1, 2)", "[1, 2]"}, lookupList},
		{Doc{"nested", "all combinations of the items of lists", "query('nested', [1], ['a', 'b'])", "[[1, a], [1, b]]"}, lookupNested},
		{Doc{"pipe", "the output of a command", "lookup('pipe', 'echo a')", "a"}, lookupPipe},
		{Doc{"random_choice", "a random item", "lookup('random_choice', ['a'])", "a"}, lookupRandomChoice},
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
	chosen  *value.Marks // of the values that decided what was found
}

// option returns an option, and false if it is missing.
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

// term returns the text of a term. Any other kind is an error.
func (c lookupCall) term(v value.Value) (string, error) {
	if !v.Is(value.StringKind) {
		return "", c.errorf(source.BadType, "lookup %q needs a string, not %s", c.name, value.Article(v.Kind()))
	}
	return v.Str(), nil
}

// lookupFunc returns the template function "lookup", "query" or "q", and nil for other
// names.
func (s *Scope) lookupFunc(name string) *value.Func {
	if name != "lookup" && name != "query" && name != "q" {
		return nil
	}
	return &value.Func{Name: name, Call: func(args value.Args) (value.Value, error) {
		if len(args.Pos) == 0 || !args.Pos[0].Is(value.StringKind) {
			return value.Null, source.Errorf(source.Span{}, source.BadType, "%q needs the name of a lookup plugin", name)
		}
		c := lookupCall{caller: caller{s: s}, name: pluginName(args.Pos[0].Str()), terms: args.Pos[1:], chosen: new(value.Marks)}
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
			return value.ListOf(found...).Mark(c.marks()), err
		}
		return c.single(found).Mark(c.marks()), nil
	}}
}

// pluginName returns a name without its collection: items for ansible.builtin.items.
func pluginName(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// run calls the plugin. The option "errors" can turn a failure into an empty result.
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
	if c.marks() != 0 && c.name != "file" && c.name != "url" && c.name != "env" && c.name != "pipe" {
		c.Decided()
	}
	found, err := f(c)
	if err != nil {
		return nil, c.failed(err)
	}
	marks := c.marks()
	for i := range found {
		found[i] = plain(found[i]).Mark(marks)
		c.s.touch(found[i].Marks())
	}
	return found, nil
}

// marks returns those of the terms and options, which decide what is found.
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

// single returns the value of "lookup": several texts are joined by commas.
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

// lookup evaluates the function {lookup: {plugin: terms, option: value}}.
func (c *funcCall) lookup(arg value.Value, s *Scope) (value.Value, error) {
	call := lookupCall{caller: caller{s, c.At}, chosen: new(value.Marks)}
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
	return One(found).Mark(call.marks()), err
}

func lookupUnfurl(c lookupCall) ([]value.Value, error) {
	s := c.s
	for _, o := range c.options {
		if o.Name != "errors" {
			s = s.With(o.Name, o.Value)
		}
	}
	var all []value.Value
	for _, t := range c.terms {
		m, err := c.evalAny(t, s)
		if err != nil {
			return nil, err
		}
		*c.chosen |= m.chosen
		all = append(all, m.found...)
	}
	return all, nil
}

func lookupVars(c lookupCall) ([]value.Value, error) {
	var all []value.Value
	for _, t := range c.terms {
		name, err := c.term(t)
		if err != nil {
			return nil, err
		}
		v, err := evalName(&Name{Place{c.at}, name}, c.s)
		if err != nil {
			return nil, err
		}
		if otherwise, ok := c.option("default"); ok && v.Is(value.UndefinedKind) {
			v = otherwise
		}
		if err := Raise(v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, nil
}

func lookupVarnames(c lookupCall) ([]value.Value, error) {
	var all []value.Value
	for _, t := range c.terms {
		text, err := c.term(t)
		if err != nil {
			return nil, err
		}
		pattern, err := regexp.Compile(text)
		if err != nil {
			return nil, c.errorf(source.BadValue, "bad regular expression: %s", err)
		}
		names := slices.Sorted(c.s.visibleNames())
		if err := c.Step(8 * (1 + len(names))); err != nil {
			return nil, located(c.at, source.Limit, err, 0)
		}
		for _, name := range names {
			if v := value.String(name); pattern.MatchString(name) && (len(all) == 0 || all[len(all)-1].Str() != name) {
				all = append(all, v)
			}
		}
	}
	return all, nil
}

// filter calls a filter and returns the items of its result.
func (c lookupCall) filter(name string, in value.Value, args value.Args) ([]value.Value, error) {
	v, err := c.CallFilter(name, in, args)
	if err != nil {
		return nil, err
	}
	*c.chosen |= v.Marks()
	return listItems(v)
}

// filterTerms returns the lookup that applies a filter to each term, which must be of a
// kind, and joins the results.
func filterTerms(filter string, kind value.Kind) lookupFunc {
	return func(c lookupCall) ([]value.Value, error) {
		var all []value.Value
		for _, t := range c.terms {
			if !t.Is(kind) {
				return nil, c.errorf(source.BadType, "lookup %q needs %s, not %s", c.name, value.Article(kind), value.Article(t.Kind()))
			}
			items, err := c.filter(filter, t, value.Args{})
			if err != nil {
				return nil, err
			}
			all = append(all, items...)
		}
		return all, nil
	}
}

// filterLists applies a filter of several lists to the terms; a term that is not a list
// counts as a list of one.
func (c lookupCall) filterLists(filter string) ([]value.Value, error) {
	lists := slices.Clone(c.terms)
	for i, t := range lists {
		if !t.Is(value.ListKind) {
			lists[i] = value.ListOf(t)
		}
	}
	return c.filter(filter, lists[0], value.Args{Pos: lists[1:]})
}

// flatten returns items with the lists among them replaced by their items, down to a
// number of levels; null is all levels.
func (c lookupCall) flatten(items []value.Value, levels value.Value) ([]value.Value, error) {
	return c.filter("flatten", value.ListOf(items...), value.Args{Named: []value.Named{
		{Name: "levels", Value: levels}, {Name: "skip_nulls", Value: value.False},
	}})
}

func lookupList(c lookupCall) ([]value.Value, error) { return c.terms, nil }

func lookupItems(c lookupCall) ([]value.Value, error) { return c.flatten(c.terms, value.Int(1)) }

func lookupFlattened(c lookupCall) ([]value.Value, error) { return c.flatten(c.terms, value.Null) }

func lookupIndexedItems(c lookupCall) ([]value.Value, error) {
	items, err := lookupItems(c)
	for i, v := range items {
		items[i] = value.ListOf(value.Int(int64(i)), v)
	}
	return items, err
}

// lookupNested makes all combinations; the last list changes fastest.
func lookupNested(c lookupCall) ([]value.Value, error) {
	if len(c.terms) == 0 {
		return []value.Value{value.ListOf()}, nil // the combination of no lists
	}
	return c.filterLists("product")
}

// lookupTogether puts lists next to each other; short ones are filled up with null.
func lookupTogether(c lookupCall) ([]value.Value, error) {
	if len(c.terms) == 0 {
		return nil, nil
	}
	return c.filterLists("zip_longest")
}

func lookupSubelements(c lookupCall) ([]value.Value, error) {
	if len(c.terms) < 2 {
		return nil, c.errorf(source.BadValue, `lookup "subelements" needs a list and a key`)
	}
	args := value.Args{Pos: c.terms[1:2]}
	if len(c.terms) > 2 {
		skip, ok, err := attribute(c.terms[2], "skip_missing")
		if err != nil {
			return nil, err
		}
		if ok {
			args.Named = []value.Named{{Name: "skip_missing", Value: skip}}
		}
	}
	pairs, err := c.filter("subelements", c.terms[0], args)
	if err != nil {
		return nil, err
	}
	path := strings.Split(c.terms[1].Str(), ".")
	if keys := c.terms[1]; keys.Is(value.ListKind) {
		items, err := listItems(keys)
		if err != nil {
			return nil, err
		}
		path = nil
		for _, item := range items {
			path = append(path, item.Str())
		}
	}
	for i := range pairs {
		pair, err := listItems(pairs[i])
		if err != nil || len(pair) != 2 {
			return nil, c.errorf(source.Internal, "subelements gave no pairs")
		}
		if pair[0], err = withoutKey(pair[0], path); err != nil {
			return nil, err
		}
		pairs[i] = value.ListOf(pair...)
	}
	return pairs, nil
}

// withoutKey returns a map without the entry at a path.
func withoutKey(v value.Value, path []string) (value.Value, error) {
	if !v.Is(value.MapKind) || len(path) == 0 {
		return v, nil
	}
	left := value.NewMap(v.Map().Len())
	for k := range v.Map().Keys() {
		item, _, err := v.Map().Get(k)
		if err != nil {
			return v, err
		}
		if k == value.K(path[0]) {
			if len(path) == 1 {
				continue
			}
			if item, err = withoutKey(item, path[1:]); err != nil {
				return v, err
			}
		}
		left.Set(k, item)
	}
	return value.FromMap(left).Mark(v.Marks()), nil
}

func lookupRandomChoice(c lookupCall) ([]value.Value, error) {
	items, err := lookupItems(c)
	if err != nil || len(items) == 0 {
		return nil, err
	}
	return []value.Value{items[c.Random()%uint64(len(items))]}, nil
}

// A sequence has the parameters of the lookup of that name.
type sequence struct {
	start, end, stride, count int64
	hasEnd, hasCount          bool
	format                    string
}

// sequenceRange is the short form [start-]end[/stride][:format].
var sequenceRange = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:(0x[0-9a-fA-F]+|\d+)-)?(0x[0-9a-fA-F]+|\d+)(?:/(0x[0-9a-fA-F]+|\d+))?(?::(.*))?$`)
})

func lookupSequence(c lookupCall) ([]value.Value, error) {
	terms := c.terms
	if len(terms) == 0 {
		terms = []value.Value{value.String("")}
	}
	var all []value.Value
	for _, t := range terms {
		q := sequence{start: 1, stride: 1, format: "%d"}
		if err := q.read(c, t); err != nil {
			return nil, err
		}
		for _, o := range c.options {
			if err := q.option(c, o.Name, o.Value); err != nil {
				return nil, err
			}
		}
		items, err := q.items(c)
		if err != nil {
			return nil, err
		}
		all = append(all, items...)
	}
	return all, nil
}

func (q *sequence) read(c lookupCall, term value.Value) error {
	text, err := value.Text(term)
	if err != nil {
		return err
	}
	if m := sequenceRange().FindStringSubmatch(strings.TrimSpace(text)); m != nil {
		for i, name := range []string{"", "start", "end", "stride", "format"} {
			if i == 0 || m[i] == "" {
				continue
			}
			if err := q.option(c, name, value.String(m[i])); err != nil {
				return err
			}
		}
		return nil
	}
	for _, word := range strings.Fields(text) {
		name, v, ok := strings.Cut(word, "=")
		if !ok {
			return c.errorf(source.BadValue, `lookup "sequence" cannot read %q: write start=1 end=3 or 1-3`, word)
		}
		if err := q.option(c, name, value.String(v)); err != nil {
			return err
		}
	}
	return nil
}

func (q *sequence) option(c lookupCall, name string, v value.Value) error {
	text, err := value.Text(v.WithoutSource())
	if err != nil || name == "errors" {
		return err
	}
	if name == "format" {
		q.format = text
		return nil
	}
	n, err := strconv.ParseInt(text, 0, 64)
	if err != nil {
		return c.errorf(source.BadValue, "the %s of a sequence is an integer, not %q", name, text)
	}
	switch name {
	case "start":
		q.start = n
	case "end":
		q.end, q.hasEnd = n, true
	case "stride":
		q.stride = n
	case "count":
		q.count, q.hasCount = n, true
	default:
		return c.errorf(source.BadValue, "a sequence has no %q", name)
	}
	return nil
}

// maxItems bounds the texts of a sequence.
const maxItems = 2 << 20

func (q *sequence) items(c lookupCall) ([]value.Value, error) {
	if q.hasEnd == q.hasCount {
		return nil, c.errorf(source.BadValue, "a sequence needs either end or count")
	}
	if q.hasEnd && q.stride == 0 || q.count < 0 {
		return nil, c.errorf(source.BadValue, "a sequence with these numbers has no end")
	}
	if q.hasEnd && (q.end > q.start && q.stride < 0 || q.end < q.start && q.stride > 0) {
		return nil, c.errorf(source.BadValue, "a sequence from %d to %d needs a stride of the other sign", q.start, q.end)
	}
	var out []value.Value
	for n := q.start; !q.done(n, len(out)); n += q.stride {
		if err := c.Step(1); err != nil {
			return nil, err
		}
		text, err := value.Format(value.String(q.format), []value.Value{value.Int(n)})
		if err != nil {
			return nil, err
		}
		if out = append(out, text); len(out) > maxItems {
			return nil, c.errorf(source.Limit, "the list would have more than %d items", maxItems)
		}
	}
	return out, nil
}

func (q *sequence) done(n int64, made int) bool {
	switch {
	case q.hasCount:
		return int64(made) >= q.count
	case q.stride < 0:
		return n < q.end || made > 0 && n > q.start
	}
	return n > q.end || made > 0 && n < q.start
}
