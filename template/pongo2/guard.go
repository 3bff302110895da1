package pongo2

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/source"
)

// The library neither counts what it does nor can it be stopped, and one filter may make a text of any length. So a
// text is rewritten before it is parsed: calls of a function of the run, its hook, go where a template repeats
// itself, where it prints, and around each filter. The number is the index of the call in [run.hooks]. With
// autoescape off,
//
//	{% for h in hosts %}{{ h|ljust:20 }}{% endfor %}
//
// becomes
//
//	{% autoescape off %}{{yaytpl_hook(0)}}
//	{% for h in hosts %}{{yaytpl_hook(1)}}{{ (yaytpl_hook(2,h,20)) }}{% endfor %}
//	{% endautoescape %}
//
// without the line breaks. Nothing else of a text changes, and edits keep the offsets of the original for errors.
//
// A guard rewrites the text of one file.
type guard struct {
	run     *run
	file    *file
	open    []openTag
	extends bool
	comment token // the tag comment around the place, or the zero token
}

// An openTag is a tag that needs an end.
type openTag struct {
	token          // its name
	body, hook int // where its body begins, and the hook that counts its bytes, or -1
}

// hookName is the name of the function.
const hookName = "yaytpl_hook"

// maxNesting bounds nested tags and brackets, and the operators of one tag: the library recurses on them.
const maxNesting = 1_000

// rewrite fills the edits and the references of the file.
func (g *guard) rewrite() *textError {
	f := g.file
	first := g.hook(hook{kind: bodyHook, n: len(f.text), at: f.span(0, 0)})
	f.edit(0, 0, "{% autoescape "+f.escaping()+" %}{{"+call(first)+")}}")
	if err := scan(f.text, g.group); err != nil {
		return err
	}
	switch n := len(g.open); {
	case g.comment.end > 0:
		return syntaxError(g.comment.start, g.comment.end, "comment has no end")
	case n > 0:
		return syntaxError(g.open[n-1].start, g.open[n-1].end, "%s has no end", g.open[n-1].text)
	case g.extends: // its text outside of blocks is not printed, and extends must not be in a tag
		f.edits = f.edits[1:]
	default:
		leave := g.hook(hook{kind: leaveHook})
		f.edit(len(f.text), len(f.text), "{{"+call(leave)+")}}{% endautoescape %}")
	}
	f.apply()
	return nil
}

// hook adds a hook of the file.
func (g *guard) hook(h hook) int {
	h.file = g.file
	g.run.hooks = append(g.run.hooks, h)
	return len(g.run.hooks) - 1
}

// call returns a call of a hook without the closing bracket.
func call(hook int) string { return hookName + "(" + strconv.Itoa(hook) }

// group guards a group.
func (g *guard) group(p group) *textError {
	if g.comment.end > 0 {
		return g.skip(p)
	}
	brackets, operators := 0, 0
	for _, t := range p.tokens {
		switch {
		case t.text == hookName:
			return syntaxError(t.start, t.end, "the name %s is reserved", hookName)
		case t.is("("), t.is("["):
			brackets++
		case t.is(")"), t.is("]"):
			brackets--
		case t.kind == symbolToken && !t.is(".") && !t.is(",") && !t.is(":") && !t.is("="), t.kind == keywordToken:
			operators++
		}
		g.file.operators = max(g.file.operators, brackets, operators)
		if g.file.operators > maxNesting {
			return tooDeep(t.start, t.end)
		}
	}
	g.run.tokens += len(p.tokens) + 3
	if g.run.tokens > maxTokens {
		return tooMany(p.start, p.end)
	}
	if p.tag {
		return g.tag(p)
	}
	g.values(p.tokens, true)
	return nil
}

func tooMany(start, end int) *textError {
	return &textError{start, end, source.Limit, fmt.Sprintf("the templates have more than %d parts", maxTokens)}
}

func tooDeep(start, end int) *textError {
	return &textError{start, end, source.Limit, fmt.Sprintf("tags, brackets or operators are nested more than %d deep", maxNesting)}
}

// around adds a call of a hook at an offset next to a group, which must not change what is trimmed around it, and
// returns the hook.
func (g *guard) around(p group, at int, h hook) int {
	open, shut := "{{", ")}}"
	if p.trimLeft && at == p.start || h.kind == nowHook && p.trimLeft {
		open = "{{-"
	}
	if p.trimRight && at == p.end {
		shut = ")-}}"
	}
	i := g.hook(h)
	g.file.edit(at, at, open+call(i)+shut)
	return i
}

