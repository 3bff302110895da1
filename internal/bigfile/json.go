package bigfile

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// JSON returns a big JSON file as a text to look things up in, nil if it has to be parsed
// at once: it is small or no valid value. In a valid one nothing can be wrong elsewhere than
// on the path that is looked at.
func JSON(f *source.File, o yaml.ParseOptions) *Text {
	if len(f.Text) < minSize || f.Secret || !json.Valid([]byte(f.Text)) {
		return nil
	}
	return &Text{f, func(keys []value.Key) (value.Value, bool) { return lookupJSON(f, keys, o) }}
}

// lookupJSON does without the parsed document unless a map on the way has directives, is
// an expression, or has the key twice; a list is not indexed; what is found needs evaluation.
func lookupJSON(f *source.File, keys []value.Key, o yaml.ParseOptions) (v value.Value, ok bool) {
	at := gjson.Parse(f.Text)
	for _, k := range keys {
		if at, ok = below(at, k.Text); !ok {
			return value.Null, false
		}
	}
	if needsEvaluation(at.Raw) {
		return value.Null, false
	}
	trees, findings := yaml.ParseJSON(source.NewFile(f.Name, at.Raw), o)
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
