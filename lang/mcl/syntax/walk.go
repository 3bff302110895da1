package syntax

import "iter"

// Children returns the expressions directly in an expression, in the order of the text: also those in
// a string, and the body of a function.
func Children(x Expr) iter.Seq[Expr] {
	return func(yield func(Expr) bool) { children(x, yield) }
}

// children reports whether yield wants more.
func children(x Expr, yield func(Expr) bool) bool {
	switch x := x.(type) {
	case *Str:
		for _, part := range x.Parts {
			if part.Ref != nil && !yield(part.Ref) {
				return false
			}
		}
	case *List:
		return each(x.Items, yield)
	case *Map:
		for _, e := range x.Entries {
			if !yield(e.Key) || !yield(e.Value) {
				return false
			}
		}
	case *Struct:
		for _, f := range x.Fields {
			if !yield(f.Value) {
				return false
			}
		}
	case *Call:
		return (x.Fn == nil || yield(x.Fn)) && each(x.Args.List, yield)
	case *If:
		return yield(x.Cond) && yield(x.Then) && yield(x.Else)
	case *Lambda:
		return yield(x.Func.Body)
	case *Paren:
		return yield(x.X)
	case *Unary:
		return yield(x.X)
	case *Binary:
		return yield(x.X) && yield(x.Y)
	case *Index:
		return yield(x.X) && yield(x.Key)
	case *Field:
		return yield(x.X) && (x.Default == nil || yield(x.Default))
	}
	return true
}

// each yields the items of a list, and reports whether yield wants more.
func each(list []Expr, yield func(Expr) bool) bool {
	for _, x := range list {
		if !yield(x) {
			return false
		}
	}
	return true
}

// Walk calls visit for an expression and all expressions in it, outer ones first, in the order of the
// text. The parts of an expression are left out if visit returns false for it.
func Walk(x Expr, visit func(Expr) bool) {
	if !visit(x) {
		return
	}
	children(x, func(child Expr) bool {
		Walk(child, visit)
		return true
	})
}

// Exprs returns the expressions directly in a statement, in the order of the text: the body of a
// function, but not the statements of a block.
func Exprs(s Stmt) iter.Seq[Expr] {
	return func(yield func(Expr) bool) { exprs(s, yield) }
}

func exprs(s Stmt, yield func(Expr) bool) bool {
	switch s := s.(type) {
	case *Bind:
		return yield(s.Value)
	case *Resource:
		if !yield(s.Name) {
			return false
		}
		for _, l := range s.Lines {
			if !lineExprs(l, yield) {
				return false
			}
		}
	case *Edge:
		for _, h := range s.Halves {
			if !yield(h.Name) {
				return false
			}
		}
	case *IfStmt:
		return yield(s.Cond)
	case *For:
		return yield(s.Over)
	case *FuncStmt:
		return yield(s.Func.Body)
	case *Include:
		return s.Args == nil || each(s.Args.List, yield)
	case *Panic:
		return each(s.Args.List, yield)
	}
	return true
}

func lineExprs(l *Line, yield func(Expr) bool) bool {
	switch {
	case l.Cond != nil && !yield(l.Cond):
		return false
	case l.Half != nil:
		return yield(l.Half.Name)
	}
	return yield(l.Value)
}

// Blocks returns the blocks directly in a statement, in the order of the text.
func Blocks(s Stmt) []*Block {
	switch s := s.(type) {
	case *IfStmt:
		if s.Else != nil {
			return []*Block{s.Then, s.Else}
		}
		return []*Block{s.Then}
	case *For:
		return []*Block{s.Body}
	case *Class:
		return []*Block{s.Body}
	}
	return nil
}

// WalkBlock calls visit for all statements in a block and in the blocks of these, outer ones first, in
// the order of the text. The blocks of a statement are left out if visit returns false for it.
func WalkBlock(b *Block, visit func(Stmt) bool) {
	for _, s := range b.Stmts {
		if !visit(s) {
			continue
		}
		for _, inner := range Blocks(s) {
			WalkBlock(inner, visit)
		}
	}
}
