package yaml

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/internal/testing/textfiles"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// checkSame requires that our parser and the library make the same documents of a text, or both
// refuse it. Where the library does not follow the specification, less is required: see beyond
// and stricter. It returns the reason for which our parser refuses the text, or "".
func checkSame(t testing.TB, text string, opts ParseOptions) (reason string) {
	t.Helper()
	f := source.NewFile("t.yaml", text)
	p := newTreeParser(f, opts)
	docs := p.documents()
	if p.limit != nil {
		return p.reason
	}
	for _, d := range docs {
		checkTexts(t, d.Root)
	}
	want, diags := parseAny(f, opts)
	rule, otherData := beyond(text)
	for _, d := range docs {
		if commentedEmpty(d.Root, noComments) {
			rule = "7.2, a comment next to an empty value, which the library moves on or drops"
		}
	}
	refused := p.reason != "" || source.FirstError(p.found.reported) != nil
	switch {
	case refused && len(diags) == 0 && rule == "" && stricter[p.reason] == "":
		t.Errorf("%q with %+v is refused: %s", text, opts, p.reason)
	case refused:
	case len(diags) > 0 && rule == "":
		t.Errorf("%q with %+v is accepted, but %v", text, opts, diags[0])
	case len(diags) > 0:
	case rule != "":
		if diff := compareData(docs, want); diff != "" && !otherData {
			t.Errorf("%q with %+v (%s): %s", text, opts, rule, diff)
		}
	default:
		for i := range min(len(docs), len(want)) {
			if strings.HasPrefix(docs[i].Foot, want[i].Foot+"\n\n") { // the library drops comments behind the foot
				want[i].Foot = docs[i].Foot
			}
		}
		if diff := compareDocuments(docs, want); diff != "" {
			t.Errorf("%q with %+v: %s", text, opts, diff)
		}
	}
	return p.reason
}

// stricter are the reasons for which our parser refuses texts that the library reads, and the
// productions of YAML 1.2.2 that it follows.
var stricter = map[string]string{
	"flow indentation":        "67, 69: each line in brackets is indented deeper than the block around them",
	"quote indentation":       "69, 74: so is each line of a quoted text",
	"comment without a blank": "78: s-separate-in-line before the # of a comment",
	"characters":              "1: also within templates",
	"escape":                  "62: \\' is no escape",
	"character":               "126: in brackets a character of plain text follows a -",
	"indentation of a block":  "170: the empty lines before a block text are not deeper than its first line",
	"no key":                  "96, 185: a value has the column of no key",
	"text after an end":       "205: only a comment follows ...",
	"text after a document":   "206: a directive, and what follows a directive, needs ... before it",
	"tag":                     "97: the characters of tags",
	"name":                    "102: brackets end a name, and a blank follows it",
	"property at the margin":  "96, 185: nor has an anchor or a tag",
	"after a marker":          "205: a collection in block style begins on a line of its own",
	"key of several lines":    "155: so does a quoted key",
	"alias with properties":   "104: an alias has no properties",
	"long key":                "154: at most 1024 characters up to the colon",
}

