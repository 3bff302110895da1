package template

import (
	"cmp"
	"errors"
	"io/fs"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An includeOp writes the text of another template file.
type includeOp struct {
	at            source.Span
	file          expr.Node
	ignoreMissing bool
	context       bool // the file sees the variables of the template
}

// includeHead parses "include EXPR [ignore missing] [with context | without context]".
func (h *head) includeHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	o := &includeOp{at: h.at, file: n}
	if h.Accept("ignore") {
		if err := h.Expect("missing"); err != nil {
			return err
		}
		o.ignoreMissing = true
	}
	if o.context, err = h.contextOr(true); err != nil {
		return err
	}
	h.c.add(o)
	return nil
}

// contextOr reads "with context" or "without context". It returns otherwise if there is
// neither.
func (h *head) contextOr(otherwise bool) (with bool, err error) {
	with = h.Accept("with")
	if !with && !h.Accept("without") {
		return otherwise, nil
	}
	return with, h.Expect("context")
}

func (o *includeOp) exec(r *run) error {
	silent := r.out.silent
	defer func() { r.out.silent = silent }()
	r.out.silent = false // as in Jinja, an include outside of the blocks of a child is written
	t, missing, err := r.fileIfAny(o.file, o.at)
	switch {
	case err != nil:
		return err
	case t == nil && o.ignoreMissing:
		return nil
	case t == nil:
		return missing
	}
	_, err = r.inside(t, r.scopeFor(o.context), o.at)
	return err
}

// An importOp binds the names that a file sets at its top level: all as one map (import),
// or some as variables (from).
type importOp struct {
	at      source.Span
	file    expr.Node
	as      string         // of import
	names   []importedName // of from
	context bool
}

type importedName struct {
	name, as string
	at       source.Span
}

// importHead reads "import FILE as NAME" and "from FILE import NAME, NAME as NAME".
func (h *head) importHead() error {
	n, err := h.Expr()
	if err != nil {
		return err
	}
	o := &importOp{at: h.at, file: n}
	if h.word == "import" {
		if err := h.Expect("as"); err != nil {
			return err
		}
		if o.as, _, err = h.NewName(); err != nil {
			return err
		}
	} else {
		if err := h.Expect("import"); err != nil {
			return err
		}
		if err := h.importedNames(o); err != nil {
			return err
		}
	}
	if o.context, err = h.contextOr(false); err != nil {
		return err
	}
	h.c.add(o)
	return nil
}

// importedNames parses "NAME, NAME as NAME" of from. A comma may precede "with
// context", but not end the list.
func (h *head) importedNames(o *importOp) (err error) {
	for more := true; more && !(len(o.names) > 0 && (h.PeekBoth("with", "context") || h.PeekBoth("without", "context"))); more = h.Accept(",") {
		n := importedName{}
		if n.name, n.at, err = h.NewName(); err != nil {
			return err
		}
		if strings.HasPrefix(n.name, "_") {
			return source.Errorf(n.at, source.Syntax, "template error: %q cannot be imported: names that begin with an underscore are private to their file", n.name)
		}
		n.as = n.name
		if h.Accept("as") {
			if n.as, _, err = h.NewName(); err != nil {
				return err
			}
		}
		o.names = append(o.names, n)
	}
	return nil
}

func (o *importOp) exec(r *run) error {
	t, err := r.file(o.file, o.at)
	if err != nil {
		return err
	}
	m, err := o.module(r, t)
	if err != nil {
		return err
	}
	if o.as != "" {
		r.bind(o.as, value.FromMap(m))
		return nil
	}
	for _, n := range o.names {
		v, ok, err := m.Get(value.K(n.name))
		if err != nil {
			return placed(err, n.at)
		}
		if !ok {
			v = value.Undefined(source.Errorf(n.at, source.Undefined, "template %q defines no name %q%s", t.opts.Name, n.name, didYouMean(n.name, m.names)))
		}
		r.bind(n.as, v)
	}
	return nil
}

