package template

import (
	"errors"
	"io/fs"
	"iter"
	"slices"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// An includeOp writes what another file renders to.
type includeOp struct {
	at            source.Span
	file          expr.Node
	ignoreMissing bool
	context       bool // the file sees the variables of the template
}

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

// contextOr reads "with context" or "without context", and returns otherwise if
// nothing is said.
func (h *head) contextOr(otherwise bool) (with bool, err error) {
	with = h.Accept("with")
	if !with && !h.Accept("without") {
		return otherwise, nil
	}
	return with, h.Expect("context")
}

func (o *includeOp) exec(r *run) error {
	if r.out.silent {
		return nil
	}
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

// An importOp binds the names that a file sets at its top: as one map, or some of
// them by name.
type importOp struct {
	at      source.Span
	file    expr.Node
	as      string         // for import
	names   []importedName // for from
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
		if o.as, _, err = h.Name(); err != nil {
			return err
		}
	} else {
		if err := h.Expect("import"); err != nil {
			return err
		}
		for more := true; more && !h.AtEnd() && !h.Peek("with") && !h.Peek("without"); more = h.Accept(",") {
			n := importedName{}
			if n.name, n.at, err = h.Name(); err != nil {
				return err
			}
			n.as = n.name
			if h.Accept("as") {
				if n.as, _, err = h.Name(); err != nil {
					return err
				}
			}
			o.names = append(o.names, n)
		}
		if len(o.names) == 0 {
			return h.Errorf("expected the names to import")
		}
	}
	if o.context, err = h.contextOr(false); err != nil {
		return err
	}
	h.c.add(o)
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
			v = value.Undefined(source.Errorf(n.at, source.Undefined, "template %q has no name %q to import%s", t.opts.Name, n.name, didYouMean(n.name, m.names)))
		}
		r.bind(n.as, v)
	}
	return nil
}

// module runs a file for the names that it sets, and drops its text.
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

// A module is an imported file: a map of the names that it set.
type module struct {
	name  string
	names []string
	scope *expr.Scope
}

// Len returns the number of names.
func (m *module) Len() int { return len(m.names) }

// Keys yields the names in order.
func (m *module) Keys() iter.Seq[value.Key] {
	return keys(m.names)
}

// Get returns the value of a name.
func (m *module) Get(k value.Key) (value.Value, bool, error) {
	if _, ok := slices.BinarySearch(m.names, k.Text); !ok || k.Kind != value.StringKind {
		return value.Null, false, nil
	}
	return m.scope.Var(k.Text)
}

// maxUnits bounds files that include each other.
const maxUnits = 500

// inside renders a file with a frame of its own and returns the frame.
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

// scopeFor returns what a file sees: all that is visible here, or only what is
// visible everywhere. Both collect marks.
func (r *run) scopeFor(context bool) *expr.Scope {
	if context {
		return r.frame.scope
	}
	plain := expr.NewScope(r.base.Env, r.base.Self)
	plain.Base, plain.BaseMarks = r.base.Base, r.base.BaseMarks
	return plain.Tainted(&r.out.marks)
}

// file loads the file that an expression names, or of several the first that exists.
func (r *run) file(n expr.Node, at source.Span) (*Template, error) {
	t, missing, err := r.fileIfAny(n, at)
	if err == nil {
		err = missing
	}
	return t, err
}

// fileIfAny is file where there may be none: then the error missing says so.
func (r *run) fileIfAny(n expr.Node, at source.Span) (t *Template, missing, err error) {
	names, err := r.names(n)
	if err != nil {
		return nil, nil, err
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

// names returns the file names that an expression gives: one, or several to be tried.
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
	if len(names) == 0 {
		return nil, source.Errorf(n.Span(), source.BadValue, "no template is named")
	}
	return names, nil
}

// load reads and parses a template file. found is false if there is none of that name.
func (r *run) load(name string, at source.Span) (t *Template, found bool, err error) {
	if t := r.files[name]; t != nil {
		return t, true, nil
	}
	if r.opts.Loader == nil {
		return nil, false, source.Errorf(at, source.Forbidden, "template files cannot be read here")
	}
	from := r.opts.Name
	if r.unit != nil {
		from = r.unit.tpl.opts.Name
	}
	text, place, err := r.opts.Loader(name, from)
	if err != nil {
		return nil, !isMissing(err), cannotLoad(name, at, err)
	}
	t, err = r.parseFile(name, text, place)
	if err != nil {
		return nil, true, included(err, placerFile(place), at)
	}
	if r.files == nil {
		r.files = map[string]*Template{}
	}
	r.files[name] = t
	return t, true, nil
}

func (r *run) parseFile(name, text string, place expr.Placer) (*Template, error) {
	if place == nil {
		place = expr.Nowhere{}
	}
	key := cacheKey{name, text, place.TextSpan(0, len(text))}
	if t := r.opts.Cache.get(key); t != nil {
		return t, nil
	}
	opts := r.opts
	opts.File, opts.Name = true, name
	body, broken := strings.CutSuffix(text, "\n")
	if broken { // an included text brings no line break of its own
		body = strings.TrimSuffix(body, "\r")
	}
	t, err := Parse(body, place, opts)
	if err == nil {
		t.lastBreak = text[len(body):]
		r.opts.Cache.put(key, t)
	}
	return t, err
}

func isMissing(err error) bool {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.Decryption {
		return false // it is there
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrAccess) || errors.Is(err, source.ErrMissing)
}

// cannotLoad is the error of an include at a place.
func cannotLoad(name string, at source.Span, err error) error {
	reason := err.Error()
	var d *source.Diagnostic
	if errors.As(err, &d) {
		if !isMissing(err) {
			return placed(err, at)
		}
		reason = d.Message
	}
	e := source.Errorf(at, source.MissingInclude, "cannot read the template %q: %s", name, reason)
	e.Cause = err
	return e
}

// A Cache keeps parsed template files, so that many templates of a document that
// import one file parse it once. The zero Cache is ready to use and may be shared
// between goroutines.
type Cache struct {
	mu    sync.Mutex
	files map[cacheKey]*Template
}

// A cacheKey says that a file is the one that was parsed before. The place counts,
// because errors tell it.
type cacheKey struct {
	name, text string
	at         source.Span
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
