package engine

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/docpath"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/internal/show"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An Assignment is a value that a command line or a program assigns to a path: one of Data,
// the content of File, or Text.
type Assignment struct {
	Path   string
	Append bool         // the value, or each item of a list, becomes an item of the list at Path
	Form   yaml.Form    // how the text, or the file, is read
	Text   string       // the value as text
	File   string       // the name of a file; "-" is standard input. The roots do not apply
	Data   *value.Value // the value itself: nothing in it is evaluated
	At     source.Span  // of Data, if it was written somewhere
	Layer  string       // the name of the layer; "" is the name of the flag
}

// ParseAssignment parses PATH=VALUE, PATH+=VALUE, PATH:=YAML and PATH+:=YAML, or with @FILE the
// content of a file as VALUE, as text, or as YAML.
//
// Code: usage.
func ParseAssignment(text string) (Assignment, error) {
	a, err := docpath.ParseAssignment(text)
	form := yaml.TypedForm
	switch {
	case a.YAML:
		form = yaml.YAMLForm
	case a.File != "":
		form = yaml.TextForm
	}
	return Assignment{Path: a.Path, Append: a.Append, Form: form, Text: a.Text, File: a.File}, err
}

// ParseInline is ParseAssignment for texts that must not name files: in PATH=@x the value is
// the text "@x".
//
// Code: usage.
func ParseInline(text string) (Assignment, error) {
	a, err := ParseAssignment(text)
	if a.File != "" {
		if a.Form == yaml.TextForm {
			a.Form = yaml.TypedForm
		}
		a.Text, a.File = "@"+a.File, ""
	}
	return a, err
}

// ParseText parses PATH=TEXT or PATH+=TEXT.
//
// Code: usage.
func ParseText(text string) (Assignment, error) {
	a, err := docpath.ParseText(text)
	return Assignment{Path: a.Path, Append: a.Append, Form: yaml.TextForm, Text: a.Text}, err
}

// Source returns the text of an assignment as a file.
func (a Assignment) Source(files *load.Files) (*source.File, error) {
	if a.File != "" {
		return files.OpenGiven(a.File)
	}
	flag := "-D "
	if a.Form == yaml.TextForm {
		flag = "-S "
	}
	return source.NewFile(flag+a.Path, a.Text), nil
}

// WithDefines puts a layer for each definition over layers: first for texts, which name no
// file, then for assignments.
func (p *Project) WithDefines(layers []Layer, texts []string, assignments []Assignment) ([]Layer, error) {
	var all []Assignment
	for _, text := range texts {
		a, err := ParseInline(text)
		if err != nil {
			return nil, prefixed(err, "-D")
		}
		all = append(all, a)
	}
	for _, a := range append(all, assignments...) {
		docs, err := p.define(a, layers)
		if err != nil {
			return nil, a.located(err)
		}
		layers = append(layers, Layer{cmp.Or(a.Layer, docs[0].File.Name), docs})
	}
	return layers, nil
}

// located adds the place of the assignment to an error that has none.
func (a Assignment) located(err error) error {
	var d *source.Diagnostic
	if a.At.IsZero() || !errors.As(err, &d) || !d.At.IsZero() {
		return err
	}
	return d.Located(a.At)
}

// prefixed returns an error of code usage with the name of its flag in front.
func prefixed(err error, flag string) error {
	d, ok := err.(*source.Diagnostic)
	if !ok || d.Code != source.Usage {
		return err
	}
	return d.Named(flag)
}

// define makes a layer of an assignment, which sets or appends to a list (design: decisions,
// "Layers"), above the layers below. -D a.b[0].c=1 becomes the layer
//
//	a: {b: [{+%: merge, c: 1}]}
//
// with the item joined to the one of that index. The layer has one document, which is put over
// all others, or for a pattern one for each of them.
func (p *Project) define(a Assignment, below []Layer) ([]*graph.Doc, error) {
	steps, err := docpath.Parse(a.Path)
	if err != nil {
		return nil, err
	}
	doc, tag, err := p.assigned(a)
	if err != nil {
		return nil, err
	}
	doc.Typed = true
	n := doc.Root
	if n == nil {
		n = &graph.Scalar{At: doc.File.Span(0, 0)}
	}
	if a.Append {
		n, tag = appending(n, tag)
	} else {
		n = setting(n)
	}
	if docpath.IsPattern(steps) {
		return p.defineMatches(doc, a.nameIn(doc), steps, below, n, tag)
	}
	steps = p.exactKeys(a.Path, steps, below)
	if slices.ContainsFunc(steps, mayBeItem) {
		return p.defineItem(doc, a.nameIn(doc), steps, below, n, tag)
	}
	if doc.Root = at(steps, n, tag); len(steps) == 0 {
		doc.Tag = tag
	}
	return []*graph.Doc{doc}, nil
}