// module renders a file for the names that it sets, and drops its text.
func (o *importOp) module(r *run, t *Template) (*module, error) {
	outer, dropped := r.out, &output{}
	r.out = dropped
	u, err := r.inside(t, r.scopeFor(o.context).Tainted(&dropped.marks), o.at)
	r.out = outer
	outer.marks |= dropped.marks
	outer.decidedBy(dropped.control)
	if err != nil {
		return nil, err
	}
	names := slices.Clone(u.names)
	slices.Sort(names)
	return &module{t.opts.Name, slices.Compact(names), u.top.scope}, nil
}

// A module is an imported file: a map of the names that it sets.
type module struct {
	name  string
	names []string
	scope *expr.Scope
}

// Len returns the number of names.
func (m *module) Len() int { return len(m.names) }

// Keys yields the names, sorted.
func (m *module) Keys() iter.Seq[value.Key] { return value.TextKeys(slices.Values(m.names)) }

// Get returns the value of a name.
func (m *module) Get(k value.Key) (value.Value, bool, error) {
	if _, ok := slices.BinarySearch(m.names, k.Text); !ok || k.Kind != value.StringKind {
		return value.Null, false, nil
	}
	return m.scope.Var(k.Text)
}

// maxUnits bounds nested files.
const maxUnits = 500

// inside renders a file in a new frame and returns its unit.
func (r *run) inside(t *Template, s *expr.Scope, at source.Span) (*unit, error) {
	if r.units++; r.units > maxUnits {
		r.units--
		return nil, source.Errorf(at, source.Limit, "template %q includes itself more than %d deep", t.opts.Name, maxUnits)
	}
	defer func() { r.units-- }()
	if err := r.base.Env.Enter(); err != nil {
		return nil, placed(err, at)
	}
	defer r.base.Env.Leave()
	f := &frame{scope: s}
	err := r.render(t, f, at)
	if err != nil && !isSignal(err) {
		err = included(t.explain(err), placerFile(t.at), at)
	}
	return f.unit, err
}

// scopeFor returns the scope for a file: the current one with context, or else one
// without the variables of templates. Both collect marks.
func (r *run) scopeFor(context bool) *expr.Scope {
	if context {
		return r.frame.scope
	}
	plain := expr.NewScope(r.base.Env, r.base.Self)
	plain.Base, plain.BaseMarks = r.base.Base, r.base.BaseMarks
	return plain.Tainted(&r.out.marks).Branching(&r.branch).Namespaces(r.newNamespace)
}

// file loads the file that an expression names, or the first that exists of several.
func (r *run) file(n expr.Node, at source.Span) (*Template, error) {
	t, missing, err := r.fileIfAny(n, at)
	if err == nil {
		err = missing
	}
	return t, err
}

// fileIfAny is file, except that t is nil if no file exists. The error is missing then.
func (r *run) fileIfAny(n expr.Node, at source.Span) (t *Template, missing, err error) {
	names, err := r.names(n)
	if err != nil {
		return nil, nil, err
	}
	if len(names) == 0 {
		return nil, source.Errorf(n.Span(), source.BadValue, "the list of templates is empty"), nil
	}
	for _, name := range names {
		t, found, err := r.load(name, at)
		if t != nil {
			return t, nil, nil
		}
		if found || !isMissing(err) {
			return nil, nil, err
		}
		if missing == nil {
			missing = err
		}
	}
	return nil, missing, nil
}

// names returns the value of an expression as file names: a string, or a list of
// strings to try in order.
func (r *run) names(n expr.Node) ([]string, error) {
	v, err := r.eval(n, r.frame.scope)
	if err != nil {
		return nil, err
	}
	list := value.List(value.Slice{v})
	if v.Is(value.ListKind) {
		list = v.List()
	}
	var names []string
	for item, err := range value.Items(list) {
		if err != nil {
			return nil, err
		}
		if !item.Is(value.StringKind) {
			return nil, source.Errorf(n.Span(), source.BadType, "the name of a template must be a string, not %s", value.Article(item.Kind()))
		}
		if (v.Marks() | item.Marks()) != 0 {
			return nil, source.Errorf(n.Span(), source.BadValue, "the name of a template must not be secret")
		}
		names = append(names, item.Str())
	}
	return names, nil
}

// A fileKey identifies a file that a run has read. The syntax belongs to the including
// template, whose options the file inherits.
type fileKey struct {
	name string
	syn  *syntax
}

