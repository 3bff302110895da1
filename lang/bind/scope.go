package bind

import (
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// # What expressions see
//
// Expressions are evaluated at two times. While the bindings are composed, there is no table: values of categories,
// conditions, names of layers, and maps of parameters see facts and the variables of the site file, and inject() is
// an error, since the answer could depend on what is composed next. Values of bindings are evaluated by lookups, and
// see everything:
//
//	site { categories { role => $facts['role'] } }          composed: facts, variables of the site file
//	bindings default {
//	  when role $kind { bind port to 80 }                   composed: the same
//	  bind url to "http://${fqdn}:${inject('port')}"        looked up: variables and keys
//	}
//
// A name is looked up in this order: bound variables, the variables of the site file, the variables that come from
// outside, such as the parameters of an ENC, then the names that are always there, then facts.

// A Budget bounds the work of an evaluation. *graph.Eval is one.
type Budget interface {
	// Step counts n units of work.
	Step(n int) error
	// Enter counts a level of nesting. If it succeeds the caller calls Leave.
	Enter() error
	Leave()
}

// Config says for which node, and out of what, a table is composed.
type Config struct {
	// Facts are the facts of the node. Nil means no facts.
	Facts value.Map

	// Environment is the chosen environment, and Dir the directory of the site file.
	Environment, Dir string

	// Variables are known besides the variables of the site file, such as the parameters of an ENC.
	Variables map[string]value.Value

	// Overrides are above all layers, as the layer "override". They may be nil.
	Overrides *Set

	Resolver  Resolver
	Producers map[string]ProducerFunc
	Budget    Budget

	// Warn gets findings that stop nothing. Nil drops them.
	Warn func(*source.Diagnostic)
}

// A ProducerFunc is a function of the Go program that produces the values of bindings. args
// is a map, or null.
type ProducerFunc func(args value.Value) (value.Value, error)

// A Scope is what an expression sees: variables, and the table if it is composed.
type Scope struct {
	config *Config
	// table is nil while the bindings are composed.
	table *Table
	// site are the variables that the site file has set so far.
	site map[string]value.Value
	// lenient makes unknown variables undef.
	lenient bool
	axes    []Axis
}

// NewScope returns a scope without a table, for expressions that choose an environment.
func NewScope(c Config) *Scope { return &Scope{config: &c, site: map[string]value.Value{}} }

// Set sets a variable of the site file.
func (s *Scope) Set(name string, v value.Value) { s.site[name] = v }

// Axis returns the value of a category, "" before the categories are known.
func (s *Scope) Axis(name string) string {
	for _, a := range s.axes {
		if a.Name == name {
			return a.Value
		}
	}
	return ""
}

// Variable returns the value of $name: a bound variable, one of the site file, a fact. The
// name may begin with "::".
func (s *Scope) Variable(name string) (value.Value, bool, error) {
	name = strings.TrimPrefix(name, "::")
	if s.table != nil {
		if v, ok, err := s.table.variable(s, name); ok || err != nil {
			return v, ok, err
		}
	}
	if v, ok := s.site[name]; ok {
		return v, true, nil
	}
	if v, ok := s.config.Variables[name]; ok {
		return v, true, nil
	}
	switch name {
	case environmentCategory:
		return value.String(s.config.Environment), true, nil
	case "facts":
		if s.config.Facts == nil {
			return value.FromMap(value.NewMap(0)), true, nil
		}
		return value.FromMap(s.config.Facts), true, nil
	case "confdir":
		return value.String(s.config.Dir), true, nil
	}
	if v, ok, err := s.Fact(name); ok || err != nil {
		return v, ok, err
	}
	return value.Null, s.lenient, nil
}

// Fact returns a fact by its name.
func (s *Scope) Fact(name string) (value.Value, bool, error) {
	if s.config.Facts == nil {
		return value.Null, false, nil
	}
	return s.config.Facts.Get(value.K(name))
}

// Environment returns the name of the environment.
func (s *Scope) Environment() string { return s.config.Environment }

// Names returns the names that Variable knows, for hints.
func (s *Scope) Names() []string {
	var out []string
	for name := range s.site {
		out = append(out, name)
	}
	for name := range s.config.Variables {
		out = append(out, name)
	}
	if s.config.Facts != nil {
		for name := range value.KeyTexts(s.config.Facts) {
			out = append(out, name)
		}
	}
	if s.table != nil {
		for k := range s.table.entries {
			if name, ok := strings.CutPrefix(k.Name, "/var/"); ok && k.Type == "" {
				out = append(out, name)
			}
		}
	}
	return append(out, "environment", "facts")
}

// Lookup answers a request of an expression at a place.
//
// Codes: injection-not-allowed while the bindings are composed; the codes of [Table.Lookup].
func (s *Scope) Lookup(at source.Span, r Request) (Answer, error) {
	if s.table == nil {
		return Answer{}, source.Errorf(at, source.InjectionNotAllowed, "inject() cannot be used here: the bindings are not composed yet")
	}
	r.At = at
	return s.table.Lookup(r)
}

// Step counts units of work.
func (s *Scope) Step(n int) error { return s.config.Budget.Step(n) }

// Enter counts a level of nesting.
func (s *Scope) Enter() error { return s.config.Budget.Enter() }

// Leave ends a level that Enter began.
func (s *Scope) Leave() { s.config.Budget.Leave() }

// Warn reports a finding that stops nothing.
func (s *Scope) Warn(d *source.Diagnostic) {
	if s.config.Warn != nil {
		s.config.Warn(d)
	}
}

// Scope returns the scope of expressions outside of the bindings.
func (t *Table) Scope() *Scope { return t.scope }