// libraryLacks are the features of texts for which the library does not follow YAML 1.2.2, by the
// sections of the specification. It refuses such texts, or places comments in another way.
var libraryLacks = []struct {
	rule      string
	otherData bool // where it reads such a text, it may read other data
	pattern   *regexp.Regexp
}{
	{"5.4, line breaks, and 5.2, byte order marks", true, regexp.MustCompile(`\x{85}|\x{2028}|\x{2029}|.\x{FEFF}|\n\x{FEFF}|\r[^\n]|\r$`)},
	{"6.2, tabs separate", false, regexp.MustCompile(`\t`)},
	{"6.8, directives", false, regexp.MustCompile(`(?m)^\x{FEFF}?%`)},
	{"9.1.2, document markers", false, regexp.MustCompile(`(?m)^\x{FEFF}?\.\.\.`)},
	{"7.4.2 and 8.2.2, explicit and empty keys, colons on lines of their own", false, regexp.MustCompile(`(?m)(^|[\s\x{FEFF}\[\]{},"'&!-])[?:]([^A-Za-z]|$)`)},
	{"7.4.2, keys of several lines, and colons on lines of their own", false, regexp.MustCompile(`\n\s*:|[{,]([^{}\[\],:]|:\S)*\n[^{}\[\],]*:`)},
	{"7.3.3, a question mark that begins a line of a text in brackets", false, regexp.MustCompile(`\n\s*\?[A-Za-z]`)},
	{"7.3.3, a colon before an indicator", true, regexp.MustCompile(`:[,\[\]{}]`)},
	{"6.9.1, tags", true, regexp.MustCompile(`!([^A-Za-z0-9!-]|$|[^\s]*[^A-Za-z0-9!\s./:-])|!!$|!!\s|![A-Za-z0-9-]+!`)},
	{"6.9.2, names with a colon at the end", true, regexp.MustCompile(`[&*][^\s,\[\]{}]*:`)},
	{"8.1.1, a text without a last line break", true, regexp.MustCompile(`[|>][^\n]*\n(.*\n)*[ \t]+$`)},
	{"5.7, escapes of JSON on several lines", false, regexp.MustCompile(`"[^"]*\\[/u]`)},
	{"6.6, more than 500 blanks before a comment", false, regexp.MustCompile(`[ \n]{400}`)},
	{"6.6, a comment behind an opening bracket", false, regexp.MustCompile(`[\[{] +#`)},
	{"8.1.1.1, a block text of blanks", false, regexp.MustCompile(`[|>][+-]?[1-9][^\n]*\n +\r?\n`)},
	{"8.1.1.1, a block text at the margin", true, regexp.MustCompile(`(?m)^(---\s)?\s*([!&]\S*\s+)*[|>][-+]?[^\n]*\n(\s*\n)*\S`)},
	{"7.4.1, the place of the missing value of a pair", false, regexp.MustCompile(`:\s*[\],]`)},
	{"7.4, brackets as keys", false, regexp.MustCompile(`[\]}][ "']*:`)},
}

// beyond returns a rule of the specification that the text needs and the library lacks, or "", and
// whether the library may read other data.
func beyond(text string) (rule string, otherData bool) {
	for _, l := range libraryLacks {
		if l.pattern.MatchString(text) {
			rule, otherData = l.rule, otherData || l.otherData
		}
	}
	return rule, otherData
}

// commentedEmpty reports whether an empty item, or an empty value with an anchor or a tag, has comments, of
// its own or of its entry.
func commentedEmpty(n *Node, around *Comments) bool {
	if n == nil || n.Kind == AliasNode {
		return false
	}
	if n.Kind == ScalarNode && n.At.Start == n.At.End {
		return n.Comments != (Comments{}) || (n.Anchor != "" || n.Tag != "") && *around != (Comments{})
	}
	for _, item := range n.Items {
		if commentedEmpty(item, noComments) {
			return true
		}
	}
	for i := range n.Entries {
		if e := &n.Entries[i]; commentedEmpty(e.Value, e.Comments) || commentedEmpty(e.KeyNode(), e.Comments) {
			return true
		}
	}
	return false
}

// compareData returns the first difference between the data of documents, or "".
func compareData(got, want []*Document) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d documents, want %d", len(got), len(want))
	}
	for i := range got {
		g, err := got[i].Root.ToValue()
		w, wantErr := want[i].Root.ToValue()
		if err != nil || wantErr != nil {
			return ""
		}
		if g, w := shown(g), shown(w); g != w {
			return fmt.Sprintf("document %d is %s, want %s", i, g, w)
		}
	}
	return ""
}

func shown(v value.Value) string {
	text, err := value.Repr(v)
	if err != nil {
		return err.Error()
	}
	return text
}

// compareDocuments returns the first difference between documents, or "".
func compareDocuments(got, want []*Document) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d documents, want %d", len(got), len(want))
	}
	for i := range got {
		g, w := *got[i], *want[i]
		c := comparison{targets: map[*Node]*Node{}}
		at := fmt.Sprintf("document %d", i)
		c.nodes(at, g.Root, w.Root)
		g.Root, w.Root = nil, nil
		c.equal(at, g, w)
		if c.diff != "" {
			return c.diff
		}
	}
	return ""
}

// A comparison compares two trees.
type comparison struct {
	diff    string
	targets map[*Node]*Node // visited nodes: got to want
}