// load reads and parses a template file. found is false if it does not exist.
func (r *run) load(name string, at source.Span) (t *Template, found bool, err error) {
	includer := r.main
	if r.unit != nil {
		includer = r.unit.tpl
	}
	key := fileKey{name, includer.syn}
	if t := r.files[key]; t != nil {
		return t, true, nil
	}
	loader, cache := r.opts.Loader, r.opts.Cache
	if own, ok := r.base.Env.(Includer); ok && loader == nil {
		loader, cache = own.TemplateFiles()
	}
	if loader == nil {
		return nil, false, source.Errorf(at, source.Forbidden, "template files cannot be read here")
	}
	text, place, err := loader(name, includer.opts.Name, at)
	if err != nil {
		return nil, !isMissing(err), CannotLoad(name, at, err)
	}
	if f := placerFile(place); f != nil {
		if err := RefuseDialect(f, at); err != nil {
			return nil, true, err
		}
	}
	t, err = r.parseFile(cache, name, text, place, includer.syn)
	if err != nil {
		return nil, true, included(err, placerFile(place), at)
	}
	if r.files == nil {
		r.files = map[fileKey]*Template{}
	}
	r.files[key] = t
	return t, true, nil
}

// parseFile parses the text of a template file, or takes it from the cache.
func (r *run) parseFile(cache *Cache, name, text string, place expr.Placer, syn *syntax) (*Template, error) {
	if place == nil {
		place = expr.Nowhere{}
	}
	key := cacheKey{name, text, place.TextSpan(0, len(text)), *syn}
	if t := cache.get(key); t != nil {
		return t, nil
	}
	opts := *r.opts
	opts.File, opts.Name, opts.includer = true, name, syn
	opts.Data, opts.Settings = false, nil
	t, err := Parse(text, place, opts)
	if err == nil {
		cache.put(key, t)
	}
	return t, err
}

// isMissing reports whether a Loader failed because the file does not exist or must not
// be read.
func isMissing(err error) bool {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.Decryption {
		return false // the file exists
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrAccess) || errors.Is(err, source.ErrMissing)
}

// CannotLoad returns the error for an include at a place whose file is not readable: err, or one of code
// missing-include for a file that is missing or must not be read.
func CannotLoad(name string, at source.Span, err error) error {
	reason := err.Error()
	var d *source.Diagnostic
	if errors.As(err, &d) {
		if !isMissing(err) {
			return placed(err, at)
		}
		reason = d.Message
	}
	if at.File != nil && at.File.Secret {
		e := source.Errorf(at, source.MissingInclude, "cannot read a template; its name is in an encrypted file and is not shown").
			WithHint("yaytpl decrypt shows the file")
		if errors.Is(err, fs.ErrNotExist) {
			e.Cause = fs.ErrNotExist // the text of err has the name
		}
		return e
	}
	code := source.MissingInclude
	if errors.Is(err, source.ErrAccess) && !errors.Is(err, fs.ErrNotExist) {
		code = source.Access // it exists: a pipe, or a file of somebody else
	}
	e := source.Errorf(at, code, "cannot read the template %q: %s", name, reason)
	e.Cause = err
	if d != nil {
		e.Hint = d.Hint
	}
	return e
}

// A Cache holds parsed template files, so that a file is parsed once although many
// templates of a document import it. The zero Cache is ready to use and may be shared
// between goroutines.
type Cache struct {
	mu    sync.Mutex
	files map[cacheKey]*Template
}

// A cacheKey identifies a parsed file. The place is part of it because errors contain
// places.
type cacheKey struct {
	name, text string
	at         source.Span
	syn        syntax // of the including file
}

// Templates returns the parsed files, in the order of their names.
func (c *Cache) Templates() []*Template {
	c.mu.Lock()
	defer c.mu.Unlock()
	keys := slices.SortedFunc(maps.Keys(c.files), func(a, b cacheKey) int {
		return cmp.Or(strings.Compare(a.name, b.name), strings.Compare(a.text, b.text))
	})
	all := make([]*Template, len(keys))
	for i, k := range keys {
		all[i] = c.files[k]
	}
	return all
}

func (c *Cache) get(k cacheKey) *Template {
	if c == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.files[k]
}

func (c *Cache) put(k cacheKey, t *Template) {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil {
		c.files = map[cacheKey]*Template{}
	}
	c.files[k] = t
}
