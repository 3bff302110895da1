package pongo2

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/flosch/pongo2/v6"

	"github.com/yaytpl/yaytpl/value"
)

// rootName is the name of the whole document.
const rootName = "ROOT"

// context returns the names of a template: a function for each key of the document, which the library calls for its
// value. So a template reads, and has the marks of, the keys that it uses. Other keys are in ROOT only.
func (r *run) context() pongo2.Context {
	root := r.page.Scope.Env.Root()
	names := pongo2.Context{}
	var keys []value.Key
	err := r.ask(func() (err error) {
		if root.Is(value.MapKind) {
			keys, err = value.KeysOf(root.Map())
		}
		return err
	})
	if err != nil {
		r.fail(err)
	}
	for _, k := range keys {
		if k.Kind == value.StringKind && isName(k.Text) {
			names[k.Text] = func() *pongo2.Value { return r.key(k) }
		}
	}
	names[rootName] = func() *pongo2.Value { return r.read(rootName, func() (value.Value, error) { return root, nil }) }
	return names
}

// key returns a key of the document.
func (r *run) key(k value.Key) *pongo2.Value {
	return r.read("key "+k.Text, func() (value.Value, error) {
		root := r.page.Scope.Env.Root()
		if !root.Is(value.MapKind) {
			return value.Null, nil
		}
		v, _, err := root.Map().Get(k)
		return v.Mark(root.Marks()), err
	})
}

// isName reports whether the library takes a key for a name.
func isName(key string) bool {
	return key != "" && key != hookName && !strings.ContainsFunc(key, func(r rune) bool { return r > unicode.MaxASCII || !isWord(byte(r)) })
}

// read returns a part of the document as data of Go. It is evaluated once, as a whole.
func (r *run) read(name string, get func() (value.Value, error)) *pongo2.Value {
	if v, ok := r.keys[name]; ok {
		return v
	}
	var data any
	var marks value.Marks
	err := r.ask(func() error {
		v, err := get()
		if err != nil {
			return err
		}
		if marks, err = value.DeepMarksCharged(v, r.page.Scope.Env.Step); err == nil {
			data, err = r.data(v)
		}
		return err
	})
	r.marks |= marks
	if err != nil {
		r.fail(err)
	}
	r.keys[name] = pongo2.AsValue(data)
	return r.keys[name]
}

// data converts a value to what the library takes: nil, bool, int, float64, string, []any and map[string]any.
// Numbers that neither int nor float64 keeps are text.
func (r *run) data(v value.Value) (any, error) {
	if err := r.page.Scope.Env.Enter(); err != nil {
		return nil, err
	}
	defer r.page.Scope.Env.Leave()
	switch v.Kind() {
	case value.BoolKind:
		return v.Bool(), nil
	case value.IntKind:
		if i, ok := v.Int(); ok && int64(int(i)) == i {
			return int(i), nil
		}
		return value.Text(v)
	case value.FloatKind:
		text, err := value.Text(v)
		if err == nil && significant(text) == significant(strconv.FormatFloat(v.Float(), 'e', -1, 64)) {
			return v.Float(), nil
		}
		return text, err
	case value.StringKind:
		return v.Str(), nil
	case value.ListKind:
		items := make([]any, 0, v.List().Len())
		for item, err := range value.Items(v.List()) {
			if err != nil {
				return nil, err
			}
			converted, err := r.data(item)
			if err != nil {
				return nil, err
			}
			items = append(items, converted)
		}
		return items, nil
	case value.MapKind:
		return r.mapData(v.Map())
	case value.UndefinedKind:
		return nil, v.Reason()
	}
	return nil, nil
}

func (r *run) mapData(m value.Map) (any, error) {
	keys, err := value.KeysOf(m)
	if err != nil {
		return nil, err
	}
	data := make(map[string]any, len(keys))
	for _, k := range keys {
		item, _, err := m.Get(k)
		if err != nil {
			return nil, err
		}
		if data[k.Text], err = r.data(item); err != nil {
			return nil, err
		}
	}
	return data, nil
}

// significant returns the significant digits of a number.
func significant(text string) string {
	text, _, _ = strings.Cut(strings.ToLower(text), "e")
	text = strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
	return strings.Trim(text, "0")
}
