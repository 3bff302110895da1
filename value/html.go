package value

import "html"

// AsHTML returns the text v as HTML: [EscapeHTML] does not escape it again. Other values are
// returned unchanged.
func (v Value) AsHTML() Value {
	v.html = v.kind == StringKind
	return v
}

// AsText returns v as a text that is not HTML.
func (v Value) AsText() Value {
	v.html = false
	return v
}

// IsHTML reports whether v is a text of HTML: see [Value.AsHTML].
func (v Value) IsHTML() bool { return v.html }

// EscapeHTML returns the text v as HTML, with & < > ' and " replaced by entities unless it is
// HTML already. Its secret parts stay the same. Of a list in memory the items are escaped;
// other values are returned unchanged.
func EscapeHTML(v Value) Value {
	if items, ok := v.ref.(Slice); ok && v.kind == ListKind {
		escaped := make(Slice, len(items))
		for i, item := range items {
			escaped[i] = item
			if item.kind == StringKind {
				escaped[i] = EscapeHTML(item)
			}
		}
		v.ref = escaped
		return v
	}
	if v.kind != StringKind || v.html {
		return v
	}
	escaped := String(html.EscapeString(v.Str()))
	if j, ok := v.ref.(*joined); ok {
		escaped.ref = &joined{escaped.Str(), html.EscapeString(j.masked)}
	}
	escaped.marks, escaped.lit = v.marks, v.lit
	return escaped.AsHTML()
}
