package engine

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # Values from the environment
//
// Each variable whose name begins with a prefix is a layer (spec: everyday, B7): the rest of its name,
// split at "__", is a path, and its value is read like VALUE on the command line. The parts of the
// path are looked up in the layers below, one after the other:
//
//	below is        the part    is
//	a map           PORT        its key port, whatever its letter case is; if it has none, the key port
//	a list          0, 1, ...   its item; the number after the last item adds one
//	anything else   0           the first item of a new list
//	                PORT        the key port of a new map
//
// So APP_HOSTS__0=a and APP_HOSTS__1=b make the list [a, b] where there was none. An example:
//
//	site.yaml                 {server: {Port: 80, hosts: [a]}}
//	APP_SERVER__PORT=8080     {server: {Port: 8080}}
//	APP_SERVER__HOSTS__1=b    {server: {hosts: [a, b]}}
//	APP_SERVER__NAME=web      {server: {name: web}}

// A variable is a variable of the environment.
type variable struct {
	name, text string
	parts      []string // of the path
}

// WithEnviron puts a layer over layers for each environment variable with a prefix, which is not
// empty. The variables are the user's choice: the rights of documents do not apply.
//
// Codes: usage for a variable that names no place, and for two variables of one place; the codes of
// reading VALUE.
func (p *Project) WithEnviron(layers []Layer, prefix string) ([]Layer, error) {
	vars, err := p.variables(prefix)
	if err != nil {
		return nil, err
	}
	set := map[string]string{} // the variable of each place
	for _, v := range vars {
		doc, err := p.environ(v, layers, set)
		if err != nil {
			return nil, err
		}
		layers = append(layers, Layer{v.name, []*graph.Doc{doc}})
	}
	return layers, nil
}

// variables returns the variables with a prefix in the order of their paths, numbers by value.
func (p *Project) variables(prefix string) ([]variable, error) {
	var vars []variable
	for name, text := range p.files.Variables(prefix) {
		v := variable{name, text, strings.Split(name[len(prefix):], "__")}
		if slices.Contains(v.parts, "") {
			return nil, v.errorf("%s names no key: a part of its name is empty", v.name).
				WithHint("%sA__B is the key b of a", prefix)
		}
		vars = append(vars, v)
	}
	slices.SortFunc(vars, func(a, b variable) int {
		return cmp.Or(slices.CompareFunc(a.parts, b.parts, compareParts), cmp.Compare(a.name, b.name))
	})
	return vars, nil
}

func compareParts(a, b string) int {
	x, xIs := indexOf(a)
	y, yIs := indexOf(b)
	if xIs && yIs && x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}

// indexOf returns a part as a number, and false if it is not one.
func indexOf(part string) (int, bool) {
	if strings.Trim(part, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.Atoi(part)
	return n, err == nil
}

// errorf returns an error of code usage that does not quote the value.
func (v variable) errorf(format string, args ...any) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.Usage, format, args...)
}

// environ makes the layer of a variable above the layers below, and adds it to set.
func (p *Project) environ(v variable, below []Layer, set map[string]string) (*graph.Doc, error) {
	place, err := p.rangeOf(v, below, set)
	if err != nil {
		return nil, err
	}
	f := source.NewFile(v.name, v.text)
	doc, tag, findings := frontend.ParseValue(f, yaml.TypedForm, p.opts.Parse)
	for _, d := range findings {
		if d = show.Finding(d, f); d.Severity == source.Error {
			return nil, prefixed(d, v.name)
		}
		p.opts.Warn(d)
	}
	own := *doc
	own.Base, own.Typed, own.Tag = p.dir, true, ""
	n := own.Root
	if n == nil {
		n = &graph.Scalar{At: f.Span(0, 0)}
	}
	own.Root = atPlace(place, setting(n), tag)
	return &own, nil
}

// A placePart is a key of a map, or an item of a list: one that exists, or a new one after the last.
type placePart struct {
	key     value.Key
	item    bool
	fresh   bool // a new item
	newList bool // in a place that is no list
}