func (c *comparison) equal(at string, got, want any) {
	if c.diff == "" && !reflect.DeepEqual(got, want) {
		c.diff = fmt.Sprintf("%s is %+v, want %+v", at, got, want)
	}
}

func (c *comparison) nodes(at string, got, want *Node) {
	if c.diff != "" {
		return
	}
	if got == nil || want == nil {
		c.equal(at, got == nil, want == nil)
		return
	}
	c.targets[got] = want
	c.equal(at+" kind", got.Kind, want.Kind)
	c.equal(at+" style", got.Style, want.Style)
	c.equal(at+" span", got.At, want.At)
	c.equal(at+" value", scalarParts(got.Value), scalarParts(want.Value))
	g, w := *got.Details, *want.Details
	if g.Target != nil && c.targets[g.Target] != w.Target {
		c.equal(at+" target", g.Target.At, w.Target)
	}
	g.Target, w.Target = nil, nil
	c.equal(at+" details", g, w)
	c.equal(at+" items", len(got.Items), len(want.Items))
	c.equal(at+" entries", len(got.Entries), len(want.Entries))
	for i := 0; i < len(got.Items) && c.diff == ""; i++ {
		c.nodes(fmt.Sprintf("%s[%d]", at, i), got.Items[i], want.Items[i])
	}
	for i := 0; i < len(got.Entries) && c.diff == ""; i++ {
		c.entries(fmt.Sprintf("%s.%s", at, want.Entries[i].Key.Text), &got.Entries[i], &want.Entries[i])
	}
}

func (c *comparison) entries(at string, got, want *Entry) {
	c.equal(at+" key", got.Key, want.Key)
	c.equal(at+" merge", got.IsMerge(), want.IsMerge())
	c.equal(at+" comments", *got.Comments, *want.Comments)
	c.nodes(at+" as key", got.KeyNode(), want.KeyNode())
	c.nodes(at, got.Value, want.Value)
}

// scalarParts returns all parts of a scalar.
func scalarParts(v value.Value) any {
	var src value.Scalar
	if s := v.Source(); s != nil {
		src = *s
	}
	switch v.Kind() {
	case value.StringKind:
		return []any{v.Kind(), v.Str(), v.IsVerbatim(), src}
	case value.FloatKind:
		return []any{v.Kind(), math.Float64bits(v.Float()), src}
	case value.IntKind:
		return []any{v.Kind(), v.BigInt().String(), src}
	case value.BoolKind:
		return []any{v.Kind(), v.Bool(), src}
	}
	return []any{v.Kind(), src}
}

// TestReasons shows which texts the parser refuses, and for which reason.
func TestReasons(t *testing.T) {
	tests := []struct{ text, reason string }{
		{"a: 1\r\nb:\r\n- - x\r\n  - y: z\r\n", ""},
		{"\ufeff# yaytpl: templates=off\na: &x !t [b, 'c', {d: \"e\\n\"}] # f\n<<: {}\ng: *x\n", ""},
		{"---\na\n...\n---\n- >2-\n    b\n\n   c\n- d\n  e\n- 'f\n\n  g'\n", ""},
		{"{+?/x: , eval: ::a, b: {{ c, d }}}", ""}, {"a: {{ x: 1 }} # y\n{{ b }}: {% c %}\n", ""},
		{"", ""}, {"# nothing\n", ""}, {"---\n---\n", ""},
		{`"\/\ud83d\ude00"`, ""}, {"a: |+\n\n{{ b }}: c\n", ""}, {"a: &b\n# c\n!d e: f\n", ""},
		{"? a\n: b", ""}, {"[a]: b", ""}, {"{? a : b}", ""}, {": a", ""}, {"%YAML 1.2\n---\na", ""},
		{"a: &é.1/#?'\"&*!:b c\nd: [*é.1/#?'\"&*!:b, *é.1/#?'\"&*!:b]", ""}, {"a: &b: c", ""},
		{strings.Repeat("-\n# a\n\n", 102), ""}, {"a: 1\na: 2", ""}, {"a: !!int x", ""}, {"&a b: 1\n*a : 2", ""},

		{"a:\n\t b: c", "tab"}, {"a: b: c", "no key"}, {"a: 1\nb", "no key"}, {"a: 1\n&b\nc: 2", "property at the margin"},
		{"a: @b", "character"}, {"a: \x01", "characters"}, {"a: \xff", "characters"},
		{"a: *b", "unknown alias"}, {"a: &b[c]", "name"}, {"a: &x.1 b\nc: *x.2", "unknown alias"},
		{"a: [b", "open bracket"}, {"a: 'b", "open quote"},
		{"a: \"\\d\"", "escape"}, {"a: |x\n", "block header"}, {"a: |\n    \n  b\n", "indentation of a block"},
		{"a: [b]#c", "comment without a blank"}, {"a\n--- b: c", "after a marker"},
		{"a: 1\nb: 2\n---\na:\n    b: 1\n  c: 2", "no key"}, {"- a\nb: 1", "no item"}, {"['a' b]", "no comma"},
		{strings.Repeat("[", mostDepth+9), "limit"}, {strings.Repeat("- ", mostDepth+1), "limit"},
	}
	for _, tt := range tests {
		if reason := checkSame(t, tt.text, ParseOptions{}); reason != tt.reason {
			t.Errorf("%.60q: reason %q, want %q", tt.text, reason, tt.reason)
		}
	}
}

