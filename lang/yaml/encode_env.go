package yaml

import (
	"io"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EncodeEnv writes the scalars in a map or list as NAME=VALUE lines for a shell.
// A name is the path in capitals, joined by underscores, list items by index:
// {a: {b: [1]}} is A_B_0=1. Null is an empty value.
//
// Codes: output (the root is a scalar, two paths with one name, a NUL in a text, a
// function), limit. Errors of computed lists and maps are returned as they are.
func EncodeEnv(w io.Writer, v value.Value, opts EncodeOptions) error {
	e := &envEncoder{output: newOutput(w, opts), names: map[string]string{}}
	v = e.shown(v)
	if v.IsScalar() && !v.IsNull() {
		e.fail(source.Output, "%s has no name; the env form needs a map or a list", value.Article(v.Kind()))
	}
	if !v.IsNull() {
		e.value("", v)
	}
	return e.end()
}

type envEncoder struct {
	*output
	names map[string]string // to the path that has it
}

func (e *envEncoder) value(name string, v value.Value) {
	switch v.Kind() {
	case value.MapKind:
		e.entries(v.Map(), func(_ int, k value.Key, v value.Value) { e.value(envName(name, k.Text), v) })
	case value.ListKind:
		e.items(v.List(), func(i int, v value.Value) { e.value(envName(name, value.Index(i).Text), v) })
	case value.FuncKind, value.UndefinedKind:
		e.unwritable(v)
	default:
		e.assign(name, v)
	}
}

func (e *envEncoder) assign(name string, v value.Value) {
	if name != "" && name[0] >= '0' && name[0] <= '9' {
		name = "_" + name
	}
	if other, taken := e.names[name]; taken {
		e.fail(source.Output, "the name %s is that of %s too", name, other)
		return
	}
	e.names[name] = e.path.String()
	text := ""
	if !v.IsNull() {
		text = bareText(v)
	}
	if strings.IndexByte(text, 0) >= 0 {
		e.fail(source.Output, "a shell variable cannot hold a NUL")
		return
	}
	e.write(name + "=" + shellQuote(text) + "\n")
}

// envName joins a key to the name of what it is in.
func envName(name, key string) string {
	key = strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return r - 'a' + 'A'
		case r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
			return r
		}
		return '_'
	}, key)
	if name == "" {
		return key
	}
	return name + "_" + key
}

// bareText returns a scalar without any quotes.
func bareText(v value.Value) string {
	if v.Is(value.StringKind) {
		return v.Str()
	}
	return spelling(v)
}

// shellQuote quotes a text for a POSIX shell if it needs that.
func shellQuote(s string) string {
	const plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:,@%+="
	if strings.Trim(s, plain) == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
