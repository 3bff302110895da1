package mcl

import (
	"cmp"
	"maps"
	"slices"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// recursion returns the error of the first class of a file that includes itself, directly or through
// others, although nothing includes it: its text already says that no program can (spec: mcl, section 5).
// Of an included class the resolver has said so. A function that nothing calls is not checked.
func recursion(m *module) error {
	all := slices.SortedFunc(maps.Values(m.scope.classes), func(a, b *class) int {
		return cmp.Compare(a.unit.at.Start, b.unit.at.Start)
	})
	states := map[*class]state{}
	for _, c := range all {
		if err := includeCycle(m, c, states, 0); err != nil {
			return err
		}
	}
	return nil
}

// includeCycle looks for a cycle of includes from a class on, which is some includes below the first one. It does
// not look deeper than maxDepth: nothing can include such a class.
func includeCycle(m *module, c *class, states map[*class]state, depth int) error {
	if c.state == done || states[c] == done || depth > maxDepth {
		return nil
	}
	states[c] = running
	own := map[string]bool{} // classes of its body, and the ones that it imports "as *", hide the classes of the file
	var includes []*syntax.Include
	bodyIncludes(c.unit.class.Body.Stmts, own, &includes)
	for _, inc := range includes {
		next := m.scope.classes[inc.Name.Text]
		if next == nil || own["*"] || own[inc.Name.Text] || c.body.classes[inc.Name.Text] != nil {
			continue
		}
		if states[next] == running {
			return source.Errorf(inc.Span(), source.Recursion, "the class %s is recursive: it includes itself here", next.unit.name).
				Note(next.unit.at, "it is defined here")
		}
		if err := includeCycle(m, next, states, depth+1); err != nil {
			return err
		}
	}
	states[c] = done
	return nil
}

// bodyIncludes collects the includes of a block and of the blocks in it, and the names of the classes
// and imports there.
func bodyIncludes(stmts []syntax.Stmt, own map[string]bool, all *[]*syntax.Include) {
	for _, st := range stmts {
		switch st := st.(type) {
		case *syntax.Include:
			*all = append(*all, st)
		case *syntax.Class:
			own[st.Name.Text] = true
		case *syntax.Import:
			own[st.As.Text] = true
		case *syntax.IfStmt:
			bodyIncludes(st.Then.Stmts, own, all)
			if st.Else != nil {
				bodyIncludes(st.Else.Stmts, own, all)
			}
		case *syntax.For:
			bodyIncludes(st.Body.Stmts, own, all)
		}
	}
}