var differentialDirs = flag.String("yaml.dirs", "../..", "compare the parsers on all YAML below these directories, separated by colons")

// checkTexts requires that the segments of all scalars give their texts, but for the line breaks at the end of a
// block text, which are not in its span.
func checkTexts(t testing.TB, n *Node) {
	t.Helper()
	if n == nil || n.Kind == AliasNode {
		return
	}
	if want := n.Value.Str(); n.Kind == ScalarNode && n.Value.Is(value.StringKind) && coreTag(n.Tag) != "!!binary" {
		d := decodeText(n.At.Text(), n.Style, want)
		if got := d.text.String(); strings.TrimRight(got, "\n") != strings.TrimRight(want, "\n") {
			t.Errorf("%q is decoded to %q, want %q", n.At.Text(), got, want)
		}
	}
	for i := range n.Len() {
		checkTexts(t, n.Child(i))
	}
}

// TestFiles compares the parsers on real files. Nearly all of those that the library reads have
// nothing that it lacks.
func TestFiles(t *testing.T) {
	all, own := 0, 0
	for _, f := range textfiles.Files(filepath.SplitList(*differentialDirs), 5_000_000) {
		if _, diags := parseAny(source.NewFile(f.Name, f.Text), ParseOptions{}); f.JSON || len(diags) > 0 {
			checkSame(t, f.Text, ParseOptions{})
			continue
		}
		all += len(f.Text)
		if checkSame(t, f.Text, ParseOptions{}) == "" {
			own += len(f.Text)
		}
	}
	if t.Logf("%d of %d bytes", own, all); own < all/20*19 {
		t.Errorf("our own parser reads %d of %d bytes", own, all)
	}
}

func FuzzScanner(f *testing.F) {
	for _, s := range differentialSeeds {
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, text string, noTemplates bool) {
		checkSame(t, text, ParseOptions{NoTemplates: noTemplates})
		checkSame(t, strings.ReplaceAll(text, "\n", "\r\n"), ParseOptions{NoTemplates: noTemplates})
	})
}

var differentialSeeds = []string{
	"# head\n\n# of a\na: # line\n  # below\n  b: 1 # one\n  # foot of b\n\n  c: 2\n# foot of a\n\n# end\n",
	"- # first\n  - a\n  # foot\n\n  - b # line\n-\n  # x\n  k: v\n# head\n- - - c\n",
	"a:\n- x: 1\n  # one\n  y: 2\n\n  # two\n\n- z\n# three\nb: [1, # x\n  2 # y\n  # z\n ]\n",
	"--- # c\n&a !t a: &b !!str \"x\\u00e9\\\n   y\"\n...\n# between\n---\n# head\n\nb: 'it''s\n\n  so'\n",
	"a: |2-  # why\n   x\n\n   y\nb: >+\n  f\n  g\n\n   h\n\n\nc: |\n# end\n",
	"[!0 &0{0}]", "[!t foo: bar, &a !u k: *a, {!v l: m}]", "[a\n?b]", "{ a:b\n  c: d}", "\ufeff...\n", "\ufeff: a",
	"{a: 1, \"b\":2, c, ? d, e: , +?/f: {eval: ::g}} # end\n", "[a: b, {{ c }}, d?e, 'f' : g,\n # c\n h\n  i]\n",
	"a: {{ x: 1 }} # t\nb: see {{ a # b }}\n{{ c }}: [{{ d, e }}, x]\n",
	"\ufeffa: &x {<<: *y}\nb: *x\n", "&a\n# c\nk: !t\n# d\nl: &b\n", "plain\n  text\n\n  of lines\n# end\n",
	"a:\n   # deeper\n  # less\n # least\n  b: 1\n # c\n# d\n",
	"a: 1\n...\n# c\n---\n---\n# d\n\nb\n", "é: - # x\n- é\n# y\n", "a: '\n  x '\nb: \"\t\\/\\ud83d\\ude00 \\\n\"\n",
	"a:\n  - b\n  # c\n-\nd:\n", "a: &a.b/c {v: &:d# é}\nb: [*a.b/c, *:d#, &é]\nc: *é\n",
	"x: [\n  # only\n]\ny: {\n  a: 1, # one\n  # two\n  b: 2\n  # three\n}\n",
}

