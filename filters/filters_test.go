package filters

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func unchanged(v value.Value) value.Value { return v }

// checkExample runs a template and compares what it gives with a JSON text.
func checkExample(t *testing.T, c *Ctx, example, want string) {
	t.Helper()
	got, err := runExample(t, c, example, unchanged)
	if err != nil {
		t.Errorf("%s: %v", example, err)
		return
	}
	if s := shown(t, got); !sameJSON(t, s, want) {
		t.Errorf("%s = %s, want %s", example, s, want)
	}
}

func shown(t *testing.T, v value.Value) string {
	t.Helper()
	if m, err := value.DeepMarks(v); err == nil && m&value.Sensitive != 0 {
		return `"<<REDACTED>>"`
	}
	w := jsonWriter{c: &Ctx{}, itemSep: ", ", keySep: ": "}
	if err := w.write(v, 0); err != nil {
		return "error: " + err.Error()
	}
	return w.b.String()
}

// sameJSON compares data: a float is not an integer, maps have no order.
func sameJSON(t *testing.T, got, want string) bool {
	t.Helper()
	x, err1 := fromJSON(&Ctx{}, got, Bound{})
	y, err2 := fromJSON(&Ctx{}, want, Bound{})
	if err1 != nil || err2 != nil {
		return false
	}
	same, err := value.Equal(x, y)
	return same && err == nil && strings.Contains(got, ".") == strings.Contains(want, ".")
}

func allTemplateFuncs() []Func {
	all := append(append(append([]Func{}, Filters()...), Tests()...), Globals()...)
	for _, methods := range tables().methods {
		all = append(all, methods.all...)
	}
	return all
}

func TestExamplesOfTheTable(t *testing.T) {
	for _, f := range allTemplateFuncs() {
		t.Run(f.kind.String()+"/"+f.Name, func(t *testing.T) {
			if f.Doc == "" || f.Family == "" || f.Call == nil || !strings.Contains(f.Example, f.Name) {
				t.Errorf("entry %q is incomplete", f.Name)
			}
			checkExample(t, &Ctx{}, f.Example, f.Result)
		})
	}
}

// TestAsInPython runs expressions whose results were taken from Jinja 3.1.6 on
// Python 3.11: an expression, a tab and its result as JSON on each line.
func TestAsInPython(t *testing.T) {
	text, err := os.ReadFile("testdata/python.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		expr, want, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if !ok {
			t.Fatalf("bad line %q", line)
		}
		checkExample(t, &Ctx{}, "{{ "+expr+" }}", want)
	}
}

// The message of errTooDeep is static data, so it has the number as a text.
func TestTooDeepNamesTheLimit(t *testing.T) {
	if want := fmt.Sprintf(" %d deep", maxDepth); !strings.HasSuffix(errTooDeep.Message, want) {
		t.Errorf("%q does not end in %q", errTooDeep.Message, want)
	}
}

func TestNamesAreUnique(t *testing.T) {
	for _, list := range [][]Func{Filters(), Tests(), Globals(), Functions()} {
		seen := map[string]bool{}
		for _, f := range list {
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				if seen[name] {
					t.Errorf("%s %q is there twice", f.kind, name)
				}
				seen[name] = true
			}
		}
	}
}

// TestMarksAreKept runs all examples with sensitive input: whatever comes out must
// be sensitive somewhere, at least where the data went.
func TestMarksAreKept(t *testing.T) {
	mark := func(v value.Value) value.Value { return v.Mark(value.Sensitive) }
	for _, f := range allTemplateFuncs() {
		if f.kind == globalKind {
			continue
		}
		t.Run(f.kind.String()+"/"+f.Name, func(t *testing.T) {
			example := f.Example
			if i := strings.LastIndex(example, "}}"); i >= 0 {
				example = example[:i+2]
			}
			v, err := runExample(t, &Ctx{}, example, mark)
			if err != nil {
				t.Fatal(err)
			}
			if v.Is(value.UndefinedKind) {
				t.Fatal("the example is undefined")
			}
			if strings.Contains(f.Example, "ghost") {
				return
			}
			if m, _ := value.DeepMarks(v); m != value.Sensitive {
				t.Errorf("%s loses the mark", f.Example)
			}
		})
	}
}

