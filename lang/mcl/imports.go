package mcl

import (
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/library"
	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// declareImport adds the prefix of an import to a scope, or with "as *" its names (spec: mcl, section
// 5, "Import").
//
//	import "fmt"                    the module of the library, prefix fmt
//	import "lib/mgmt-Net-tools/"    the file lib/mgmt-Net-tools/main.mcl, prefix net_tools
func (r *resolver) declareImport(st *syntax.Import, s *scope) error {
	if old, ok := s.paths[st.Path.Text]; ok {
		return source.Errorf(st.Path.At, source.DuplicateImport, "%q is imported twice in this block", syntax.Shown(st.Path.At, st.Path.Text)).Note(old, "it is imported here")
	}
	if s.paths == nil {
		s.paths = map[string]source.Span{}
	}
	s.paths[st.Path.Text] = st.Path.At
	sp, err := r.open(st)
	if err != nil {
		return err
	}
	sp.at = st.Span()
	prefix := st.As
	switch prefix.Text {
	case "*":
		return s.addStar(st, sp)
	case "":
		prefix = syntax.Word{Text: prefixOf(st.Path.Text), At: st.Path.At}
		if !syntax.IsName(prefix.Text) {
			return source.Errorf(st.Path.At, source.BadImport, "the prefix of this import would be %q, which is no name", prefix.Text).
				WithHint("name it: import %s as NAME", st.Path.At.Text())
		}
	}
	return s.addSpace(prefix, sp)
}

// addStar adds the names of an import to a scope, with the names that it imports so itself. Names of
// its own hide them, but two imports must not have the same names.
func (s *scope) addStar(st *syntax.Import, sp *space) error {
	added := []*space{sp}
	if sp.mod != nil {
		added = append(added, sp.mod.scope.stars...)
	}
	if len(s.stars)+len(added) > maxStars {
		return source.Errorf(st.As.At, source.Limit, `more than %d files give their names to one block with "as *"`, maxStars)
	}
	old := s.stars
	for _, star := range added {
		for _, other := range old {
			if name := shared(star, other); name != "" {
				return source.Errorf(st.As.At, source.DuplicateImport, "two imports of this block have the name %s", syntax.Shown(st.Path.At, name)).
					Note(other.at, "the other one is here").WithHint("a prefix keeps them apart")
			}
		}
	}
	s.stars = append(s.stars, added...)
	return nil
}

// maxStars bounds the files whose names a block has without a prefix.
const maxStars = 1000

// shared returns a name that two files have, "" for none.
func shared(a, b *space) string {
	if a.mod == nil || b.mod == nil || a.mod == b.mod {
		return ""
	}
	x, y := a.mod.scope, b.mod.scope
	for name := range x.vars {
		if y.vars[name] != nil {
			return "$" + name
		}
	}
	for name := range x.funcs {
		if y.funcs[name] != nil {
			return name
		}
	}
	for name := range x.classes {
		if y.classes[name] != nil {
			return name
		}
	}
	return ""
}

// prefixOf returns the prefix of an import without "as".
func prefixOf(name string) string {
	name = path.Base(strings.TrimSuffix(name, "/"))
	name = strings.ToLower(strings.TrimSuffix(name, ".mcl"))
	return strings.ReplaceAll(strings.TrimPrefix(name, "mgmt-"), "-", "_")
}

// open returns the module that an import names.
func (r *resolver) open(st *syntax.Import) (*space, error) {
	name := st.Path.Text
	switch {
	case strings.Contains(name, "://") || strings.HasPrefix(name, "git@"):
		return nil, source.Errorf(st.Path.At, source.Unsupported, "an import cannot fetch a repository").
			WithHint("clone it beside the program, and import it by its directory")
	case name == "" || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "./") || strings.Contains(name, "//"):
		return nil, source.Errorf(st.Path.At, source.BadImport, "%q is no path of an import", syntax.Shown(st.Path.At, name)).
			WithHint(`a module of the library is "fmt", a file "dir/file.mcl", a directory "dir/", both relative to this file`)
	case strings.HasSuffix(name, "/"), strings.HasSuffix(name, ".mcl"):
		return r.file(st)
	}
	ok, leftOut := library.Module(name)
	switch {
	case ok:
		return &space{library: name}, nil
	case leftOut:
		return nil, source.Errorf(st.Path.At, source.Unsupported, "the module %q of mgmt is not a part of this library", name)
	}
	return nil, source.Errorf(st.Path.At, source.UnknownModule, "there is no module %q", syntax.Shown(st.Path.At, name)).
		WithHint("the library has %s; a file ends in .mcl, a directory in /", strings.Join(library.Modules(), ", ")).
		DidYouMean(name, slices.Values(library.Modules()))
}

// file returns an imported file. Each file is one module, however often it is imported.
func (r *resolver) file(st *syntax.Import) (*space, error) {
	tree, err := r.load(st.Path)
	if err != nil {
		return nil, err
	}
	full := tree.File.Path
	if full == "" {
		full = tree.File.Name
	}
	switch m, known := r.modules[full]; {
	case m != nil:
		return &space{mod: m}, nil
	case known:
		d := source.Errorf(st.Path.At, source.Recursion, "the import is recursive: %s imports itself", tree.File.Name)
		for _, o := range r.opening {
			d.Note(o.Path.At, "%s is imported here", o.Path.Text)
		}
		return nil, d
	}
	for _, stmt := range tree.Body.Stmts {
		switch stmt.(type) {
		case *syntax.Bind, *syntax.FuncStmt, *syntax.Class, *syntax.Import:
		default:
			return nil, source.Errorf(stmt.Span(), source.BadImport, "an imported file holds only binds, functions, classes and imports, not %s", describe(stmt)).
				Note(st.Path.At, "the file is imported here").WithHint("a class may hold it: class name { ... }, and include name")
		}
	}
	r.modules[full] = nil
	r.opening = append(r.opening, st)
	m, err := r.module(tree)
	r.opening = r.opening[:len(r.opening)-1]
	if err != nil {
		return nil, err
	}
	m.prefix = prefixOf(st.Path.Text)
	r.modules[full] = m
	return &space{mod: m}, nil
}

// describe names a statement for messages.
func describe(st syntax.Stmt) string {
	switch st := st.(type) {
	case *syntax.Resource:
		return "the resource " + st.Kind.Text + " " + st.Name.Span().Text()
	case *syntax.Edge:
		return "an edge"
	case *syntax.IfStmt:
		return `"if"`
	case *syntax.For:
		return "a loop"
	case *syntax.Include:
		return `"include"`
	case *syntax.Panic:
		return `"panic"`
	}
	return "this statement"
}
