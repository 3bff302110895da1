package roundtrip_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// A generator writes YAML documents in many layouts.
type generator struct {
	t       *rapid.T
	step    int
	dash    int // of lists below keys
	anchors []string
	named   int
	tricks  bool // comments, blank lines, anchors
}

func (g *generator) pick(words ...string) string { return rapid.SampledFrom(words).Draw(g.t, "word") }

func (g *generator) chance(n int) bool { return rapid.IntRange(1, n).Draw(g.t, "chance") == 1 }

// genYAML returns a text with one document.
func genYAML(t *rapid.T) string {
	g := &generator{t: t, tricks: rapid.Bool().Draw(t, "tricks")}
	g.step = rapid.SampledFrom([]int{2, 4, 1}).Draw(t, "step")
	g.dash = rapid.SampledFrom([]int{0, g.step}).Draw(t, "dash")
	var text string
	switch rapid.IntRange(0, 9).Draw(t, "root") {
	case 0:
		text = g.flow(2) + "\n"
	case 1:
		text = g.block(false, 0, 3)
	default:
		text = g.block(true, 0, 3)
	}
	if g.tricks {
		text = g.pick("", "# first\n", "# first\n\n", "---\n", "--- # doc\n", "%YAML 1.2\n---\n", "\n") + text
		text += g.pick("", "", "# last\n", "\n\n", "...\n")
	}
	if g.chance(6) && !strings.ContainsAny(text, "|>") { // the break is a part of such a scalar
		text = strings.TrimRight(text, "\n")
	}
	if g.chance(6) {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	if g.chance(8) {
		text = "\ufeff" + text
	}
	return text
}

// block returns the lines of a map or list, each with its break.
func (g *generator) block(isMap bool, col, depth int) string {
	var b strings.Builder
	for i := range rapid.IntRange(1, 4).Draw(g.t, "entries") {
		if g.tricks {
			b.WriteString(g.above(col))
		}
		b.WriteString(strings.Repeat(" ", col))
		if isMap {
			key := g.pick("k", "key ", "'q ", "\"d ", "1", "é")
			b.WriteString(closeKey(key, i) + ":" + g.value(col, col+g.step, col+g.dash, depth, false))
		} else {
			b.WriteString("-" + g.value(col, col+2, col+2, depth, true))
		}
	}
	return b.String()
}

// closeKey makes a key different from those before it.
func closeKey(key string, i int) string {
	key += fmt.Sprint(i)
	if key[0] == '\'' || key[0] == '"' {
		return key + key[:1]
	}
	return key
}

func (g *generator) above(col int) string {
	indent := strings.Repeat(" ", col)
	return g.pick("", "", "", "\n", indent+"# about\n", "\n"+indent+"# a\n"+indent+"# b\n", indent+"# alone\n\n", "# left\n", indent+"   # deep\n")
}

// value returns what follows ":" or "-" with the line breaks at its end.
func (g *generator) value(col, mapCol, listCol, depth int, dash bool) string {
	props := ""
	if g.tricks && g.chance(8) {
		g.named++
		name := fmt.Sprint("n", g.named)
		props = " &" + name
		defer func() { g.anchors = append(g.anchors, name) }() // after its content, which cannot refer to it
	}
	comment := ""
	if g.tricks {
		comment = g.pick("", "", "", " # c", "   # d e")
	}
	kind := rapid.IntRange(0, 9).Draw(g.t, "kind")
	if depth == 0 && kind < 3 {
		kind = 5
	}
	switch {
	case kind == 0 && dash && props == "" && comment == "":
		gap := g.pick(" ", " ", "   ")
		return gap + g.compact(col+1+len(gap), depth)
	case kind <= 1:
		return props + comment + "\n" + g.block(true, mapCol, depth-1)
	case kind == 2:
		return props + comment + "\n" + g.block(false, listCol, depth-1)
	case kind == 3:
		return g.pick(" ", "  ") + strings.TrimPrefix(props+" ", " ") + g.flow(depth) + comment + "\n"
	case kind == 4:
		return props + g.blockScalar(col, comment)
	case g.tricks && kind == 5 && len(g.anchors) > 0 && props == "":
		return " *" + g.pick(g.anchors...) + comment + "\n"
	}
	return props + g.scalar(col) + comment + "\n"
}

// compact returns a map or list that begins on the line of its "-", at the column
// where what was written ends.
func (g *generator) compact(col, depth int) string {
	before := len(g.anchors)
	text := g.block(g.chance(2), col, depth-1)
	first := strings.TrimLeft(text, " ")
	if first[0] == '#' || first[0] == '\n' || len(text)-len(first) != col {
		g.anchors = g.anchors[:before]
		return "x\n"
	}
	return first
}

func (g *generator) scalar(col int) string {
	return g.pick("", " 1", " text", " two words", " 'single'", " 'it''s'", ` "double"`, ` "esc\n\"aped\""`, " true", " null", " ~", " 0x1F", " 1.50",
		" '5'", " a: b"[:2], " !Ref name", " !!str 5", " {{ x }}", "\n"+strings.Repeat(" ", col+1)+" below", " multi\n"+strings.Repeat(" ", col+3)+"line",
		" \"multi\n"+strings.Repeat(" ", col+3)+"quoted\"", " ünï ☃")
}

func (g *generator) blockScalar(col int, comment string) string {
	indent := strings.Repeat(" ", col+rapid.IntRange(1, 4).Draw(g.t, "indent"))
	header := g.pick("|", "|-", "|+", ">", ">-")
	text := " " + header + comment + "\n"
	for range rapid.IntRange(1, 3).Draw(g.t, "lines") {
		text += indent + g.pick("line", "another line # no comment", "key: value", "- dash") + "\n"
	}
	return text + g.pick("", "", "\n", "\n\n")
}

// flow returns a map or list in flow style.
func (g *generator) flow(depth int) string {
	open, end, isMap := "[", "]", false
	if g.chance(2) {
		open, end, isMap = "{", "}", true
	}
	n := rapid.IntRange(0, 3).Draw(g.t, "items")
	pad := g.pick("", "", " ")
	if n == 0 {
		return open + pad + end
	}
	var items []string
	for i := range n {
		item := g.pick("a", "1", "'b'", `"c"`, "d e", "null")
		if depth > 0 && g.chance(4) {
			item = g.flow(depth - 1)
		}
		if isMap {
			item = g.pick(fmt.Sprint("k", i, ": "), fmt.Sprintf(`"k%d": `, i), fmt.Sprintf(`"k%d":`, i)) + item
		}
		items = append(items, item)
	}
	if g.chance(4) {
		return g.spread(open, end, items)
	}
	return open + pad + strings.Join(items, g.pick(", ", ",", ",  ", ",\t")) + pad + end
}

// spread writes a flow collection with a line for each item.
func (g *generator) spread(open, end string, items []string) string {
	const indent = "\n                    " // deeper than anything around it
	text := open
	for i, item := range items {
		text += g.pick("", "", indent+"# above") + indent + item
		if i < len(items)-1 || g.chance(3) {
			text += ","
		}
		if g.tricks {
			text += g.pick("", "", " # beside")
		}
	}
	return text + indent + end
}

// genJSON returns a JSON text: compact, on one line, or indented.
func genJSON(t *rapid.T) string {
	g := &generator{t: t}
	unit := rapid.SampledFrom([]string{"", "  ", "\t", "    "}).Draw(t, "unit")
	gap := g.pick("", " ")
	if unit != "" {
		gap = " "
	}
	return g.json("", unit, gap, 3) + g.pick("", "\n")
}

func (g *generator) json(indent, unit, gap string, depth int) string {
	kind := rapid.IntRange(0, 5).Draw(g.t, "kind")
	if depth == 0 {
		kind = 5
	} else if indent == "" && depth == 3 {
		kind %= 5
	}
	if kind == 5 {
		return g.pick("1", "-2.50", `"text"`, `"é\n"`, "true", "null", `"a\/b"`, "1e3")
	}
	open, end := "[", "]"
	if kind < 3 {
		open, end = "{", "}"
	}
	var items []string
	for i := range rapid.IntRange(0, 3).Draw(g.t, "items") {
		item := g.json(indent+unit, unit, gap, depth-1)
		if kind < 3 {
			item = fmt.Sprintf("%q:%s%s", fmt.Sprint("k", i), gap, item)
		}
		items = append(items, item)
	}
	switch {
	case len(items) == 0:
		return open + end
	case unit == "":
		return open + strings.Join(items, ","+gap) + end
	}
	lead := "\n" + indent + unit
	return open + lead + strings.Join(items, ","+lead) + "\n" + indent + end
}