func TestMarksOfItemsReachTexts(t *testing.T) {
	pw := value.String("cGFzcw==").Mark(value.Sensitive)
	list := value.ListOf(value.String("a"), pw)
	for _, name := range []string{"join", "to_json", "string", "to_yaml", "to_nice_json", "pprint", "tojson", "length", "sum", "quote", "hash", "to_label", "urlencode", "json_query"} {
		in, args := list, value.Args{}
		switch name {
		case "urlencode":
			in = value.ListOf(list)
		case "sum":
			in = value.ListOf(value.Int(1).Mark(value.Sensitive))
		case "json_query":
			args.Pos = []value.Value{value.String("[1]")}
		}
		v, err := CallFilter(nil, name, in, args)
		if err != nil || v.Marks() != value.Sensitive {
			t.Errorf("%s: marks %v, error %v", name, v.Marks(), err)
		}
	}
	first, err := CallFilter(nil, "first", list, value.Args{})
	if err != nil || first.Marks() != 0 {
		t.Errorf("first of a list with a sensitive item behind: marks %v, error %v", first.Marks(), err)
	}
}

func TestErrors(t *testing.T) {
	tests := []struct{ example, want string }{
		{"{{ 'a' | replace('a') }}", `filter "replace": takes 2 to 3 arguments, got 1`},
		{"{{ 'a' | upper(1) }}", `takes no arguments, got 1`},
		{"{{ 'a' | center(widht=3) }}", `unknown argument "widht"; did you mean "width"?`},
		{"{{ 'a' | center('x') }}", `wants an integer for "width", got a string`},
		{"{{ 'a' | truncate(3, length=4) }}", `"length" is given twice`},
		{"{{ 1 | uper }}", `unknown filter "uper"; did you mean "upper"?`},
		{"{{ 1 is evne }}", `unknown test "evne"; did you mean "even"?`},
		{"{{ ghost | upper }}", `"ghost" is undefined`},
		{"{{ 'a' | replace(ghost, 'b') }}", `"ghost" is undefined`},
		{"{{ ghost.x | mandatory('no x') }}", `no x`},
		{"{{ [1].append(2) }}", "would change the value"},
		{"{{ 5 | list }}", "wants a list, got an integer"},
		{"{{ ['a', 1] | sort }}", "cannot order"},
		{"{{ 'x' | hash('foo') }}", "unknown hash"},
		{"{{ '[' | regex_search('[') }}", "regular expression"},
		{"{{ 'x' | regex_search('(?P<>x)(?P=') }}", "a group has no name between < and >"},
		{"{{ 'x' | regex_search('(?P<n>x)(?P=n') }}", `the name of a group has no ")"`},
		{"{{ 'x' | regex_search('(?P<n>x)(?P=m)') }}", `unknown group "m"`},
		{"{{ '{' | from_json }}", "not JSON"},
		{"{{ 'a: b: c' | from_yaml }}", "yaml"},
		{"{{ {'a': 1} | combine(1) }}", "wants maps, got an integer"},
		{"{{ {'a': 1} | combine({}, list_merge='foo') }}", "unknown list_merge"},
		{"{{ '{0}{1}'.format(1) }}", "needs argument 1"},
		{"{{ 'a'.index('b') }}", "not found"},
		{"{{ 10 | root(0) }}", "does not exist"},
		{"{{ '1.x' is version('1', strict=true) }}", "not a strict version"},
		{"{{ '1.2.3.4' | ipaddr('netwrk') }}", `did you mean "network"?`},
		{"{{ [1] | batch(0) }}", `"linecount" must be at least 1`},
		{"{{ [1] | slice(0) }}", `"slices" must be at least 1`},
		{"{{ 'a' | wordwrap(0) }}", `"width" must be at least 1`},
		{"{{ [1] | to_yaml(indent=200) }}", `"indent" must be from 1 to 100`},
		{"{{ 1.5 | round(400, 'ceil') }}", "the precision is out of range"},
		{"{{ 1.5 | round(-400, 'floor') }}", "the precision is out of range"},
		{"{{ 5 | random(start='-99999999999999999999' | int) }}", "range of numbers is too large"},
	}
	for _, tt := range tests {
		if v, err := runExample(t, &Ctx{}, tt.example, unchanged); err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(tt.want)) {
			t.Errorf("%s = %s, error %v; want an error with %q", tt.example, shown(t, v), err, tt.want)
		}
	}
}

