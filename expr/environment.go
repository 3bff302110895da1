package expr

import (
	"os"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// getEnv returns a variable of the environment, null or the default if it is unset.
// Without a name it returns all of them.
func (c *funcCall) getEnv(arg value.Value, s *Scope) (value.Value, error) {
	if !value.Truthy(arg) {
		host := s.Env.Host(c.At, arg.Marks() != 0)
		names := host.Environ()
		all := value.NewMap(len(names))
		for _, name := range names {
			if v, ok := host.Getenv(name); ok {
				all.Set(value.K(name), value.String(v).Verbatim())
			}
		}
		return value.FromMap(all), nil
	}
	name, otherwise := arg, value.Null
	if arg.Is(value.ListKind) {
		items, err := listItems(arg)
		if err != nil {
			return value.Null, err
		}
		if name = items[0]; len(items) == 2 {
			otherwise = items[1]
		}
	}
	if !name.Is(value.StringKind) || arg.List().Len() > 2 {
		return value.Null, badExpression(c.At, `"get_env" takes a name or [name, default]`)
	}
	if v, ok := s.Env.Host(c.At, (arg.Marks()|name.Marks()) != 0).Getenv(name.Str()); ok {
		return value.String(v).Verbatim().Mark(name.Marks()), nil
	}
	return otherwise.Mark(name.Marks()), nil
}

func hasEnv(c *funcCall, arg value.Value, s *Scope) (value.Value, error) {
	_, ok := s.Env.Host(c.At, arg.Marks() != 0).Getenv(arg.Str())
	return value.Bool(ok), nil
}

// toEnv evaluates rules to environment variables:
//
//	NAME: value     sets the variable
//	^NAME: value    prepends to a list such as PATH
//	+NAME: value    copies the variable of the environment; value is the default
//	-NAME:          removes the variable
//
// "${X}" in a value is replaced by the variable X.
func (c *funcCall) toEnv(arg value.Value, s *Scope) (value.Value, error) {
	if !arg.Is(value.MapKind) {
		return value.Null, source.Errorf(c.At, source.BadType, `"to_env" takes a map, not %s`, value.Article(arg.Kind()))
	}
	update, err := c.kw("update_os_environ", s)
	if err != nil {
		return value.Null, err
	}
	if value.Truthy(update) {
		return value.Null, source.Errorf(c.At, source.Forbidden, "the environment of this process cannot be changed")
	}
	env := envRules{host: s.Env.Host(c.At, arg.Marks() != 0), out: value.NewMap(arg.Map().Len())}
	for k := range arg.Map().Keys() {
		v, _, err := arg.Map().Get(k)
		if err == nil {
			err = s.measure(c.At, v)
		}
		if err == nil {
			err = s.step(c.At, ruleSteps+len(k.Text))
		}
		if err != nil {
			return value.Null, err
		}
		if err := env.apply(k.Text, v); err != nil {
			return value.Null, err
		}
	}
	return value.FromMap(env.out).Mark(arg.Marks() | env.removed), nil
}

// ruleSteps is the cost of a rule of to_env.
const ruleSteps = 64

type envRules struct {
	host    Host
	out     *value.Dict
	removed value.Marks // of the rules that decide whether a variable is there
}

// apply applies a rule of to_env to the variables so far:
//
//	NAME: text      sets it; null removes it
//	^NAME: dir      puts dir before the old value, as in a PATH
//	+NAME: text     takes the variable of the host, or else the text
//	-NAME:          removes it
func (e *envRules) apply(rule string, v value.Value) error {
	text, err := yamlText(v)
	if err != nil {
		return err
	}
	text, marks := e.expand(text)
	marks |= v.Marks()
	if v.IsNull() {
		e.removed |= v.Marks()
	}
	switch name := strings.TrimLeft(rule, "^+-"); {
	case strings.HasPrefix(rule, "-"):
		e.out.Delete(value.K(name))
	case strings.HasPrefix(rule, "+"):
		if old, ok := e.host.Getenv(name); ok {
			e.set(name, old, 0)
		} else if !v.IsNull() {
			e.set(name, text, marks)
		}
	case v.IsNull():
		e.out.Delete(value.K(name))
	case strings.HasPrefix(rule, "^"):
		if old := e.get(name); old.Str() != "" {
			text += string(os.PathListSeparator) + old.Str()
			marks |= old.Marks()
		}
		e.set(name, text, marks)
	default:
		e.set(name, text, marks)
	}
	return nil
}

func (e *envRules) set(name, text string, marks value.Marks) {
	e.out.Set(value.K(name), value.String(text).Mark(marks).Verbatim())
}

// expand replaces "${X}" by the value of X.
func (e *envRules) expand(text string) (string, value.Marks) {
	var b strings.Builder
	var marks value.Marks
	for {
		before, rest, found := strings.Cut(text, "${")
		name, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			b.WriteString(text)
			return b.String(), marks
		}
		v := e.get(name)
		marks |= v.Marks()
		b.WriteString(before + v.Str())
		text = after
	}
}

// get returns the current value of a variable; unset variables are empty.
func (e *envRules) get(name string) value.Value {
	if v, ok, err := e.out.Get(value.K(name)); ok && err == nil {
		return v
	}
	text, _ := e.host.Getenv(name)
	return value.String(text)
}
