package yamltexts

import (
	"fmt"
	"strings"
)

// scalar writes a scalar in flow style, with properties: plain or quoted. A unique one is the key of
// a map: its text has a number.
func (p *producer) scalar(n int, c context, unique bool) *Node {
	node := &Node{Kind: Scalar}
	anchor, asText := "", false
	if p.one(10) {
		tag := p.of("!!str", "!", "!local", "!<tag:yaml.org,2002:str>")
		if p.tags && p.one(2) {
			tag = "!e!thing"
		}
		node.Tag, anchor = p.properties(n, c, tag, false)
		p.separate(n, c)
		asText = node.Tag != ""
	}
	node.Text = p.words(c, unique)
	if asText && unique && c.isKey() {
		node.Text = "t" + node.Text
	}
	switch {
	case p.one(3) && isPlain(node.Text, c.inFlow()):
		node.Plain = true
		p.writePlain(node.Text, n, c)
	case p.one(2) && isSingleQuoted(node.Text, c):
		p.writeSingle(node.Text, n, c)
	default:
		p.writeDouble(node.Text, n, c)
	}
	p.anchored(node, anchor)
	return node
}

// words returns a text, or the spelling of another scalar.
func (p *producer) words(c context, unique bool) string {
	if unique {
		p.count++
		return p.of("k", "é", "k-", "k#", "a b", "k?", "https://k/", "-k", "?k", ":k", "\"k", "k, l", "[k") + fmt.Sprint(p.count)
	}
	if p.one(4) {
		return p.of("12", "-7", "0x1F", "0o17", "1e3", "-.5", ".inf", "-.INF", "~", "null", "true", "False", "yes", "2001-12-14", "1_000", "0b1")
	}
	if p.one(20) {
		return ""
	}
	var b strings.Builder
	for i := range 1 + p.rand.IntN(4) {
		if i > 0 {
			if c.isKey() {
				b.WriteString(" ")
			} else {
				b.WriteString(p.of(" ", " ", " ", "\n", "\n\n", "  ", "\t"))
			}
		}
		b.WriteString(p.of("word", "é", "日本", "a:b", "a#b", "-x", "?y", "::z", "#no", "it's", "say \"hi\"", "x,y", "[b]", "{c}", "&d", "*e", "!f", "%g", "@h", "`i", "|", ">", "-", "?", ":", "k: v", "\\", "\u0001", "\U0001F600", "~"))
	}
	if p.one(10) {
		b.WriteString(p.of(" ", "\n", "\t"))
	}
	return b.String()
}

// isPlain reports whether a text can be written plain: ns-plain(n, c).
func isPlain(text string, inFlow bool) bool {
	if text == "" || text != strings.Trim(text, " \t\n") || strings.ContainsAny(text, "\x01") {
		return false
	}
	if strings.ContainsAny(text, "\n") && strings.ContainsAny(text, "\t") {
		return false // a tab next to a break would be removed
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != strings.Trim(line, " \t") {
			return false
		}
	}
	safe := func(i int) bool { // ns-plain-safe(c)
		return i < len(text) && !isOneOf(text[i], " \t\n") && !(inFlow && isOneOf(text[i], ",[]{}"))
	}
	if first := text[0]; isOneOf(first, ",[]{}#&*!|>'\"%@`") || isOneOf(first, "?:-") && !safe(1) {
		return false
	}
	for i := range len(text) {
		switch {
		case text[i] == ':' && !safe(i+1),
			text[i] == '#' && isOneOf(text[i-1], " \t\n"),
			inFlow && isOneOf(text[i], ",[]{}"):
			return false
		}
	}
	return text != "---" && text != "..."
}

// folds writes the text of a plain or quoted scalar over several lines: a space may become a line
// break, and n line breaks become n+1. write writes a part of a line.
func (p *producer) folds(text string, n int, c context, write func(string)) {
	for text != "" {
		i := strings.IndexAny(text, " \n")
		if i < 0 || c.isKey() {
			write(text)
			return
		}
		write(text[:i])
		breaks := len(text[i:]) - len(strings.TrimLeft(text[i:], "\n"))
		rest := text[i+1:]
		alone := i > 0 && text[i] == ' ' && rest != "" && !isOneOf(rest[0], " \t\n") && !isOneOf(text[i-1], " \t\n")
		switch {
		case breaks > 0:
			p.fold(breaks, n)
			text = text[i+breaks:]
		case alone && p.one(4):
			p.fold(0, n)
			text = rest
		default:
			write(" ")
			text = rest
		}
	}
}

// fold writes s-flow-folded(n): a break, empty lines, and the indentation of the next line.
func (p *producer) fold(empty, n int) {
	if p.one(8) {
		p.blank()
	}
	p.write("\n")
	for range empty {
		if p.one(4) {
			p.spaces(p.rand.IntN(n + 1)) // fewer than n, or the prefix of a line
		}
		p.write("\n")
	}
	p.linePrefix(n)
}

func (p *producer) writePlain(text string, n int, c context) { p.folds(text, n, c, p.write) }

// isSingleQuoted reports whether a text can be written in single quotes.
func isSingleQuoted(text string, c context) bool {
	if strings.Contains(text, "\x01") || c.isKey() && strings.Contains(text, "\n") {
		return false
	}
	return isFoldable(text)
}