// tag guards a tag.
func (g *guard) tag(p group) *textError {
	if len(p.tokens) == 0 || p.tokens[0].kind != nameToken {
		return syntaxError(p.start, p.end, "a tag begins with its name")
	}
	word, args := p.tokens[0], p.tokens[1:]
	at := g.file.span(p.start, p.end)
	body := -1
	switch word.text {
	case "for":
		body = g.around(p, p.end, hook{kind: loopHook, at: at})
		i := slices.IndexFunc(args, func(t token) bool { return t.kind == keywordToken && t.text == "in" })
		args = args[i+1:]
		g.values(without(without(args, "sorted"), "reversed"), false)
	case "block":
		body = g.around(p, p.end, hook{kind: bodyHook, at: at})
	case "macro":
		body = g.around(p, p.end, hook{kind: bodyHook, at: at})
		g.defaults(args)
	case "filter":
		if len(args) == 0 {
			return syntaxError(p.start, p.end, "the tag filter needs a filter")
		}
		body = g.filterTag(p)
	case "autoescape", "spaceless":
	case "with", "set", "if", "elif", "ifchanged", "ifequal", "ifnotequal":
		g.values(args, false)
	case "cycle", "widthratio", "firstof": // these may print their values
		if i := slices.IndexFunc(args, func(t token) bool { return t.kind == keywordToken && t.text == "as" }); i >= 0 {
			args = args[:i]
		}
		g.values(args, true)
	case "include":
		g.include(p, args)
	case "extends", "import":
		g.extends = g.extends || word.text == "extends" && len(g.open) == 0
		if len(args) > 0 && args[0].kind == quotedToken {
			g.file.refs = append(g.file.refs, g.file.span(args[0].start, args[0].end))
		}
	case "comment":
		g.comment = word
	case "lorem":
		return g.lorem(p, args)
	case "now":
		if len(args) == 1 && args[0].kind == quotedToken { // "fake" has a time of its own
			g.file.edit(p.start, p.end, "")
			g.around(p, p.end, hook{kind: nowHook, at: at, name: args[0].plain()})
		}
	case "templatetag", "else", "empty":
	case "ssi":
		return &textError{p.start, p.end, source.Forbidden, "the tag ssi, which reads files past the roots; include reads them"}
	default:
		return g.end(p, word)
	}
	if slices.Contains([]string{"for", "block", "macro", "filter", "autoescape", "spaceless", "with", "if", "ifchanged", "ifequal", "ifnotequal"}, word.text) {
		g.open = append(g.open, openTag{word, p.end, body})
		g.file.deepest = max(g.file.deepest, len(g.open))
	}
	if g.file.depth+len(g.open) > maxNesting {
		return tooDeep(p.start, p.end)
	}
	return nil
}

// end closes the innermost tag.
func (g *guard) end(p group, word token) *textError {
	n := len(g.open) - 1
	opens, ends := strings.CutPrefix(word.text, "end")
	switch {
	case !ends:
		return syntaxError(word.start, word.end, "unknown tag %q", word.text)
	case n < 0 || g.open[n].text != opens:
		return syntaxError(word.start, word.end, "unexpected %s", word.text)
	}
	tag := g.open[n]
	g.open = g.open[:n]
	if tag.hook < 0 {
		return nil
	}
	h := &g.run.hooks[tag.hook]
	h.n = p.start - tag.body
	if h.kind == bodyHook {
		g.around(p, p.start, hook{kind: leaveHook})
	}
	return nil
}

// skip looks for the end of a comment, after which the library looks for the end of the tag forever.
func (g *guard) skip(p group) *textError {
	if !p.tag || len(p.tokens) == 0 || p.tokens[0].text != "endcomment" {
		return nil
	}
	if len(p.tokens) > 1 {
		return syntaxError(p.tokens[1].start, p.end, "endcomment has no arguments")
	}
	g.comment = token{}
	return nil
}

// lorem counts what the tag will print.
func (g *guard) lorem(p group, args []token) *textError {
	const paragraph, longestWord = 1_200, 16
	n, size := 1, paragraph
	for _, t := range args {
		if t.kind == numberToken {
			var err error
			if n, err = strconv.Atoi(t.text); err != nil {
				n = g.run.page.MaxBytes
			}
		}
		if t.text == "w" {
			size = longestWord
		}
		g.run.random = g.run.random || t.text == "random"
	}
	if n > g.run.page.MaxBytes/size {
		return &textError{p.start, p.end, source.Limit, fmt.Sprintf("lorem would write more than %d bytes (--max-bytes)", g.run.page.MaxBytes)}
	}
	g.around(p, p.start, hook{kind: noteHook, at: g.file.span(p.start, p.end), n: n * size})
	return nil
}

