package template

import (
	"errors"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/flosch/pongo2/v6"
)

// pongo2 builds and runs the tree of statements. What it is given to read is not
// the user's text but a skeleton that consists of four tags of our own, so none of
// its own tags, filters and expressions can be reached:
//
//	{%yrun 3%}   the operations of run 3: texts, expressions, simple statements
//	{%yopen 2%}  statement 2, whose first body follows
//	{%ynext%}    its next body
//	{%yclose%}   its end
const (
	runTag   = "yrun"
	openTag  = "yopen"
	nextTag  = "ynext"
	closeTag = "yclose"
)

// registerTags adds our tags to pongo2's registry, which is global, once.
var registerTags = sync.OnceValue(func() error {
	return errors.Join(pongo2.RegisterTag(runTag, parseRun), pongo2.RegisterTag(openTag, parseOpen))
})

// stateKey is where the one value that our nodes need stands in pongo2's context:
// a *linker or a *run.
const stateKey = "yaytpl"

// A skeleton is the text that pongo2 reads.
type skeleton struct{ text strings.Builder }

func (s *skeleton) numbered(tag string, n int) {
	s.text.WriteString("{%" + tag + " " + strconv.Itoa(n) + "%}")
}

func (s *skeleton) plain(tag string) { s.text.WriteString("{%" + tag + "%}") }

// noFiles is the loader of our template sets: pongo2 reads no files.
type noFiles struct{}

func (noFiles) Abs(_, name string) string { return name }

func (noFiles) Get(string) (io.Reader, error) {
	return nil, errors.New("templates are not read by pongo2")
}

// A tree is a template as pongo2 holds it, linked to our statements.
type tree struct {
	root   body
	blocks map[string]*blockStatement
}

// build makes pongo2 read a skeleton and puts the operations and statements in
// their places. A set of its own for each template keeps pongo2's unguarded fields
// from being shared between goroutines.
func build(s *skeleton, runs [][]op, statements []statement) (*tree, error) {
	if err := registerTags(); err != nil {
		return nil, err
	}
	t, err := pongo2.NewSet("yaytpl", noFiles{}).FromString(s.text.String())
	if err != nil {
		return nil, err
	}
	l := &linker{runs: runs, statements: statements, tree: &tree{}}
	err = t.ExecuteWriterUnbuffered(pongo2.Context{stateKey: l}, nowhere{})
	return l.tree, err
}

// A linker gives the nodes of a new tree what they stand for. It visits all of
// them by running the tree once.
type linker struct {
	runs       [][]op
	statements []statement
	tree       *tree
}

// A body is a part of the tree: what stands between two tags of a statement.
type body struct{ nodes *pongo2.NodeWrapper }

// exec runs the body in the current frame.
func (b body) exec(r *run) error {
	if err := r.enter(); err != nil {
		return err
	}
	defer r.leave()
	return unwrap(b.nodes.Execute(&r.ctx, nowhere{}))
}

func wrap(err error) *pongo2.Error {
	if err == nil {
		return nil
	}
	return &pongo2.Error{Sender: "yaytpl", OrigError: err}
}

func unwrap(err *pongo2.Error) error {
	if err == nil {
		return nil
	}
	return err.OrigError
}

// A runNode is a sequence of operations without bodies.
type runNode struct {
	index int
	ops   []op
}

func parseRun(_ *pongo2.Parser, _ *pongo2.Token, args *pongo2.Parser) (pongo2.INodeTag, *pongo2.Error) {
	n, err := indexArg(args)
	return &runNode{index: n}, err
}

// Execute runs or links the node.
func (n *runNode) Execute(ctx *pongo2.ExecutionContext, _ pongo2.TemplateWriter) *pongo2.Error {
	switch state := ctx.Public[stateKey].(type) {
	case *run:
		return wrap(state.ops(n.ops))
	case *linker:
		n.ops = state.runs[n.index]
	}
	return nil
}

// A statementNode is a statement with bodies.
type statementNode struct {
	index     int
	statement statement
	bodies    []body
}

func parseOpen(doc *pongo2.Parser, _ *pongo2.Token, args *pongo2.Parser) (pongo2.INodeTag, *pongo2.Error) {
	index, err := indexArg(args)
	n := &statementNode{index: index}
	for err == nil {
		var w *pongo2.NodeWrapper
		w, _, err = doc.WrapUntilTag(nextTag, closeTag)
		if err == nil {
			n.bodies = append(n.bodies, body{w})
			if w.Endtag == closeTag {
				return n, nil
			}
		}
	}
	return nil, err
}

func indexArg(args *pongo2.Parser) (int, *pongo2.Error) {
	t := args.MatchType(pongo2.TokenNumber)
	if t == nil {
		return 0, args.Error("expected a number", nil)
	}
	n, err := strconv.Atoi(t.Val)
	return n, wrap(err)
}

// Execute runs or links the node.
func (n *statementNode) Execute(ctx *pongo2.ExecutionContext, _ pongo2.TemplateWriter) *pongo2.Error {
	switch state := ctx.Public[stateKey].(type) {
	case *run:
		return wrap(n.statement.exec(state, n.bodies))
	case *linker:
		return n.link(state, ctx)
	}
	return nil
}

func (n *statementNode) link(l *linker, ctx *pongo2.ExecutionContext) *pongo2.Error {
	n.statement = l.statements[n.index]
	switch s := n.statement.(type) {
	case rootStatement:
		l.tree.root = n.bodies[0]
	case *blockStatement:
		s.body = n.bodies[0]
		if l.tree.blocks == nil {
			l.tree.blocks = map[string]*blockStatement{}
		}
		l.tree.blocks[s.name] = s
	}
	for _, b := range n.bodies {
		if err := b.nodes.Execute(ctx, nowhere{}); err != nil {
			return err
		}
	}
	return nil
}

// nowhere is the writer that pongo2 gets: our operations write to the run.
type nowhere struct{}

func (nowhere) Write(p []byte) (int, error)       { return len(p), nil }
func (nowhere) WriteString(s string) (int, error) { return len(s), nil }