// nameIn returns the name of the assignment in messages. doc is its layer.
func (a Assignment) nameIn(doc *graph.Doc) string {
	if a.Layer != "" {
		return a.Path + ", of the " + a.Layer
	}
	return doc.File.Name
}

// mayBeItem reports whether a step may name an item of a list by its index.
func mayBeItem(s docpath.Step) bool {
	_, err := strconv.Atoi(s.Key)
	return s.Index || s.Item || err == nil
}

// defineItem makes the documents of a layer whose path has an index: the layer has nothing for documents
// without the item if another one has it. The index may be the one after the last item, as for edits (spec:
// everyday, A5). Messages call the definition name.
//
// Code: not-found.
func (p *Project) defineItem(doc *graph.Doc, name string, steps []docpath.Step, below []Layer, n graph.Node, tag string) ([]*graph.Doc, error) {
	pairs, err := p.Pair(below)
	if err != nil || len(pairs) == 0 {
		doc.Root = at(steps, n, tag) // rendering returns the error
		return []*graph.Doc{doc}, nil
	}
	var docs, made []*graph.Doc
	var missing *source.Diagnostic
	for _, d := range pairs {
		one := *doc
		docs = append(docs, &one)
		v, err := d.Expanded()
		if err != nil {
			one.Root = at(steps, n, tag)
			continue
		}
		node, isNew, gone := placed(v, steps, nil, n, tag)
		if one.Root = node; isNew {
			made = append(made, &one)
		}
		missing = cmp.Or(missing, gone)
	}
	some := func(d *graph.Doc) bool { return d.Root != nil }
	switch {
	case !slices.ContainsFunc(docs, some):
		return nil, missing.Named(name)
	case slices.ContainsFunc(docs, func(d *graph.Doc) bool { return some(d) && !slices.Contains(made, d) }):
		for _, d := range made {
			d.Root = nil
		}
	}
	return docs, nil
}

// placed returns n below a path of v, and whether that makes an item of a list. The node is nil if the list
// has no such item.
//
// Code: not-found.
func placed(v value.Value, steps []docpath.Step, path value.Path, n graph.Node, tag string) (node graph.Node, isNew bool, gone *source.Diagnostic) {
	if len(steps) == 0 {
		return n, false, nil
	}
	s := steps[0]
	own := "" // the tag of what the step leads to
	if len(steps) == 1 {
		own = tag
	}
	switch {
	case v.Is(value.ListKind) && mayBeItem(s):
		items := v.List().Len()
		i := itemIndex(s, items)
		if i < 0 || i > items {
			return nil, false, docpath.NotFound(path, s.Key).WithHint("the list has %s", docpath.ItemsToTake(items))
		}
		path = append(path, value.Index(i))
		if i == items {
			if node, _, gone = placed(value.Null, steps[1:], path, n, tag); gone == nil {
				node = extending(node, own)
			}
			return node, gone == nil, gone
		}
		item, err := v.List().At(i)
		if err != nil {
			return at(steps, n, tag), false, nil // rendering returns the error
		}
		if node, isNew, gone = placed(item, steps[1:], path, n, tag); gone == nil {
			node = joining(node, &graph.Where{Index: i}, own)
		}
		return node, isNew, gone
	case s.Item && v.Is(value.MapKind):
		return nil, false, docpath.NotFound(path, s.Key).WithHint("%s is a map, which has no items; a key is written .%s", path, s.Key)
	case s.Item && !v.IsNull():
		return nil, false, docpath.NotFound(path, s.Key).WithHint("%s is %s", path, value.Article(v.Kind()))
	case s.Item && s.Number != 0:
		return nil, false, docpath.NotFound(path, s.Key).WithHint("the first item of a new list is [0]")
	case s.Item:
		if node, _, gone = placed(value.Null, steps[1:], append(path, value.Index(0)), n, tag); gone == nil {
			node = joining(node, &graph.Where{}, own)
		}
		return node, gone == nil, gone
	}
	item, _, err := v.Map().Get(value.K(s.Key))
	if err != nil {
		return at(steps, n, tag), false, nil // rendering returns the error
	}
	node, isNew, gone = placed(item, steps[1:], append(path, value.K(s.Key)), n, tag)
	if gone != nil {
		return nil, false, gone
	}
	return entry(value.K(s.Key), node, own), isNew, nil
}

// itemIndex returns the index that a step means in a list of n items: a negative one counts from its end.
func itemIndex(s docpath.Step, n int) int {
	i := s.Number
	if !s.Index {
		i, _ = strconv.Atoi(s.Key)
	}
	if i < 0 {
		return max(i+n, -1)
	}
	return i
}