// rangeOf returns the place of a variable: in the document that has most of it.
func (p *Project) rangeOf(v variable, below []Layer, set map[string]string) ([]placePart, error) {
	var best []placePart
	most, failed := -1, error(nil)
	pairs, _ := p.Pair(below) // rendering returns its errors
	for _, d := range pairs {
		root, err := d.Expanded()
		if err != nil {
			continue // as well
		}
		place, known, err := v.in(root, set)
		if known > most {
			best, most, failed = place, known, err
		}
	}
	if failed != nil {
		return nil, failed
	}
	if most < 0 {
		best, _, failed = v.in(value.FromMap(value.NewMap(0)), set)
		if failed != nil {
			return nil, failed
		}
	}
	var path value.Path
	for _, part := range best {
		path = append(path, part.key)
	}
	at := path.Pointer()
	if other, twice := set[at]; twice {
		return nil, v.errorf("%s and %s are both %s", other, v.name, path)
	}
	set[at] = v.name
	return best, nil
}

// in returns the place of a variable in a document, and how many of its parts exist.
func (v variable) in(at value.Value, set map[string]string) (place []placePart, known int, err error) {
	var path value.Path
	for _, part := range v.parts {
		if name, ok := set[path.Pointer()]; ok && !at.Is(value.MapKind) && !at.Is(value.ListKind) {
			return nil, known, v.errorf("%s is a key of %s, and %s sets that to %s", v.name, path, name, value.Article(at.Kind()))
		}
		var next placePart
		var found bool
		switch n, isIndex := indexOf(part); {
		case at.Is(value.MapKind):
			at, next.key, found, err = keyBelow(at, part)
		case isIndex:
			at, next, found, err = v.item(at, n, path)
		case at.Is(value.ListKind):
			err = v.errorf("%s needs a number after %s, which is a list", v.name, path)
		default:
			at, next = value.Null, placePart{key: value.K(strings.ToLower(part))}
		}
		if err != nil {
			return nil, known, err
		}
		if found {
			known++
		}
		path = append(path, next.key)
		place = append(place, next)
	}
	return place, known, nil
}

// keyBelow returns the entry of a map for a part of a path, null if there is none: its own key, or
// else the key in lower case, or else the first one that differs in letter case.
func keyBelow(m value.Value, part string) (item value.Value, key value.Key, found bool, err error) {
	lower := strings.ToLower(part)
	for _, word := range []string{part, lower} {
		for _, k := range value.KeysSpelt(word) {
			item, ok, err := m.Map().Get(k)
			if ok || err != nil {
				return item, k, ok, err
			}
		}
	}
	keys, err := value.KeysOf(m.Map())
	if err != nil {
		return value.Null, key, false, err
	}
	for _, k := range keys {
		if strings.EqualFold(k.Text, part) {
			item, ok, err := m.Map().Get(k)
			return item, k, ok, err
		}
	}
	return value.Null, value.K(lower), false, nil
}

// item returns the n-th item of a list, or of a new list if at is not one.
func (v variable) item(at value.Value, n int, path value.Path) (item value.Value, next placePart, found bool, err error) {
	next = placePart{key: value.Index(n), item: true}
	length := 0
	if at.Is(value.ListKind) {
		length = at.List().Len()
	} else {
		next.newList = true
	}
	switch {
	case n < length:
		item, err = at.List().At(n)
		return item, next, true, err
	case n > length:
		return value.Null, next, false, v.errorf("%s leaves a gap: %s has %s", v.name, path, docpath.ItemsToTake(length)).
			WithHint("a map with numbers as keys is a value, such as {%d: ...}", n)
	}
	next.fresh = true
	return value.Null, next, false, nil
}

// atPlace returns n at a place. tag is the tag of n.
func atPlace(place []placePart, n graph.Node, tag string) graph.Node {
	for i, part := range slices.Backward(place) {
		if i < len(place)-1 {
			tag = ""
		}
		switch {
		case !part.item:
			n = entry(part.key, n, tag)
		case part.newList:
			n = graph.NewSeq(graph.Seq{At: n.Span(), Items: []graph.Node{n}, Notes: notesOf(tag), Replace: true})
		case part.fresh:
			n = extending(n, tag)
		default:
			i, _ := strconv.Atoi(part.key.Text)
			n = joining(n, &graph.Where{Index: i}, tag)
		}
	}
	return n
}