// TestGeneratedTexts compares the parsers on texts with comments, empty lines and odd
// indentation wherever they are allowed.
func TestGeneratedTexts(t *testing.T) {
	const texts = 4000
	taken := 0
	for seed := range uint64(texts) {
		g := textGenerator{rand: rand.New(rand.NewPCG(seed, 1))}
		text := g.text()
		if checkSame(t, text, ParseOptions{MaxDepth: int(seed % 8), NoTemplates: g.one(8)}) == "" {
			taken++
		}
		if t.Failed() {
			return
		}
	}
	if taken < texts/4 {
		t.Errorf("%d of %d texts are read by the fast parser", taken, texts)
	}
}

// A textGenerator writes random YAML, most of it correct.
type textGenerator struct {
	rand *rand.Rand
	b    strings.Builder
}

func (g *textGenerator) one(n int) bool        { return g.rand.IntN(n) == 0 }
func (g *textGenerator) of(s ...string) string { return s[g.rand.IntN(len(s))] }
func (g *textGenerator) write(s string)        { g.b.WriteString(s) }
func (g *textGenerator) column(n int)          { g.write(strings.Repeat(" ", n)) }
func (g *textGenerator) lineEnd(maybe string)  { g.write(maybe + g.comment() + "\n") }

func (g *textGenerator) text() string {
	for range 1 + g.rand.IntN(2) {
		g.between(0)
		if g.one(3) {
			g.lineEnd("---")
			g.between(0)
		}
		g.block(0, 3, g.one(3))
		g.between(0)
		if g.one(6) {
			g.lineEnd("...")
		}
	}
	text := g.b.String()
	if g.one(3) {
		text = g.damaged(text)
	}
	if g.one(4) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if g.one(5) {
		text = strings.TrimRight(text, "\r\n")
	}
	return text
}

// damaged removes or doubles a line, or changes its indentation.
func (g *textGenerator) damaged(text string) string {
	lines := strings.Split(text, "\n")
	i := g.rand.IntN(len(lines))
	switch g.rand.IntN(4) {
	case 0:
		lines = append(lines[:i], lines[i+1:]...)
	case 1:
		lines[i] += "\n" + lines[i]
	case 2:
		lines[i] = strings.TrimPrefix(lines[i], " ")
	default:
		lines[i] = " " + lines[i]
	}
	return strings.Join(lines, "\n")
}

// between writes comments and empty lines, most of them indented by n.
func (g *textGenerator) between(n int) {
	for g.one(3) {
		switch g.rand.IntN(4) {
		case 0:
			g.write(g.of("\n", "\n\n", "  \n"))
		case 1:
			g.column(max(n+g.rand.IntN(5)-2, 0))
			g.write("# " + g.of("a", "b", "é") + "\n")
		default:
			g.column(n)
			g.write(g.of("# c\n", "# d\n# e\n", "#\n\n", "# f\n\n"))
		}
	}
}

func (g *textGenerator) comment() string {
	if g.one(5) {
		return g.of(" # x", "  # y", " #", "\t# z")
	}
	return ""
}

// block writes a collection in block style at column n.
func (g *textGenerator) block(n, depth int, list bool) {
	for i := range 1 + g.rand.IntN(3) {
		if i > 0 {
			g.between(n)
			g.column(n)
		}
		if list {
			g.item(n, depth)
		} else {
			g.entry(i, n, depth)
		}
	}
}