// defineMatches makes the documents of a layer whose path has a "*" or [name=web] (spec:
// everyday, A5). It must match one place of a document, and some document must have it; the
// layer has nothing for the others. Messages call the definition name.
//
// Code: not-found.
func (p *Project) defineMatches(doc *graph.Doc, name string, steps []docpath.Step, below []Layer, n graph.Node, tag string) ([]*graph.Doc, error) {
	var docs []*graph.Doc
	var missing *source.Diagnostic
	some := false
	pairs, err := p.Pair(below)
	if err != nil {
		return nil, err
	}
	for _, d := range pairs {
		one := *doc
		docs = append(docs, &one)
		v, err := d.Expanded()
		var places [][]docpath.Step
		if err == nil {
			places, err = docpath.Exact(v, steps)
		}
		var found *source.Diagnostic
		switch {
		case len(places) > 1:
			return nil, severalMatches(name, v, places)
		case len(places) == 1:
			one.Root, some = matched(v, places[0], n, tag), true
		case errors.As(err, &found) && found.Code == source.NotFound:
			one.Root = nil
			missing = cmp.Or(missing, found)
		case docpath.HasStar(steps):
			return nil, err
		default: // rendering returns this error
			one.Root, some = at(steps, n, tag), true
		}
	}
	if some {
		return docs, nil
	}
	return nil, missing.Named(name)
}

// matched returns n below a path that was found in v.
func matched(v value.Value, steps []docpath.Step, n graph.Node, tag string) graph.Node {
	if len(steps) == 0 {
		return n
	}
	key, known := steps[0].Known()
	if !known {
		return at(docpath.JoinKnown(v, steps), n, tag)
	}
	own := "" // the tag of what the step leads to
	if len(steps) == 1 {
		own = tag
	}
	if v.Is(value.ListKind) {
		i, _ := key.Value().Int()
		item, _ := v.List().At(int(i)) // it was there
		return joining(matched(item, steps[1:], n, tag), &graph.Where{Index: int(i)}, own)
	}
	item, _, _ := v.Map().Get(key)
	return entry(key, matched(item, steps[1:], n, tag), own)
}

// severalMatches is the error of a definition whose path matches several places of the document v.
// The keys of a secret map are secret.
func severalMatches(name string, v value.Value, places [][]docpath.Step) error {
	var names, fixes []string
	flag, _, typed := strings.Cut(name, " ") // -D or -S
	typed = typed && strings.HasPrefix(flag, "-")
	for _, steps := range places[:min(len(places), 3)] {
		if inSecret(v, steps) {
			return source.Errorf(source.Span{}, source.NotFound, "%s matches %d places, and one must match", name, len(places)).
				WithHint("give one definition for each place")
		}
		names = append(names, docpath.Written(steps))
		fix := docpath.Written(steps)
		if typed {
			fix = flag + " '" + fix + "=VALUE'"
		}
		fixes = append(fixes, fix)
	}
	if len(places) > len(names) {
		names, fixes = append(names, "..."), append(fixes, "...")
	}
	return source.Errorf(source.Span{}, source.NotFound, "%s matches %d places, and one must match: %s", name, len(places), strings.Join(names, ", ")).
		WithHint("write one for each: %s", strings.Join(fixes, " "))
}

// inSecret reports whether a map or list around a place of v is secret.
func inSecret(v value.Value, steps []docpath.Step) bool {
	for _, s := range steps {
		key, known := s.Known()
		switch {
		case v.Marks() != 0:
			return true
		case !known:
			return false
		case v.Is(value.ListKind):
			i, _ := key.Value().Int()
			v, _ = v.List().At(int(i)) // it was there
		default:
			v, _, _ = v.Map().Get(key)
		}
	}
	return false
}

// assigned returns the value of an assignment as a document of its own; tag is the tag of a map
// or list.
func (p *Project) assigned(a Assignment) (doc *graph.Doc, tag string, err error) {
	if a.Data != nil {
		f := a.At.File
		if f == nil {
			f = source.NewFile("-D "+a.Path, "")
		}
		return &graph.Doc{File: f, Base: p.dir, Lang: frontend.YAML, Root: DataNode(*a.Data, a.At)}, "", nil
	}
	f, err := a.Source(p.files)
	if err != nil {
		return nil, "", err
	}
	parsed, tag, findings := frontend.ParseValue(f, a.Form, p.opts.Parse)
	for _, d := range findings {
		d = show.Finding(d, f)
		switch {
		case d.Severity != source.Error:
			p.opts.Warn(d)
			continue
		case d.Code == source.Usage && d.Hint != "":
			d = d.WithHint("-S PATH=TEXT takes any text; %s", d.Hint)
		}
		return nil, "", prefixed(d, f.Name)
	}
	own := *parsed
	own.Tag = "" // it is the tag of a part of the document
	if a.File == "" {
		own.Base = p.dir
	}
	return &own, tag, nil
}

