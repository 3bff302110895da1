package gotemplate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"text/template"
	"text/template/parse"
)

// A template is changed between parsing and running, so that its work is counted and its data behave as
// data of the language:
//
//	{{ range $x := .Hosts }}a{{ end }}     {{ range $x := .Hosts | _items }}{{ _step }}a{{ end }}
//	{{ define "x" }}a{{ end }}             {{ define "x" }}{{ _step }}a{{ end }}
//	{{ .web.port }}                        {{ (_field ".web.port" . "web" "port") }}
//
// Steps make a loop and a chain of templates count that print nothing; _items refuses numbers; _field finds
// a field of a struct by its own name, though the struct has the names of today, with capital letters.

// maxUses bounds how deep templates use each other, since running them takes stack.
const maxUses = 1000

// adapt changes a template that was parsed. It refuses templates that use themselves: nothing would end
// them.
func adapt(t *template.Template) error {
	a := &adapter{uses: map[string][]string{}}
	for _, part := range t.Templates() {
		if part.Tree == nil || part.Tree.Root == nil {
			continue
		}
		a.tree = part.Tree
		a.list(part.Tree.Root)
		a.step(part.Tree.Root)
	}
	depth := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(a.uses)) {
		if _, err := a.depth(name, depth); err != nil {
			return err
		}
	}
	return nil
}

// An adapter changes the trees of a template and of those that it defines.
type adapter struct {
	tree *parse.Tree
	uses map[string][]string // the templates that each template uses
}

// depth returns how deep the templates are that a template uses, and remembers it: -1 while it is searched.
func (a *adapter) depth(name string, known map[string]int) (int, error) {
	switch d, ok := known[name]; {
	case ok && d < 0:
		return 0, fmt.Errorf("the template %q uses itself, which has no end", name)
	case ok:
		return d, nil
	}
	known[name] = -1
	deepest := 0
	for _, used := range a.uses[name] {
		d, err := a.depth(used, known)
		if err != nil {
			return 0, err
		}
		deepest = max(deepest, d+1)
	}
	if deepest > maxUses {
		return 0, fmt.Errorf("templates use each other more than %d deep", maxUses)
	}
	known[name] = deepest
	return deepest, nil
}

// step puts a call of _step in front of a list of nodes.
func (a *adapter) step(l *parse.ListNode) {
	action := &parse.ActionNode{NodeType: parse.NodeAction, Pos: l.Pos, Pipe: a.call(l.Pos, "_step")}
	l.Nodes = append([]parse.Node{action}, l.Nodes...)
}

// call returns the call of a function in parentheses.
func (a *adapter) call(at parse.Pos, name string, args ...parse.Node) *parse.PipeNode {
	return &parse.PipeNode{NodeType: parse.NodePipe, Pos: at, Cmds: []*parse.CommandNode{a.command(at, name, args...)}}
}

func (a *adapter) command(at parse.Pos, name string, args ...parse.Node) *parse.CommandNode {
	fn := parse.NewIdentifier(name).SetTree(a.tree).SetPos(at)
	return &parse.CommandNode{NodeType: parse.NodeCommand, Pos: at, Args: append([]parse.Node{fn}, args...)}
}

// list changes the nodes of a list, which is nil for a missing else.
func (a *adapter) list(l *parse.ListNode) {
	if l == nil {
		return
	}
	for _, n := range l.Nodes {
		switch n := n.(type) {
		case *parse.ActionNode:
			a.pipe(n.Pipe)
		case *parse.IfNode:
			a.branch(&n.BranchNode)
		case *parse.WithNode:
			a.branch(&n.BranchNode)
		case *parse.RangeNode:
			a.branch(&n.BranchNode)
			n.Pipe.Cmds = append(n.Pipe.Cmds, a.command(n.Pipe.Pos, "_items"))
			a.step(n.List)
		case *parse.TemplateNode:
			a.pipe(n.Pipe)
			a.uses[a.tree.Name] = append(a.uses[a.tree.Name], n.Name)
		}
	}
}

func (a *adapter) branch(n *parse.BranchNode) {
	a.pipe(n.Pipe)
	a.list(n.List)
	a.list(n.ElseList)
}

// pipe changes the operands of the commands of a pipeline, which is nil in {{ template "x" }}.
func (a *adapter) pipe(p *parse.PipeNode) {
	if p == nil {
		return
	}
	for _, c := range p.Cmds {
		for i, arg := range c.Args {
			c.Args[i] = a.operand(arg)
		}
	}
}

// operand returns the replacement of an operand: a call of _field for fields by their own names.
func (a *adapter) operand(n parse.Node) parse.Node {
	switch n := n.(type) {
	case *parse.PipeNode:
		a.pipe(n)
	case *parse.FieldNode:
		return a.field(n, &parse.DotNode{NodeType: parse.NodeDot, Pos: n.Pos}, n.Ident)
	case *parse.VariableNode:
		of := &parse.VariableNode{NodeType: parse.NodeVariable, Pos: n.Pos, Ident: n.Ident[:1]}
		return a.field(n, of, n.Ident[1:])
	case *parse.ChainNode:
		text := n.String()
		n.Node = a.operand(n.Node)
		return a.named(n, text, n.Node, n.Field)
	}
	return n
}

func (a *adapter) field(n, of parse.Node, names []string) parse.Node {
	return a.named(n, n.String(), of, names)
}

// named returns a call of _field for fields of which one is not written with a capital letter, else n.
func (a *adapter) named(n parse.Node, text string, of parse.Node, names []string) parse.Node {
	if !slices.ContainsFunc(names, func(name string) bool { return name != title(name) }) {
		return n
	}
	args := []parse.Node{a.text(n.Position(), text), of}
	for _, name := range names {
		args = append(args, a.text(n.Position(), name))
	}
	return a.call(n.Position(), "_field", args...)
}

func (a *adapter) text(at parse.Pos, s string) parse.Node {
	return &parse.StringNode{NodeType: parse.NodeString, Pos: at, Quoted: fmt.Sprintf("%q", s), Text: s}
}

// A structure is a struct as data of a template: its fields by names with a capital letter. It has no
// methods, since templates could call them.
type structure map[string]any

// A fieldError is the error of a field that data of a template do not have.
type fieldError struct{ at, problem string }

// Error names the field as the template writes it.
func (e *fieldError) Error() string { return "at " + e.at + ": " + e.problem }

// field returns a field of a field of data. The text is what the template has, for messages.
func field(text string, of any, names ...string) (any, error) {
	for _, name := range names {
		var ok bool
		switch data := of.(type) {
		case structure:
			of, ok = data[title(name)]
		case map[string]any:
			of, ok = data[name]
		default:
			return nil, &fieldError{text, fmt.Sprintf("%s has no field %q", kindOf(of), name)}
		}
		if !ok {
			return nil, &fieldError{text, fmt.Sprintf("there is no field or key %q", name)}
		}
	}
	return of, nil
}

// items returns the items of a loop. Go's loops over numbers are not for programs: upstream has none, and
// {{ range 1000000000 }} needs no data.
func items(over any) (any, error) {
	if v := reflect.ValueOf(over); v.CanInt() || v.CanUint() {
		return nil, fmt.Errorf("range goes over a list, a map or a struct, not over the number %v", over)
	}
	return over, nil
}

// kindOf names the kind of data for messages.
func kindOf(data any) string {
	switch data.(type) {
	case nil:
		return "a template without data"
	case bool:
		return "a bool"
	case string:
		return "a str"
	case float64:
		return "a float"
	case []any:
		return "a list"
	case int, int64:
		return "an int"
	}
	return "a map whose keys are no texts"
}