func TestErrorsDoNotQuoteMarkedValues(t *testing.T) {
	pw := value.String("[hunter2").Mark(value.Secret)
	for _, name := range []string{"from_json", "from_yaml", "human_to_bytes", "scalar", "to_datetime", "b64decode", "regex_search", "json_query"} {
		in, args := pw, value.Args{}
		if name == "regex_search" || name == "json_query" {
			in, args.Pos = value.String("x"), []value.Value{value.String("[hunter2").Mark(value.Secret)}
		}
		_, err := CallFilter(nil, name, in, args)
		if err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}

func TestLimits(t *testing.T) {
	for _, example := range []string{
		"{{ 'a' | center(99999999999) }}",
		"{{ 'a'.ljust(99999999999) }}",
		"{{ 'a'.zfill(99999999999) }}",
		"{{ 'a\\tb'.expandtabs(99999999999) }}",
		"{{ 'a\\nb' | indent(99999999999) }}",
		"{{ [1] | batch(99999999999, 0) }}",
		"{{ [1] | slice(99999999999) }}",
		"{{ range(99999999999) }}",
		"{{ [1] | json_query('@'.ljust(41, '!') | replace('!', '|[@,@]')) }}",
		"{{ [1] | json_query('@'.ljust(41, '!') | replace('!', '|[@,@][]')) }}",
		"{{ [1] | json_query('@'.ljust(41, '!') | replace('!', '|{a: @, b: @}')) }}",
		"{{ ['a'] | json_query('[*].pad_left(@, `99999999999`)') }}",
		"{{ ['a'] | json_query('@[0]'.ljust(44, '!') | replace('!', '|replace(@, `\"\"`, @)')) }}",
		"{{ ['a'] | json_query('@[0]'.ljust(44, '!') | replace('!', '|join(@, [@, @, @])')) }}",
		"{{ range(0, 9e18 | int, 1) }}",
		"{{ range(1000) | product(range(1000), range(1000)) }}",
		"{{ [1, 2] | product(repeat=9999999) }}",
		"{{ range(100) | permutations }}",
		"{{ range(100) | combinations(50) }}",
		"{{ '%999999999d' | format(1) }}",
		"{{ '{:999999999}'.format(1) }}",
		"{{ '{:{}}'.format(1, 999999999) }}",
		"{{ 'a' | comment(prefix_count=99999999999) }}",
		"{{ ('a' | center(99999)) | replace('', 'a' | center(99999)) }}",
		"{{ {'a': [1]} | to_json(indent=99999999999) }}",
		"{{ 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!' | regex_search('^(?=(a+)+$)(a+)+$') }}",
	} {
		if _, err := runExample(t, &Ctx{}, example, unchanged); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: error %v, want a limit", example, err)
		}
	}
}

func TestLimitsOfLists(t *testing.T) {
	for _, example := range []string{
		"{{ 'a'.ljust(3000, 'a') | regex_findall('a') }}",
		"{{ 'a'.ljust(3000, 'a') | regex_replace('(?=a)a', 'b') }}",
		"{{ ' '.ljust(3000) | replace(' ', 'a ') | split }}",
		"{{ ','.ljust(3000, ',').rsplit(',', 9999) }}",
		"{{ '\\n'.ljust(3000, '\\n') | splitlines }}",
		"{{ '\\n'.ljust(3000, '\\n') | indent }}",
	} {
		if _, err := runExample(t, &Ctx{MaxBytes: 1 << 16}, example, unchanged); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: error %v, want a limit", example, err)
		}
	}
}

// TestLongInputsEnd has inputs that take minutes where the work grows with the square
// of their length.
func TestLongInputsEnd(t *testing.T) {
	for _, tt := range []struct{ example, want string }{
		{"{{ 'a'.ljust(300000, 'a') | wordwrap(1) | length }}", "599999"},
		{"{{ '-'.ljust(300000, '-') | wordwrap(200000) | length }}", "300001"},
		{"{{ ','.ljust(300000, ',').rsplit(',', 300000) | length }}", "300001"},
		{"{{ ('a '.ljust(300000, 'a') | replace('a', 'a ')).rsplit(none, 300000) | length }}", "299999"},
		{"{{ 'a'.ljust(300000, 'a').strip('b'.ljust(300000, 'b') | replace('bb', 'ba')) | length }}", "0"},
	} {
		checkExample(t, &Ctx{}, tt.example, tt.want)
	}
	for _, example := range []string{
		"{{ '1' | to_datetime('x'.ljust(300000, 'x') | replace('x', '%f')) }}",
		"{{ '10.0.0.0/8' | ipaddr('1'.ljust(20000000, '1')) }}",
	} {
		if _, err := runExample(t, &Ctx{}, example, unchanged); err == nil {
			t.Errorf("%s: no error", example)
		}
	}
}

// A long text in many lists is looked at once, not once for each list.
func TestPrettyPrintOfDeepLists(t *testing.T) {
	v := value.String(strings.Repeat("a", 10<<20))
	for range 900 {
		v = value.ListOf(v)
	}
	out, err := CallFilter(nil, "pprint", v, value.Args{})
	if want := 2*900 + 2 + 10<<20; err != nil || len(out.Str()) != want {
		t.Errorf("%d bytes, %v, want %d", len(out.Str()), err, want)
	}
}

