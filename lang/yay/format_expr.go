package yay

// head writes the line of a directive behind its indentation: the word, what follows
// it in the source up to its colon, and the colon.
func (p *printer) head(word string, l *Layout, colon string, col int) {
	p.write(word)
	start, end := int(l.At.Start), int(l.At.End)
	if p.text[start] == '%' {
		start = skipBlanks(p.text, start+1, end)
	}
	for start < end && isNamePart(p.text[start]) {
		start++
	}
	p.tokens(start, end, col+2*indentation, " ")
	p.write(colon)
	p.end(l.Trail)
}

// tokens writes the tokens of the source from start on, up to the end, a colon or the
// "}}" that closes the expression; it returns the offset behind that. A line that a
// backslash continued still is, in a column; before is written before the first
// token.
func (p *printer) tokens(start, end, col int, before string) int {
	s := spacing{text: p.text}
	lex := lexer{text: p.text, pos: start, end: end, directive: col > 0, comment: -1}
	if lex.directive {
		lex.end = min(lineEnd(p.text, start), end)
	}
	last := -1
	for {
		t := lex.next()
		if t.kind == endToken || t.kind == badToken || len(s.open) == 0 && (t.is(":") || t.is("}}")) {
			return t.end
		}
		switch {
		case last < 0:
			p.write(before)
		case lex.directive && hasBreak(p.text[last:t.start]):
			p.write(" \\\n")
			p.indent(col)
		case s.blank(t):
			p.write(" ")
		}
		p.write(s.spelling(t))
		s.push(t)
		last = t.end
	}
}

func hasBreak(gap string) bool { return lineEnd(gap, 0) < len(gap) }

// A spacing decides where blanks stand between tokens.
type spacing struct {
	text   string
	open   []byte // brackets
	last   token
	sign   bool // last is an operator with one operand
	member bool // last is the dot of an attribute, or the name behind it
}

// spelling returns how a token is written.
func (s *spacing) spelling(t token) string {
	if t.is("<>") {
		return "!="
	}
	return s.text[t.start:t.end]
}

// blank reports whether a blank stands before a token.
func (s *spacing) blank(t token) bool {
	if s.sign || s.last.is(".") {
		return false
	}
	if s.last.kind == opToken {
		switch s.last.str {
		case "(", "[", "{":
			return false
		case ":":
			return s.in('{')
		case "=":
			return !s.in('(')
		}
	}
	if t.kind != opToken {
		return true
	}
	switch t.str {
	case ")", "]", "}", ",", ":", ".":
		return false
	case "(", "[":
		return !s.operand()
	case "=":
		return !s.in('(')
	}
	return true
}

// in reports whether the innermost bracket that is open is of that kind.
func (s *spacing) in(bracket byte) bool {
	return len(s.open) > 0 && s.open[len(s.open)-1] == bracket
}

// operand reports whether the last token ends an operand.
func (s *spacing) operand() bool {
	switch s.last.kind {
	case numberToken, stringToken:
		return true
	case nameToken:
		return s.member || !isReserved(s.last.str)
	case opToken:
		return s.last.is(")") || s.last.is("]") || s.last.is("}")
	}
	return false
}

// push takes a token that was written.
func (s *spacing) push(t token) {
	s.sign = t.is("~") || (t.is("-") || t.is("+")) && !s.operand()
	s.member = t.is(".") || t.kind == nameToken && s.last.is(".")
	if t.kind == opToken {
		switch t.str {
		case "(", "[", "{":
			s.open = append(s.open, t.str[0])
		case ")", "]", "}":
			if len(s.open) > 0 {
				s.open = s.open[:len(s.open)-1]
			}
		}
	}
	s.last = t
}