// include notes the place of an include. If its name is computed, this happens when the template runs it.
func (g *guard) include(p group, args []token) {
	if len(args) > 0 && args[0].kind == quotedToken {
		g.file.refs = append(g.file.refs, g.file.span(args[0].start, args[0].end))
		args = args[1:]
	} else {
		g.around(p, p.start, hook{kind: noteHook, at: g.file.span(p.start, p.end)})
	}
	for i, t := range args {
		if t.text == "with" && t.kind == nameToken {
			g.values(without(args[i+1:], "only"), false)
			args = args[:i]
			break
		}
	}
	g.values(without(args, "if_exists"), false)
}

// without returns the arguments of a tag without a word that ends them and is no value.
func without(t []token, word string) []token {
	n := len(t) - 1
	if n > 0 && t[n].kind == nameToken && t[n].text == word && !isOperator(t[n-1]) {
		return t[:n]
	}
	return t
}

// defaults guards the defaults of the parameters of a macro, NAME(A, B=EXPRESSION), which are computed before the hook
// of its body is called. Arguments are computed in their order, so that the inner hook comes before the expression:
//
//	{% macro m(x=m()) %}      {% macro m(x=yaytpl_hook(1,yaytpl_hook(2),m())) %}
func (g *guard) defaults(args []token) {
	from, depth := -1, 0
	for i, t := range args {
		switch {
		case t.is("("), t.is("["):
			depth++
		case t.is(")"), t.is("]"):
			depth--
		}
		switch {
		case from >= 0 && (depth == 0 || depth == 1 && t.is(",")):
			if from < i {
				at := g.file.span(args[from].start, args[i-1].end)
				outer, inner := g.hook(hook{kind: defaultHook}), g.hook(hook{kind: bodyHook, at: at})
				g.file.edit(args[from].start, args[from].start, call(outer)+","+call(inner)+"),")
				g.values(args[from:i], false)
				g.file.edit(args[i-1].end, args[i-1].end, ")")
			}
			from = -1
		case depth == 1 && t.is("=") && from < 0:
			from = i + 1
		}
	}
}

// filterTag guards {% filter a|b:x %}, whose chain has no value to wrap: an argument of the filter
// default_if_none, which passes every text on, is the place for a hook that knows how much the body printed.
func (g *guard) filterTag(p group) (begin int) {
	at := g.file.span(p.start, p.end)
	args := p.tokens[1:]
	begin = g.around(p, p.start, hook{kind: beginHook, at: at})
	end, growth := g.hook(hook{kind: endHook, at: at}), 1
	for i := 0; i < len(args); i++ {
		t := args[i]
		if t.kind != nameToken || i > 0 && !args[i-1].is("|") {
			continue
		}
		growth = times(growth, growthOf(t.text))
		g.run.random = g.run.random || t.text == "random"
		if i+2 < len(args) && args[i+1].is(":") && isValue(args[i+2]) {
			h := hook{kind: argumentHook, at: g.file.span(t.start, t.end), name: t.text, end: end}
			g.file.edit(args[i+2].start, args[i+2].start, call(g.hook(h))+",")
			i = g.value(args, i+2, false) - 1
			g.file.edit(args[i].end, args[i].end, ")")
		}
	}
	g.run.hooks[end].n = growth
	g.file.edit(args[0].start, args[0].start, "default_if_none:"+call(end)+")|")
	return begin
}

// isValue reports whether a token begins a value.
func isValue(t token) bool {
	return t.kind != symbolToken && (t.kind != keywordToken || t.text == "true" || t.text == "false")
}

func isOperator(t token) bool {
	return t.kind == keywordToken && t.text != "true" && t.text != "false" || t.kind == symbolToken && !t.is(")") && !t.is("]")
}

// values guards the values with filters among tokens, and all values if they are printed or added, which
// makes a longer text.
func (g *guard) values(t []token, all bool) {
	all = all || slices.ContainsFunc(t, func(t token) bool { return t.is("+") })
	for i := 0; i < len(t); {
		if isValue(t[i]) {
			i = g.filtered(t, i, all)
		} else {
			i++
		}
	}
}