// TestManyMapsAndLists: what they cost is in proportion to what is in them.
func TestManyMapsAndLists(t *testing.T) {
	const many = 100_000
	maps, lists := make([]value.Value, many), make([]value.Value, many)
	for i := range many {
		m, inner := value.NewMap(1), value.NewMap(1)
		inner.Set(value.K(strconv.Itoa(i)), value.Int(1))
		m.Set(value.K("in"), value.FromMap(inner))
		maps[i], lists[i] = value.FromMap(m), value.ListOf(value.Int(1))
	}
	few := &steps{most: 100 * many}
	merged, err := CallFilter(&Ctx{Caller: few}, "combine", value.ListOf(maps...), value.Args{Named: []value.Named{{Name: "recursive", Value: value.True}}})
	if in, _ := attribute(merged, "in"); err != nil || in.Map().Len() != many {
		t.Errorf("combine: %v", err)
	}
	if first := maps[0].Map(); first.Len() != 1 {
		t.Error("combine changed a map that it was given")
	}
	if in, _ := attribute(maps[0], "in"); in.Map().Len() != 1 {
		t.Error("combine changed a map in a map that it was given")
	}
	few = &steps{most: 20 * many}
	if sum, err := CallFilter(&Ctx{Caller: few}, "sum", value.ListOf(lists...), value.Args{Named: []value.Named{{Name: "start", Value: value.ListOf()}}}); err != nil || sum.List().Len() != many {
		t.Errorf("sum: %v", err)
	}
}

func TestSharedListsDoNotExplode(t *testing.T) {
	v := value.ListOf(value.String("x"))
	for range 60 {
		v = value.ListOf(v, v)
	}
	for _, name := range []string{"string", "to_json", "pprint", "flatten", "to_yaml", "hash", "json_query", "join"} {
		c := &Ctx{MaxBytes: 1 << 16}
		var args value.Args
		if name == "json_query" {
			args.Pos = []value.Value{value.String("@")}
		}
		if _, err := CallFilter(c, name, v, args); err == nil || !strings.Contains(err.Error(), "limit") {
			t.Errorf("%s: error %v, want a limit", name, err)
		}
	}
}

// stepLimit is a caller that allows 100 steps.
type stepLimit struct {
	Caller
	steps int
}

func (c *stepLimit) Step(n int) error {
	if c.steps += n; c.steps > 100 {
		return fmt.Errorf("step limit")
	}
	return nil
}

func TestStepsAreCounted(t *testing.T) {
	c := &Ctx{Caller: &stepLimit{}}
	if _, err := runExample(t, c, "{{ range(1000) | list }}", unchanged); err == nil {
		t.Error("a list of 1000 went through with 100 steps")
	}
}

func TestTextsOfTooManyValuesAreRefused(t *testing.T) {
	c := &Ctx{MaxBytes: 100 * itemBytes}
	for name, texts := range map[string][]string{
		"from_json":     {"[" + strings.Repeat("1,", 300) + "1]", "[" + strings.Repeat("[],", 300) + "1]", `[{"a":` + strings.Repeat(`1},{"a":`, 300) + "1}]"},
		"from_yaml":     {strings.Repeat("- a\n", 300), "[" + strings.Repeat("1,", 300) + "]", "{" + strings.Repeat("a,", 300) + "}", "? " + strings.Repeat("- ", 300)},
		"from_yaml_all": {strings.Repeat("---\n", 300), strings.Repeat("--- a\r", 300)},
	} {
		for _, text := range texts {
			_, err := CallFilter(c, name, value.String(text), value.Args{})
			if limit := (*value.LimitError)(nil); !errors.As(err, &limit) {
				t.Errorf("%s of %.12q... gives the error %v, want a limit", name, text, err)
			}
			if _, err := CallFilter(c, name, value.String(`["a long text of one value: it may be as long as it wants, `+strings.Repeat("x", 10_000)+`"]`), value.Args{}); err != nil {
				t.Errorf("%s of a long text: %v", name, err)
			}
		}
	}
}

func TestNumbersOfBytesThatAreTooLarge(t *testing.T) {
	for _, text := range []string{strings.Repeat("9", 400), strings.Repeat("9", 308) + " YB"} {
		_, err := CallFilter(&Ctx{}, "human_to_bytes", value.String(text), value.Args{})
		if err == nil || !strings.Contains(err.Error(), "the number is too large") {
			t.Errorf("human_to_bytes of %.10s...%s: %v", text, text[len(text)-2:], err)
		}
	}
}
