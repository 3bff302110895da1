package yaml

import (
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// coreTag returns the short form of one of YAML's own tags ("!!str"), or "".
func coreTag(tag string) string {
	name, ok := strings.CutPrefix(tag, "!!")
	if !ok {
		name, ok = strings.CutPrefix(tag, "!<tag:yaml.org,2002:")
		name = strings.TrimSuffix(name, ">")
	}
	if !ok {
		return ""
	}
	switch name {
	case "str", "int", "float", "bool", "null", "binary", "map", "seq":
		return "!!" + name
	}
	return ""
}

// taggedScalar returns the data of a scalar with an explicit tag.
func taggedScalar(tag, text string, style Style, at source.Span) (value.Value, *source.Diagnostic) {
	switch core := coreTag(tag); core {
	case "!!str":
		return value.String(text), nil
	case "!!int", "!!float", "!!bool", "!!null":
		v, ok := convertTo(core, text)
		if !ok {
			return value.String(text), source.Errorf(at, source.BadValue, "%q is not what the tag %s says", text, tag)
		}
		if plain, ok := resolve(text); !ok || plain.Kind() != v.Kind() {
			return v, nil // without the tag the text would be something else
		}
		return spelled(v, text), nil
	case "!!binary":
		return binary(text, at)
	}
	if tag == "!" {
		return value.String(text), nil
	}
	return value.String(text).WithSource(value.Scalar{Tag: tag, Plain: style == Plain}), nil
}

// convertTo reads text as the type that a tag names.
func convertTo(tag, text string) (value.Value, bool) {
	v, ok := resolve(text)
	switch tag {
	case "!!int":
		return v, ok && v.Is(value.IntKind)
	case "!!float":
		if !ok || !v.IsNumber() {
			return v, false
		}
		return value.Float(v.Float()), true
	case "!!bool":
		switch strings.ToLower(text) {
		case "yes", "on", "y":
			return value.True, true
		case "no", "off", "n":
			return value.False, true
		}
		return v, ok && v.Is(value.BoolKind)
	}
	return v, ok && v.IsNull()
}

func binary(text string, at source.Span) (value.Value, *source.Diagnostic) {
	compact := strings.Join(strings.Fields(text), "")
	data, err := base64.StdEncoding.DecodeString(compact)
	if err != nil {
		return value.String(text), source.Errorf(at, source.BadValue, "!!binary needs base64: %v", err)
	}
	return value.String(string(data)).WithSource(value.Scalar{Tag: "!!binary", Spelling: compact}), nil
}

// tagHandle returns "!", "!!" or a named handle, "!e!".
func tagHandle(tag string) string {
	name := strings.TrimLeft(tag[1:], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
	if strings.HasPrefix(name, "!") {
		return tag[:len(tag)-len(name)+1]
	}
	return "!"
}

// escapeURI escapes what a verbatim tag cannot hold.
func escapeURI(s string) string {
	var b strings.Builder
	for _, c := range []byte(s) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte("<>%\"\\^`{|}", c) >= 0 {
			fmt.Fprintf(&b, "%%%02X", c)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}

// tagName returns a tag as written, unless it uses a handle that only the
// document's own %TAG explains.
func tagName(written, resolved string) string {
	if written == "!" || strings.HasPrefix(written, "!<") || tagHandle(written) == "!" && strings.HasPrefix(resolved, "!") {
		return written
	}
	if name, own := strings.CutPrefix(resolved, "!!"); own {
		if escapeURI(name) == name && !strings.Contains(name, "!") {
			return resolved
		}
		resolved = "tag:yaml.org,2002:" + name
	}
	return "!<" + escapeURI(resolved) + ">"
}