// isFoldable reports whether no line break of a text is next to a blank, which folding removes.
func isFoldable(text string) bool {
	for _, s := range []string{" \n", "\n ", "\t\n", "\n\t"} {
		if strings.Contains(text, s) {
			return false
		}
	}
	return true
}

func (p *producer) writeSingle(text string, n int, c context) {
	p.write("'")
	p.folds(text, n, c, func(s string) { p.write(strings.ReplaceAll(s, "'", "''")) })
	p.write("'")
}

// writeDouble writes a text in double quotes: folded where that is possible, else with escapes.
func (p *producer) writeDouble(text string, n int, c context) {
	p.write("\"")
	if !c.isKey() && isFoldable(text) && p.one(2) {
		p.folds(text, n, c, p.escaped)
	} else {
		for _, r := range text {
			switch {
			case r == '\n':
				p.write(p.of(`\n`, `\n`, `\x0a`, `\u000A`))
			case r == ' ' && !c.isKey() && p.one(8):
				p.write(`\` + "\n")
				p.linePrefix(n)
				p.write(`\ `)
			default:
				p.escaped(string(r))
			}
		}
	}
	p.write("\"")
}

// escaped writes characters in double quotes, some of them as escapes without need.
func (p *producer) escaped(s string) {
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			p.write(`\` + string(r))
		case r == '\t':
			p.write(p.of(`\t`, "\\\t"))
		case r == 1:
			p.write(p.of(`\x01`, `\u0001`))
		case r == '/' && p.one(2):
			p.write(`\/`)
		case r > ' ' && p.one(20):
			fmt.Fprintf(&p.b, `\U%08X`, r)
		default:
			p.write(string(r))
		}
	}
}

// uniqueBlockScalar writes a block scalar with a text that no other one has.
func (p *producer) uniqueBlockScalar(n int) *Node {
	p.count++
	return p.blockText(n, []string{fmt.Sprint("block", p.count)})
}

// blockScalar writes s-l+block-scalar(n, c).
func (p *producer) blockScalar(n int) *Node {
	var lines []string
	for range p.rand.IntN(5) {
		lines = append(lines, p.of("text", "two words", "# no comment", "- a", "k: v", "", "", " deeper", "\ttab", "é", "'", "trailing "))
	}
	return p.blockText(n, lines)
}

// blockText writes lines as a literal or folded scalar with all kinds of headers.
func (p *producer) blockText(n int, lines []string) *Node {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1] // those at the end are added below
	}
	node := &Node{Kind: Scalar}
	anchor := ""
	if p.one(6) {
		p.separate(n+1, flowOut)
		node.Tag, anchor = p.properties(n+1, flowOut, p.of("!!str", "!", "!x"), false)
	}
	p.separate(n+1, flowOut)
	folded := p.one(3)
	header := "|"
	if folded {
		header = ">"
	}
	column := n + 1 + p.rand.IntN(3)
	indicator := ""
	if strings.HasPrefix(firstLine(lines), " ") || n >= 0 && p.one(6) {
		if n < 0 {
			lines = []string{"text"}
		} else {
			indicator = fmt.Sprint(column - n)
		}
	}
	if n < 0 {
		column = max(column, 1) // a line at column 0 may look like a marker
	}
	chomping := p.of("", "", "-", "+")
	if p.one(2) {
		header += indicator + chomping
	} else {
		header += chomping + indicator
	}
	p.write(header)
	p.lineEnd()
	for _, line := range lines {
		if line != "" {
			p.spaces(column)
		} else if p.one(4) {
			p.spaces(p.rand.IntN(column + 1))
		}
		p.write(line + "\n")
	}
	trailing := 0
	if len(lines) > 0 {
		for p.one(4) {
			trailing++
			p.write("\n")
		}
	}
	node.Text = blockValue(lines, folded, chomping, trailing)
	p.anchored(node, anchor)
	if len(lines) > 0 && p.one(8) && n >= 0 {
		p.spaces(p.rand.IntN(n + 1))
		p.write("# after a block\n")
		p.commentLines()
	}
	return node
}

// firstLine returns the first line that is not empty.
func firstLine(lines []string) string {
	for _, line := range lines {
		if line != "" {
			return line
		}
	}
	return ""
}

// blockValue returns the text of a block scalar with some lines, the last of which is not empty.
func blockValue(lines []string, folded bool, chomping string, trailing int) string {
	if len(lines) == 0 {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(lines); i++ {
		b.WriteString(lines[i])
		if i == len(lines)-1 {
			break
		}
		if !folded || lines[i] == "" {
			b.WriteString("\n")
			continue
		}
		next := i + 1
		for lines[next] == "" {
			next++
		}
		switch empty := next - i - 1; {
		case isOneOf(lines[i][0], " \t") || isOneOf(lines[next][0], " \t"):
			b.WriteString(strings.Repeat("\n", empty+1))
		case empty == 0:
			b.WriteString(" ")
		default:
			b.WriteString(strings.Repeat("\n", empty))
		}
		i = next - 1
	}
	switch chomping {
	case "":
		b.WriteString("\n")
	case "+":
		b.WriteString(strings.Repeat("\n", 1+trailing))
	}
	return b.String()
}
