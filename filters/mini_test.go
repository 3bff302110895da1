package filters

import (
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// The examples of the table are templates. This reads just enough of the language
// to run them here: literals, | filters, is tests, methods, calls, == and text
// after the last }}.
type mini struct {
	t *testing.T
	c *Ctx
	s string
	// seed changes each piped value, to see what becomes of its marks
	seed func(value.Value) value.Value
}

type miniError struct{ err error }

func runExample(t *testing.T, c *Ctx, src string, seed func(value.Value) value.Value) (v value.Value, err error) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			e, ok := p.(miniError)
			if !ok {
				panic(p)
			}
			err = e.err
		}
	}()
	body, ok := strings.CutPrefix(src, "{{ ")
	end := strings.LastIndex(body, " }}")
	if !ok || end < 0 {
		t.Fatalf("example %q is no template", src)
	}
	m := &mini{t: t, c: c, s: body[:end], seed: seed}
	v = m.compare()
	if m.skip(); m.s != "" {
		t.Fatalf("example %q: %q is left", src, m.s)
	}
	if tail := body[end+3:]; tail != "" {
		text, err := value.Text(v)
		if err != nil {
			return v, err
		}
		v = value.String(text + tail)
	}
	return v, nil
}

func (m *mini) must(v value.Value, err error) value.Value {
	if err != nil {
		panic(miniError{err})
	}
	return v
}

func (m *mini) skip() { m.s = strings.TrimLeft(m.s, " ") }

func (m *mini) eat(tok string) bool {
	m.skip()
	if strings.HasPrefix(m.s, tok) {
		m.s = m.s[len(tok):]
		return true
	}
	return false
}

func (m *mini) name() string {
	m.skip()
	n := 0
	for n < len(m.s) && (m.s[n] == '_' || m.s[n] >= '0' && m.s[n] <= '9' || m.s[n]|0x20 >= 'a' && m.s[n]|0x20 <= 'z') {
		n++
	}
	s := m.s[:n]
	m.s = m.s[n:]
	return s
}

func (m *mini) compare() value.Value {
	v := m.chain()
	if m.eat("==") {
		same, err := value.Equal(v, m.chain())
		return m.must(value.Bool(same).Mark(v.Marks()), err)
	}
	return v
}

func (m *mini) chain() value.Value {
	v := m.primary()
	for {
		switch {
		case m.eat("| "):
			name := m.name()
			v = m.must(CallFilter(m.c, name, m.seed(v), m.args()))
		case m.eat("is "):
			name := m.name()
			args := m.args()
			if f, _ := LookupTest(name); args.Pos == nil && f != nil && len(f.Params) > 0 && f.Params[0].Required {
				args.Pos = append(args.Pos, m.primary())
			}
			v = m.must(CallTest(m.c, name, m.seed(v), args))
		default:
			return v
		}
	}
}

func (m *mini) args() (a value.Args) {
	if !strings.HasPrefix(m.s, "(") {
		return a
	}
	m.eat("(")
	for !m.eat(")") {
		m.eat(",")
		before := m.s
		if name := m.name(); name != "" && m.eat("=") {
			a.Named = append(a.Named, value.Named{Name: name, Value: m.compare()})
			continue
		}
		m.s = before
		a.Pos = append(a.Pos, m.compare())
	}
	return a
}

func (m *mini) primary() value.Value {
	v := m.atom()
	for strings.HasPrefix(m.s, ".") {
		m.eat(".")
		name := m.name()
		if !strings.HasPrefix(m.s, "(") {
			v = m.must(attribute(v, name))
			continue
		}
		args := m.args()
		if f := v.Func(); f != nil {
			method, _ := f.Attr(name)
			v = m.must(method.Func().Call(args))
			continue
		}
		out, ok, err := CallMethod(m.c, m.seed(v), name, args)
		if !ok {
			panic(miniError{fmt.Errorf("no method %q", name)})
		}
		v = m.must(out, err)
	}
	if f := v.Func(); f != nil && strings.HasPrefix(m.s, "(") {
		v = m.must(f.Call(m.args()))
	}
	return v
}

func (m *mini) atom() value.Value {
	m.skip()
	switch c := m.s[0]; {
	case c == '(':
		m.eat("(")
		v := m.compare()
		m.eat(")")
		return v
	case c == '[':
		return m.list()
	case c == '{':
		return m.dict()
	case c == '\'' || c == '"':
		return m.text(c)
	case c == '-' || c >= '0' && c <= '9':
		return m.number()
	}
	name := m.name()
	switch name {
	case "true":
		return value.True
	case "false":
		return value.False
	case "none":
		return value.Null
	}
	if f, ok := LookupGlobal(name); ok && strings.HasPrefix(m.s, "(") {
		return m.must(f.Apply(m.c, value.Null, m.args()))
	}
	return value.Undefined(fmt.Errorf("%q is undefined", name))
}

func (m *mini) list() value.Value {
	m.eat("[")
	items := []value.Value{}
	for !m.eat("]") {
		m.eat(",")
		items = append(items, m.compare())
	}
	return value.ListOf(items...)
}

func (m *mini) dict() value.Value {
	m.eat("{")
	d := value.NewMap(2)
	for !m.eat("}") {
		m.eat(",")
		k, ok := value.KeyOf(m.compare())
		if !ok || !m.eat(":") {
			panic(miniError{errors.New("bad map")})
		}
		d.Set(k, m.compare())
	}
	return value.FromMap(d)
}

func (m *mini) text(quote byte) value.Value {
	var b strings.Builder
	i := 1
	for ; m.s[i] != quote; i++ {
		if m.s[i] == '\\' {
			i++
			switch m.s[i] {
			case 'n':
				b.WriteByte('\n')
				continue
			case 't':
				b.WriteByte('\t')
				continue
			case 'v':
				b.WriteByte('\v')
				continue
			case 'r':
				b.WriteByte('\r')
				continue
			}
		}
		b.WriteByte(m.s[i])
	}
	m.s = m.s[i+1:]
	return value.String(b.String())
}

func (m *mini) number() value.Value {
	n := 1
	for n < len(m.s) && (m.s[n] >= '0' && m.s[n] <= '9' || m.s[n] == '.' && n+1 < len(m.s) && m.s[n+1] >= '0' && m.s[n+1] <= '9' || m.s[n] == 'e' || m.s[n] == '-' && m.s[n-1] == 'e') {
		n++
	}
	s := m.s[:n]
	m.s = m.s[n:]
	if i, ok := new(big.Int).SetString(s, 10); ok {
		return value.BigInt(i)
	}
	f, err := strconv.ParseFloat(s, 64)
	return m.must(value.Float(f), err)
}
