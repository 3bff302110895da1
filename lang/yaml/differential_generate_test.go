package yaml

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestGeneratedTexts compares texts with comments, empty lines and odd indentation at
// all places where there may be any.
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
		t.Errorf("%d of %d texts are parsed by our own parser", taken, texts)
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

// value writes what stands behind the ":" or "-" at column n; what is on lines of its
// own stands at column in.
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

// FuzzGenerated compares generated texts with something put into them.
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