// DataNode converts data that was written at a place to nodes in which lists and nulls hide the values
// below. Texts in it are no templates.
func DataNode(v value.Value, at source.Span) graph.Node {
	switch v.Kind() {
	case value.MapKind:
		m := graph.Map{At: at}
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k) // plain data cannot fail
			m.Entries = append(m.Entries, graph.Entry{Key: k, Node: DataNode(item, at)})
		}
		return graph.NewMap(m)
	case value.ListKind:
		s := graph.Seq{At: at, Replace: true}
		for item := range value.Items(v.List()) {
			s.Items = append(s.Items, DataNode(item, at))
		}
		return graph.NewSeq(s)
	}
	return &graph.Scalar{At: at, Val: v.Verbatim(), Final: v.IsNull()}
}

// exactKeys joins the steps that together are a key of the layers below: the exact key wins
// over its split.
func (p *Project) exactKeys(path string, steps []docpath.Step, below []Layer) []docpath.Step {
	if !docpath.IsSplit(steps) {
		return docpath.Whole(steps)
	}
	whole := docpath.Whole(steps)
	qualified := false
	pairs, _ := p.Pair(below) // rendering returns its errors
	for _, d := range pairs {
		v, err := d.Expanded()
		if err != nil {
			continue // as well
		}
		known := docpath.JoinKnown(v, steps)
		if !slices.EqualFunc(known, whole, docpath.SameKey) {
			return known
		}
		if v.Is(value.MapKind) && docpath.HasQualified(v, steps) {
			_, there, _ := v.Map().Get(value.K(steps[0].Key))
			qualified = qualified || !there
		}
	}
	if qualified {
		p.opts.Warn(source.Warnf(source.Span{}, source.Suspicious, "-D %s makes a new map %q, and other keys there have \"::\" in them", path, steps[0].Key).
			WithHint("for one key write -D '%s=VALUE'; for a map -D '::%s=VALUE'", docpath.Qualified(nil, steps), path))
	}
	return whole
}

// setting returns n as a layer that hides everything below it.
func setting(n graph.Node) graph.Node {
	switch n := n.(type) {
	case *graph.Map:
		m := *n
		m.Strategy = graph.SetStrategy
		return graph.NewMap(m)
	case *graph.Overlay:
		o := *n
		own := *n.Own
		own.Strategy = graph.SetStrategy
		o.Own = graph.NewMap(own)
		return &o
	case *graph.Seq:
		s := *n
		s.Replace = true
		return graph.NewSeq(s)
	case *graph.Scalar:
		s := *n
		s.Final = s.Val.IsNull()
		return &s
	}
	return n
}

// appending returns n as a layer that adds items to a list. tag is the tag of n: the second result is what remains of it
// for the list.
func appending(n graph.Node, tag string) (list graph.Node, rest string) {
	if s, ok := n.(*graph.Seq); ok {
		return &graph.Extend{At: s.At, Items: s.Items, Notes: s.Notes}, tag
	}
	return extending(n, tag), ""
}

// at returns n below a path of maps and list items. tag is the tag of n.
func at(steps []docpath.Step, n graph.Node, tag string) graph.Node {
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		switch {
		case s.Match != "":
			n = joining(n, &graph.Where{Key: s.Match, Text: s.Text}, tag)
		case s.Index:
			n = joining(n, &graph.Where{Index: s.Number}, tag)
		default:
			n = entry(value.K(s.Key), n, tag)
		}
		tag = ""
	}
	return n
}

// entry returns a map with n under a key. tag is the tag of n.
func entry(key value.Key, n graph.Node, tag string) graph.Node {
	e := graph.Entry{Key: key, Node: n, Note: tagged(tag)}
	return graph.NewMap(graph.Map{At: n.Span(), Entries: []graph.Entry{e}})
}

// joining returns a list whose only item joins the item that where selects. tag is the tag of n.
func joining(n graph.Node, where *graph.Where, tag string) graph.Node {
	return graph.NewSeq(graph.Seq{At: n.Span(), Items: []graph.Node{&graph.Positional{Node: n, Where: where}}, Notes: notesOf(tag)})
}

// extending returns a layer that adds the item n to a list. tag is the tag of n.
func extending(n graph.Node, tag string) graph.Node {
	return &graph.Extend{At: n.Span(), Items: []graph.Node{n}, Notes: notesOf(tag)}
}

// notesOf returns the annotations of a list whose only item has a tag, nil for no tag.
func notesOf(tag string) []*value.Annotation {
	if tag == "" {
		return nil
	}
	return []*value.Annotation{tagged(tag)}
}

// tagged returns the annotation of a value with a tag, nil for no tag.
func tagged(tag string) *value.Annotation {
	if tag == "" {
		return nil
	}
	return &value.Annotation{Tag: tag}
}
