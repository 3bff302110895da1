package hiera

import (
	"errors"
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/bind"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// constantValue returns the data of a node. It reports false if something in it is
// interpolated.
func constantValue(n *yaml.Node) (value.Value, bool, error) {
	i := &interpolator{}
	v, err := i.node(n)
	if errors.Is(err, errInterpolated) {
		return value.Null, false, nil
	}
	return v, true, err
}

// errInterpolated says that a text needs a scope.
var errInterpolated = errors.New("interpolated")

// A datumExpr is the value of a key in a data file, as an expression of package bind.
type datumExpr struct {
	datum *datum
	cache *Cache
	eyaml *eyamlKeys // nil in a level that does not decrypt
}

// Span returns the place of the key.
func (e *datumExpr) Span() source.Span { return e.datum.at }

// Constant returns the value if nothing in it is interpolated.
func (e *datumExpr) Constant() (value.Value, bool) {
	e.datum.prepare()
	return e.datum.fixed, e.datum.constant && e.datum.err == nil
}

// Eval returns the value with its texts interpolated.
func (e *datumExpr) Eval(s *bind.Scope) (value.Value, error) {
	e.datum.prepare()
	if e.datum.constant || e.datum.err != nil {
		return e.datum.fixed, e.datum.err
	}
	i := &interpolator{scope: s, functions: true, cache: e.cache, eyaml: e.eyaml, secret: e.datum.file.file.Secret}
	v, err := i.node(e.datum.node)
	if e.datum.file.file.Secret {
		v = v.Mark(value.Secret)
	}
	return v, err
}

// An interpolator replaces %{...} in texts (spec: bindings, section 10.3).
type interpolator struct {
	scope     *bind.Scope // nil: a text that needs one is errInterpolated
	functions bool        // lookup(), alias() and so on are allowed
	element   string      // a name besides the facts, with its value
	value     value.Value
	depth     int
	path      []*yaml.Node               // aliases around the node
	aliases   map[*yaml.Node]value.Value // the values of their targets
	missing   bool                       // a name was unknown
	cache     *Cache                     // of the file
	eyaml     *eyamlKeys                 // how texts are decrypted, nil if they are not
	secret    bool                       // the text is secret, so messages do not quote it
}

const maxAliases = 200

// node returns the data of a node.
func (i *interpolator) node(n *yaml.Node) (value.Value, error) {
	if i.scope != nil {
		if err := i.scope.Step(1); err != nil {
			return value.Null, err
		}
	}
	switch n.Kind {
	case yaml.AliasNode:
		if len(i.path) >= maxAliases || n.Target == nil {
			return value.Null, source.Errorf(n.At, source.Limit, "aliases are nested more than %d deep", maxAliases)
		}
		if v, ok := i.aliases[n.Target]; ok {
			return v, nil
		}
		i.path = append(i.path, n)
		defer func() { i.path = i.path[:len(i.path)-1] }()
		v, err := i.node(n.Target)
		if i.aliases == nil {
			i.aliases = map[*yaml.Node]value.Value{}
		}
		i.aliases[n.Target] = v
		return v, err
	case yaml.SeqNode:
		items := make([]value.Value, len(n.Items))
		for at, item := range n.Items {
			v, err := i.node(item)
			if err != nil {
				return value.Null, err
			}
			items[at] = v
		}
		return value.ListOf(items...), nil
	case yaml.MapNode:
		return i.mapping(n)
	}
	v := scalar(n)
	if !v.Is(value.StringKind) {
		return v, nil
	}
	at := n.TextMap().TextSpan // decodes the text once
	if isEncrypted(v.Str()) {
		switch {
		case i.scope == nil:
			return value.Null, errInterpolated
		case i.eyaml != nil:
			return i.decrypted(v.Str(), at)
		}
		i.readAsItIs(v.Str(), at)
	}
	if !strings.Contains(v.Str(), "%{") {
		return v, nil
	}
	return i.text(v.Str(), at)
}

func (i *interpolator) mapping(n *yaml.Node) (value.Value, error) {
	out := value.NewMap(len(n.Entries))
	var marks value.Marks // of keys, which cannot have any
	for at := range n.Entries {
		e := &n.Entries[at]
		if e.IsMerge() {
			if err := i.merged(out, e); err != nil {
				return value.Null, err
			}
			continue
		}
		k := key(e)
		if strings.Contains(k.Text, "%{") {
			v, err := i.text(k.Text, e.KeyNode().TextMap().TextSpan)
			if err != nil {
				return value.Null, err
			}
			marks |= v.Marks()
			if k, err = value.KeyFor(v); err != nil {
				return value.Null, source.Errorf(e.KeyAt, source.BadInterpolation, "a key must be a scalar, and this is %s", value.Article(v.Kind()))
			}
		}
		v, err := i.node(e.Value)
		if err != nil {
			return value.Null, err
		}
		out.Set(k, v)
	}
	return value.FromMap(out).Mark(marks), nil
}

// merged adds the entries of YAML's "<<", which own keys override.
func (i *interpolator) merged(out *value.Dict, e *yaml.Entry) error {
	from := []*yaml.Node{e.Value}
	if n := e.Value.Aliased(); n.Kind == yaml.SeqNode {
		from = n.Items
	}
	for _, n := range from {
		v, err := i.node(n)
		if err != nil {
			return err
		}
		if !v.Is(value.MapKind) {
			return source.Errorf(n.At, source.BadHieraConfig, "\"<<\" merges maps, and this is %s", value.Article(v.Kind()))
		}
		for k := range v.Map().Keys() {
			if _, ok, _ := out.Get(k); ok {
				continue
			}
			item, _, err := v.Map().Get(k)
			if err != nil {
				return err
			}
			out.Set(k, item)
		}
	}
	return nil
}

// spanner returns the place of the bytes [from, to) of a text.
type spanner func(from, to int) source.Span

// text replaces each %{...} of a text. A text that is one alias becomes the value of it.
//
//	"%{role}-%{lookup('port')}"   "db-5432"        "%{alias('ports')}"   [80, 443]
func (i *interpolator) text(s string, at spanner) (value.Value, error) {
	if i.scope == nil {
		return value.Null, errInterpolated
	}
	var b value.TextBuilder
	from := 0
	for {
		start := strings.Index(s[from:], "%{")
		if start < 0 {
			break
		}
		start += from
		end := strings.IndexByte(s[start:], '}')
		if end < 0 {
			break
		}
		end += start + 1
		if err := i.scope.Step(1 + (end-from)/64); err != nil {
			return value.Null, err
		}
		b.WriteString(s[from:start])
		from = end
		v, kind, err := i.expression(strings.TrimSpace(s[start+2:end-1]), at(start, end))
		if err != nil {
			return value.Null, err
		}
		if kind == aliasMethod {
			if start != 0 || end != len(s) {
				return value.Null, source.Errorf(at(start, end), source.BadInterpolation, "alias() must be the whole text: use lookup() inside of a text")
			}
			return v, nil
		}
		if err := i.write(&b, v, at(start, end)); err != nil {
			return value.Null, err
		}
	}
	b.WriteString(s[from:])
	return b.Value(), nil
}

// write adds a value to a text.
func (i *interpolator) write(b *value.TextBuilder, v value.Value, at source.Span) error {
	switch v.Kind() {
	case value.NullKind:
		return nil
	case value.ListKind, value.MapKind:
		return source.Errorf(at, source.BadInterpolation, "%s cannot be part of a text", value.Article(v.Kind())).WithHint("alias() as the whole text keeps the value")
	case value.BoolKind:
		return b.WriteValue(v, fmt.Sprint(v.Bool()))
	}
	text, err := value.Text(v)
	if err != nil {
		return err
	}
	if err := i.scope.Step(len(text) / 64); err != nil {
		return err
	}
	if b.Len()+len(text) > maxText {
		return source.Errorf(at, source.Limit, "the text is longer than %d bytes", maxText)
	}
	return b.WriteValue(v, text)
}

// maxText bounds the result of an interpolation.
const maxText = 64 << 20

type method uint8

const (
	scopeMethod method = iota
	lookupMethod
	aliasMethod
	literalMethod
)

// methodOf returns the method with a name, and false for an unknown name.
func methodOf(name string) (method, bool) {
	switch name {
	case "lookup", "hiera":
		return lookupMethod, true
	case "alias":
		return aliasMethod, true
	case "literal":
		return literalMethod, true
	case "scope":
		return scopeMethod, true
	}
	return 0, false
}

var callText = lazy.Regexp{Text: `^(\w+)\((?:"([^"]+)"|'([^']+)')\)$`}

// expression evaluates the text between the braces.
func (i *interpolator) expression(s string, at source.Span) (value.Value, method, error) {
	switch s {
	case "", "::", `""`, "''", `"::"`, "'::'":
		return value.Null, scopeMethod, nil
	}
	m := callText.Get().FindStringSubmatch(s)
	if m == nil {
		if open := strings.IndexByte(s, '('); open > 0 && !strings.ContainsAny(s[:open], `"'. `) {
			return value.Null, 0, source.Errorf(at, source.BadInterpolation, "bad call in %%{%s}: functions have one argument in quotes, such as %%{lookup('key')}", i.quoted(s))
		}
		v, err := i.variable(s, at)
		return v, scopeMethod, err
	}
	kind, ok := methodOf(m[1])
	if !ok {
		return value.Null, 0, source.Errorf(at, source.BadInterpolation, "unknown function %s() in %%{}: there are lookup, hiera, alias, literal, scope", i.quoted(m[1]))
	}
	if !i.functions {
		return value.Null, 0, source.Errorf(at, source.BadInterpolation, "%s() is not allowed here: paths are made of facts only", m[1])
	}
	argument := m[2] + m[3]
	switch kind {
	case literalMethod:
		return value.String(argument), kind, nil
	case scopeMethod:
		v, err := i.variable(argument, at)
		return v, kind, err
	}
	v, found, err := i.lookup(argument, at)
	if err == nil && !found {
		v = value.String("") // also of an alias
	}
	if err != nil || kind == aliasMethod {
		return v, kind, err
	}
	v, err = i.again(v, at)
	return v, kind, err
}

// lookup looks up a key from the top.
func (i *interpolator) lookup(key string, at source.Span) (value.Value, bool, error) {
	k, err := bind.ParseKey(key)
	if err != nil {
		return value.Null, false, source.Errorf(at, source.BadInterpolation, "%s", i.cause(err))
	}
	a, err := i.scope.Lookup(at, bind.Request{Keys: []bind.KeyPath{k}})
	if err == nil && !a.Found {
		i.unknown(at, "nothing binds '"+i.quoted(key)+"'")
	}
	return a.Value, a.Found, err
}

// again interpolates the texts of a value once more, as of what lookup() brings.
func (i *interpolator) again(v value.Value, at source.Span) (value.Value, error) {
	if !v.Is(value.StringKind) || !strings.Contains(v.Str(), "%{") {
		return v, nil
	}
	if i.depth++; i.depth > 50 {
		return value.Null, source.Errorf(at, source.Limit, "texts are interpolated more than 50 times")
	}
	defer func() { i.depth-- }()
	marks := v.Marks()
	v, err := i.text(v.Str(), func(int, int) source.Span { return at })
	return v.Mark(marks), err
}

// variable returns a fact, a variable or a part of it: role, ::role, facts.os.name.
func (i *interpolator) variable(name string, at source.Span) (value.Value, error) {
	segments, err := bind.SplitKey(name)
	if err != nil {
		return value.Null, source.Errorf(at, source.BadInterpolation, "bad name in %%{%s}: %s", i.quoted(name), i.cause(err))
	}
	root := strings.TrimPrefix(segments[0].Text, "::")
	v, ok := i.value, i.element != "" && root == i.element
	if !ok {
		if v, ok, err = i.scope.Variable(root); err != nil {
			return value.Null, err
		}
	}
	if ok {
		v, ok, err = bind.Dig(v, segments[1:])
		bad := (*bind.DigError)(nil)
		if errors.As(err, &bad) {
			return value.Null, source.Errorf(at, source.TypeMismatch, "%%{%s}: %s", i.quoted(name), i.cause(bad))
		}
		if err != nil {
			return value.Null, err
		}
	}
	if !ok {
		i.unknown(at, "unknown variable or fact '"+i.quoted(name)+"'")
	}
	return v, nil
}

// quoted returns a part of the text for a message.
func (i *interpolator) quoted(s string) string {
	if i.secret {
		return value.SecretText
	}
	return value.Clip(s, 60)
}

// cause describes the mistake in a part of the text, which it may quote.
func (i *interpolator) cause(err error) error {
	if i.secret {
		return errors.New("it is malformed, or not there")
	}
	return err
}

// unknown warns about a name that is replaced by an empty text.
func (i *interpolator) unknown(at source.Span, message string) {
	i.missing = true
	i.scope.Warn(source.Warnf(at, source.UndefinedInterpolation, "%s: the text is empty there", message))
}
