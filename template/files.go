package template

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

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

// load reads and parses a template file. found is false if there is none of that name.
func (r *run) load(name string, at source.Span) (t *Template, found bool, err error) {
	if t := r.files[name]; t != nil {
		return t, true, nil
	}
	if r.opts.Loader == nil {
		return nil, false, source.Errorf(at, source.Forbidden, "template files cannot be read here")
	}
	text, place, err := r.opts.Loader(name, r.fileName())
	if err != nil {
		return nil, !isMissing(err), r.cannotLoad(name, at, err)
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

// fileName is the name of the file that is running, "" for a text of the document.
func (r *run) fileName() string {
	if r.unit == nil {
		return r.opts.Name
	}
	return r.unit.tpl.opts.Name
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
	body := withoutLastBreak(text)
	t, err := Parse(body, place, opts)
	if err == nil {
		t.lastBreak = text[len(body):]
		r.opts.Cache.put(key, t)
	}
	return t, err
}

// withoutLastBreak drops the line break that ends a file: an included text does not
// bring a line break of its own.
func withoutLastBreak(text string) string {
	if n := len(text); n > 0 && text[n-1] == '\n' {
		if n--; n > 0 && text[n-1] == '\r' {
			n--
		}
		return text[:n]
	}
	return text
}

func isMissing(err error) bool {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.Decryption {
		return false // it is there
	}
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, source.ErrAccess) || errors.Is(err, source.ErrMissing)
}

// cannotLoad is the error of an include at a place.
func (r *run) cannotLoad(name string, at source.Span, err error) error {
	code := source.MissingInclude
	var d *source.Diagnostic
	if errors.As(err, &d) {
		if !isMissing(err) {
			return placed(err, at)
		}
		e := source.Errorf(at, code, "cannot read the template %q: %s", name, d.Message)
		e.Cause = err
		return e
	}
	e := source.Errorf(at, code, "cannot read the template %q: %s", name, err)
	e.Cause = err
	return e
}

// names returns the file names that an expression gives: one, or several to be tried.
func (r *run) names(n expr.Node) ([]string, error) {
	v, err := r.eval(n)
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
	return f.unit, included(t.explainFile(err), placerFile(t.at), at)
}
