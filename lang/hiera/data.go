package hiera

import (
	"errors"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/bind/types"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Files opens the files of a project, inside its sandbox. Names are paths.
type Files interface {
	// Read returns a file, nil if it does not exist.
	Read(name string) (*source.File, error)

	// Glob returns the files, not the directories, that match a pattern, in the order of names.
	Glob(pattern string) ([]string, error)
}

// A Cache holds the data files of many providers. It is safe for concurrent use.
type Cache struct {
	files     Files
	decrypter Decrypter
	mu        sync.Mutex
	data      map[dataName]*data
	secrets   decryptions
}

// NewCache returns a cache of files, with what decrypts the values in them.
func NewCache(files Files, decrypter Decrypter) *Cache {
	return &Cache{files: files, decrypter: decrypter, data: map[dataName]*data{}}
}

// data is a data file, valid after once.
type data struct {
	once sync.Once
	dataName
	missing bool
	err     error
	file    *source.File

	entries map[string]*datum
	names   []string
	options *datum // lookup_options, nil if there are none

	plain sync.Once // rules of lookup_options without interpolation
	rules []bind.KeyRule
	bad   error
}

// A datum is one key of a data file.
type datum struct {
	node *yaml.Node
	at   source.Span
	file *data

	// fixed is the value if nothing in it is interpolated.
	fixed    value.Value
	constant bool
	err      error
	once     sync.Once
}

// load returns a data file, which is read and parsed once.
func (c *Cache) load(name dataName) *data {
	c.mu.Lock()
	d := c.data[name]
	if d == nil {
		d = &data{dataName: name}
		c.data[name] = d
	}
	c.mu.Unlock()
	d.once.Do(func() { d.read(c.files) })
	return d
}

func (d *data) read(files Files) {
	if d.file, d.err = files.Read(d.name); d.err != nil || d.file == nil {
		d.missing = d.err == nil
		if d.err != nil && d.marks != 0 {
			d.err = d.masked(source.AsDiagnostic(d.err, source.Span{}, source.Access))
		}
		return
	}
	if d.marks != 0 {
		shown := *source.NewFile(d.shown, d.file.Text)
		shown.Path, shown.Secret = d.file.Path, d.file.Secret
		d.file = &shown
	}
	root, err := parseMap(d.file, "a data file")
	if err != nil {
		d.err = err
		return
	}
	d.entries = map[string]*datum{}
	if root == nil {
		return
	}
	for i := range root.Entries {
		e := &root.Entries[i]
		k := key(e)
		if k.Kind != value.StringKind {
			continue // Puppet looks up texts
		}
		n := &datum{node: e.Value, at: e.KeyAt, file: d}
		name := k.Text
		if name == "lookup_options" {
			d.options = n
			continue
		}
		d.entries[name] = n
		d.names = append(d.names, name)
	}
}

// prepare finds out whether the value of a datum depends on facts.
func (n *datum) prepare() {
	n.once.Do(func() {
		v, ok, err := constantValue(n.node)
		if n.file.file.Secret {
			v = v.Mark(value.Secret)
		}
		n.fixed, n.constant, n.err = v, ok, err
	})
}

// Span returns the place of the key.
func (n *datum) Span() source.Span { return n.at }

// rulesOf returns the rules of lookup_options. own is the module that they belong to.
//
// Code: bad-hiera-config.
func (d *data) rulesOf(s *bind.Scope, own string) ([]bind.KeyRule, error) {
	if d.options == nil {
		return nil, nil
	}
	d.options.prepare()
	if d.options.constant {
		d.plain.Do(func() { d.rules, d.bad = d.parseRules(d.options.fixed, own) })
		return d.rules, d.bad
	}
	v, err := (&datumExpr{datum: d.options}).Eval(s)
	if err != nil {
		return nil, err
	}
	return d.parseRules(v, own)
}

func (d *data) parseRules(v value.Value, own string) ([]bind.KeyRule, error) {
	marks, err := value.DeepMarks(v)
	if err != nil {
		return nil, err
	}
	rules, err := d.keyRules(v, own)
	if marks == 0 {
		return rules, err
	}
	// Messages quote what is wrong.
	if bad := (*source.Diagnostic)(nil); errors.As(err, &bad) {
		return nil, source.Errorf(bad.At, bad.Code, "'lookup_options' are not what they must be, and are made of a secret")
	}
	for i := range rules {
		if bad := (*source.Diagnostic)(nil); errors.As(rules[i].Bad, &bad) {
			rules[i].Bad = source.Errorf(bad.At, bad.Code, "lookup_options of '%s' are not what they must be, and are made of a secret", value.SecretText)
		}
	}
	return rules, err
}

func (d *data) keyRules(v value.Value, own string) ([]bind.KeyRule, error) {
	if v.IsNull() {
		return nil, nil
	}
	if !v.Is(value.MapKind) {
		return nil, source.Errorf(d.options.node.At, source.BadHieraConfig, "'lookup_options' must be a map")
	}
	var out []bind.KeyRule
	for k := range v.Map().Keys() {
		options, _, err := v.Map().Get(k)
		if err != nil {
			return nil, err
		}
		at := d.options.at
		if e := get(d.options.node.Aliased(), k.Text); e != nil {
			at = e.KeyAt
		}
		if own != "" && !strings.HasPrefix(strings.TrimPrefix(k.Text, "^"), own+"::") {
			return nil, source.Errorf(at, source.BadHieraConfig, "'%s' in the lookup_options of the module '%s' must begin with '%s::'", k.Text, own, own)
		}
		r := bind.KeyRule{Key: k.Text, At: at}
		if strings.HasPrefix(k.Text, "^") {
			if r.Pattern, err = types.CompileRegexp(k.Text); err != nil {
				return nil, source.Errorf(at, source.BadHieraConfig, "%s", err)
			}
		}
		if options.Is(value.MapKind) {
			ruleOptions(&r, options.Map())
		}
		out = append(out, r)
	}
	return out, nil
}

// ruleOptions reads the options of a key. A mistake is reported where the rule applies.
func ruleOptions(r *bind.KeyRule, m value.Map) {
	for k := range m.Keys() {
		v, _, err := m.Get(k)
		switch {
		case err != nil:
			r.Bad = err
		case k.Text == "merge":
			r.MergeAt = r.At
			if r.Merge, err = bind.ParseStrategy(v); err != nil {
				r.Bad = source.Errorf(r.At, source.BadHieraConfig, "lookup_options of '%s': %s", r.Key, err)
			}
		case k.Text == "convert_to":
			r.ConvertAt = r.At
			r.Convert, r.ConvertArgs, r.Bad = conversion(r, v)
		}
		if r.Bad != nil {
			return
		}
	}
}

// conversion reads convert_to: a type, or a list of a type and its arguments.
func conversion(r *bind.KeyRule, v value.Value) (*types.Type, []value.Value, error) {
	var args []value.Value
	if v.Is(value.ListKind) && v.List().Len() > 0 {
		items, err := value.ItemsOf(v.List())
		if err != nil {
			return nil, nil, err
		}
		v, args = items[0], items[1:]
	}
	if !v.Is(value.StringKind) {
		return nil, nil, source.Errorf(r.At, source.BadHieraConfig, "lookup_options of '%s': convert_to must be the name of a type", r.Key)
	}
	t, err := types.Parse(v.Str())
	if err != nil {
		return nil, nil, source.Errorf(r.At, source.UnknownType, "lookup_options of '%s': convert_to: %s", r.Key, err)
	}
	return t, args, nil
}