// value returns the index after the value at i, a literal or a variable with its parts, and guards what is in
// its brackets.
func (g *guard) value(t []token, i int, all bool) int {
	if t[i].kind == numberToken && i+2 < len(t) && t[i+1].is(".") && t[i+2].kind == numberToken {
		return i + 3
	}
	if t[i].kind != nameToken {
		return i + 1
	}
	if name, next := rootKey(t, i); next > 0 {
		g.file.edit(t[i].start, t[next-1].end, call(g.hook(hook{kind: keyHook, at: g.file.span(t[i].start, t[next-1].end), name: name}))+")")
		i = next - 1
	}
	for i++; i < len(t); {
		switch {
		case t[i].is(".") && i+1 < len(t) && (t[i+1].kind == nameToken || t[i+1].kind == numberToken):
			i += 2
		case t[i].is("("), t[i].is("["):
			shut := closing(t, i)
			g.values(t[i+1:shut], all)
			i = min(shut+1, len(t))
		default:
			return i
		}
	}
	return i
}

// rootKey returns the key of ROOT.KEY or ROOT["KEY"] at i, and the index after it: a template that reads one key does not
// have the marks of all. next is 0 if there is none.
func rootKey(t []token, i int) (key string, next int) {
	switch {
	case t[i].text != rootName:
	case i+2 < len(t) && t[i+1].is(".") && t[i+2].kind == nameToken:
		return t[i+2].text, i + 3
	case i+3 < len(t) && t[i+1].is("[") && t[i+2].kind == quotedToken && t[i+3].is("]"):
		return t[i+2].plain(), i + 4
	}
	return "", 0
}

// closing returns the index of the bracket that closes the one at i, or the number of tokens.
func closing(t []token, i int) int {
	depth := 0
	for ; i < len(t); i++ {
		switch {
		case t[i].is("("), t[i].is("["):
			depth++
		case t[i].is(")"), t[i].is("]"):
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(t)
}

// filtered guards the value at i with its filters, and returns the index after them:
//
//	x|cut:y|upper      (yaytpl_hook(8,yaytpl_hook(7,x,y)))
//
// The library refuses what is not rewritten here: unknown filters, and arguments that are not values.
func (g *guard) filtered(t []token, i int, all bool) int {
	start, end := i, g.value(t, i, all)
	if end < len(t) && t[end].is("=") || start > 0 && t[start-1].kind == keywordToken && t[start-1].text == "as" {
		return end // the name of a variable that is set
	}
	var calls string
	var edits []edit
	safe := ""
	next := end
	for next+1 < len(t) && t[next].is("|") && t[next+1].kind == nameToken {
		filter := t[next+1]
		if !pongo2.FilterExists(filter.text) {
			return next + 2
		}
		if filter.text == "safe" {
			safe = "|safe"
		}
		g.run.random = g.run.random || filter.text == "random"
		calls = call(g.hook(hook{kind: filterHook, at: g.file.span(filter.start, filter.end), name: filter.text})) + "," + calls
		if next+2 >= len(t) || !t[next+2].is(":") {
			edits = append(edits, edit{t[next].start, filter.end, ")"})
			next += 2
			continue
		}
		if next+3 >= len(t) || !isValue(t[next+3]) {
			return next + 2
		}
		edits = append(edits, edit{t[next].start, t[next+3].start, ","})
		next = g.value(t, next+3, all)
		edits = append(edits, edit{t[next-1].end, t[next-1].end, ")"})
	}
	if calls == "" {
		if !all || t[i].kind != nameToken {
			return end
		}
		calls = call(g.hook(hook{kind: textHook, at: g.file.span(t[i].start, t[end-1].end)})) + ","
		edits = append(edits, edit{t[end-1].end, t[end-1].end, ")"})
	}
	g.file.edits = append(append(g.file.edits, edit{t[start].start, t[start].start, "(" + calls}), edits...)
	g.file.edit(t[next-1].end, t[next-1].end, safe+")")
	return next
}

// An edit replaces the bytes [start, end) of a text.
type edit struct {
	start, end int
	text       string
}

// apply makes the text for the library, and the table of offsets.
func (f *file) apply() {
	slices.SortStableFunc(f.edits, func(a, b edit) int { // what is inserted comes before what is replaced
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(min(a.end-a.start, 1), min(b.end-b.start, 1)))
	})
	var b strings.Builder
	from := 0
	keep := func(to int) {
		f.offsets = append(f.offsets, offset{b.Len(), from})
		b.WriteString(f.text[from:to])
	}
	for _, e := range f.edits {
		keep(e.start)
		f.offsets = append(f.offsets, offset{b.Len(), e.start}, offset{b.Len() + len(e.text), e.end})
		b.WriteString(e.text)
		from = e.end
	}
	keep(len(f.text))
	f.guarded = b.String()
}
