package yaytpl

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/merge"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A jsonText is a big JSON file that is not parsed until somebody needs more of it
// than one constant path leads to.
type jsonText struct{ file *source.File }

// bigJSON is the size from which on a path into a JSON file is looked up in its
// text first.
const bigJSON = 256 << 10

// bigJSONText returns the file as a text to look things up in, nil if it has to be
// parsed at once: only in one valid value nothing can be wrong elsewhere.
func (p *Project) bigJSONText(f *source.File) *jsonText {
	front, err := frontendFor(f, p.opts.Lang)
	if err != nil || front.name != "json" || len(f.Text) < bigJSON || f.Secret || !json.Valid([]byte(f.Text)) {
		return nil
	}
	return &jsonText{f}
}

// shortcut returns the value at a path of constant keys without parsing the file.
// ok is false where the parsed document has to decide: a map on the way has
// directives, is an expression, or has the key twice; a list is not indexed; what
// is found needs evaluation.
func (j *jsonText) shortcut(keys []value.Key, o merge.Options) (v value.Value, ok bool) {
	if len(keys) == 0 {
		return value.Null, false
	}
	at := gjson.Parse(j.file.Text)
	for _, k := range keys {
		if at, ok = below(at, k.Text); !ok {
			return value.Null, false
		}
	}
	if needsEvaluation(at.Raw) {
		return value.Null, false
	}
	f := source.NewFile(j.file.Name, at.Raw)
	trees, findings := yaml.ParseJSON(f, yaml.ParseOptions{Lenient: o.Lenient})
	if len(findings) > 0 || len(trees) != 1 {
		return value.Null, false
	}
	v, err := trees[0].Root.ToValue()
	return v, err == nil
}

// below returns what a map or list has under a key, if it is plain data.
func below(in gjson.Result, key string) (found gjson.Result, ok bool) {
	switch {
	case in.IsObject():
		return entryBelow(in, key)
	case in.IsArray():
		i, err := strconv.Atoi(key)
		if err != nil || i < 0 {
			return found, false
		}
		in.ForEach(func(_, item gjson.Result) bool {
			if ok = i == 0; ok {
				found = item
			}
			i--
			return !ok
		})
		return found, ok
	}
	return found, false
}

func entryBelow(in gjson.Result, key string) (found gjson.Result, ok bool) {
	plain := true
	in.ForEach(func(k, item gjson.Result) bool {
		name := k.String()
		if strings.HasPrefix(name, "+") || expr.MayBeExpression(name) {
			plain = false
		}
		if name != key && strings.HasPrefix(name, key) && name[len(key)] == '.' {
			plain = false // a dotted path may mean this key
		}
		if name == key {
			plain = plain && !ok
			found, ok = item, true
		}
		return plain
	})
	return found, ok && plain
}

// needsEvaluation reports whether JSON text may hold anything but plain data.
func needsEvaluation(raw string) bool {
	for _, sign := range []string{"{{", "{%", `"+`, `\u`, `"eval"`, `"ref"`, `"concat"`, `"token"`, `"get_env"`, `"has_env"`, `"q"`} {
		if strings.Contains(raw, sign) {
			return true
		}
	}
	return false
}

// lookup answers a query that is one constant path from a file that is not parsed
// yet.
func (d *Document) lookup(p *expr.Path) (value.Value, bool) {
	if !d.unparsed() {
		return value.Null, false
	}
	keys, constant := p.Constant()
	if !constant {
		return value.Null, false
	}
	return d.text.shortcut(keys, merge.Options{Lenient: d.project.opts.Lenient})
}

// lookupSteps is lookup for the path of a get.
func (d *Document) lookupSteps(steps []step) (value.Value, bool) {
	if !d.unparsed() {
		return value.Null, false
	}
	keys := make([]value.Key, len(steps))
	for i, s := range steps {
		if s.match != "" || s.index && s.number < 0 {
			return value.Null, false
		}
		keys[i] = value.K(s.key)
	}
	return d.text.shortcut(keys, merge.Options{Lenient: d.project.opts.Lenient})
}