func (g *textGenerator) item(n, depth int) {
	g.write("-")
	if depth > 0 && g.one(4) {
		blanks := 1 + g.rand.IntN(2)
		g.column(blanks)
		g.block(n+1+blanks, depth-1, g.one(3))
		return
	}
	g.value(n, n+1+g.rand.IntN(3), depth)
}

func (g *textGenerator) entry(i, n, depth int) {
	g.write(g.of("", "", "", "", "&k ", "!t "))
	g.write(strings.ReplaceAll(g.of("a1", "é1", "'b1'", "\"c1\"", "{{ d1 }}"), "1", string(rune('0'+i))) + ":")
	g.value(n, n+1+g.rand.IntN(3), depth)
}

// value writes the value after the ":" or "-" at column n. Its own lines begin at column
// in.
func (g *textGenerator) value(n, in, depth int) {
	if g.one(6) {
		g.write(g.of(" &x", " !t", " !!str", " &y !u", " &x.1", " &é/:#"))
	}
	switch k := g.rand.IntN(10); {
	case k < 3 && depth > 0:
		list := g.one(3)
		if list && g.one(3) {
			in = n // wrong in a list
		}
		g.lineEnd("")
		g.between(in)
		g.column(in)
		g.block(in, depth-1, list)
	case k == 3:
		g.blockScalar(max(in, n+1))
	case k == 4:
		g.write(" ")
		g.flow(in+1, 2)
		g.lineEnd("")
	case k == 5:
		g.lineEnd("")
	default:
		g.write(" ")
		g.scalar(max(in, n+1))
		g.lineEnd("")
	}
}

func (g *textGenerator) scalar(in int) {
	lines := g.of("\n", "\n\n", " \n  ") + strings.Repeat(" ", in)
	g.write(g.of("v", "12", "w x", "~", "'s'", "\"t\\n\"", "u"+lines+"v", "'q"+lines+"r'", "\"s "+lines+"t\\\n u\"", "{{ e }} f", "-", "::g"))
}

func (g *textGenerator) blockScalar(in int) {
	g.lineEnd(" " + g.of("|", ">") + g.of("", "-", "+", "2"))
	for range g.rand.IntN(4) {
		g.write(g.of("\n", strings.Repeat(" ", in)+"l\n", strings.Repeat(" ", in)+"m # n\n", strings.Repeat(" ", in+1)+"o\n", strings.Repeat(" ", in)+"\n"))
	}
}

// flow writes a collection in flow style whose lines begin at column in.
func (g *textGenerator) flow(in, depth int) {
	brackets := g.of("[]", "{}")
	g.write(brackets[:1])
	g.flowGap(in)
	for i := range g.rand.IntN(4) {
		if i > 0 {
			g.write(",")
			g.flowGap(in)
		}
		if brackets == "{}" || g.one(5) {
			g.write(strings.ReplaceAll(g.of("k1", "'l1'", "m?n1", "+?/o1"), "1", string(rune('0'+i))) + g.of(": ", ": ", " : ", ":\n"+strings.Repeat(" ", in)))
		}
		if depth > 0 && g.one(4) {
			g.flow(in, depth-1)
		} else {
			g.write(g.of("v", "1", "'w'", "::x", "y z", "{{ a, b }}", "&x c", ""))
		}
		g.flowGap(in)
	}
	g.write(brackets[1:])
}

func (g *textGenerator) flowGap(in int) {
	switch g.rand.IntN(6) {
	case 0:
		g.write(" ")
	case 1:
		g.lineEnd("")
		g.between(in)
		g.column(in)
	}
}

// FuzzGenerated compares the parsers on generated texts with an insertion.
func FuzzGenerated(f *testing.F) {
	f.Add(uint64(1), uint(3), "# x\n")
	f.Add(uint64(2), uint(30), "\n\n  - ")
	f.Fuzz(func(t *testing.T, seed uint64, at uint, insert string) {
		g := textGenerator{rand: rand.New(rand.NewPCG(seed, 2))}
		text := g.text()
		i := int(at % uint(len(text)+1))
		checkSame(t, text[:i]+insert+text[i:], ParseOptions{})
	})
}
