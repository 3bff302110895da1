package filters

import (
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// An htmlFlow says which results of a filter or method are HTML, that is, texts that automatic
// escaping leaves as they are. All others are texts.
type htmlFlow uint8

const (
	noHTML      htmlFlow = iota
	staysHTML            // the result is HTML if the value is
	mixesHTML            // so too, and then arguments that are no HTML are escaped
	makesHTML            // the result is HTML
	escapesHTML          // so too; HTML is returned unchanged
	safeHTML             // so too; what is no text becomes one where texts are escaped
	whereHTML            // the result is HTML where texts are escaped
	joinsHTML            // join: where texts are escaped
	editsHTML            // replace: where texts are escaped
	splitsHTML           // the items of the result are HTML if the value is
	formatsHTML          // the result is HTML if the value is, and fields that are no HTML are escaped
)

var htmlFilters = lazy.Value[map[string]htmlFlow]{Make: func() map[string]htmlFlow {
	return map[string]htmlFlow{
		"upper": staysHTML, "lower": staysHTML, "capitalize": staysHTML, "title": staysHTML, "trim": staysHTML,
		"center": staysHTML, "indent": staysHTML, "string": staysHTML, "reverse": staysHTML,
		"format": mixesHTML, "truncate": mixesHTML,
		"forceescape": makesHTML, "tojson": makesHTML, "escape": escapesHTML, "safe": safeHTML,
		"xmlattr": whereHTML, "urlize": whereHTML, "join": joinsHTML, "replace": editsHTML,
	}
}}

var htmlMethods = lazy.Value[map[string]htmlFlow]{Make: func() map[string]htmlFlow {
	return map[string]htmlFlow{
		"upper": staysHTML, "lower": staysHTML, "capitalize": staysHTML, "title": staysHTML, "strip": staysHTML,
		"lstrip": staysHTML, "rstrip": staysHTML, "center": staysHTML, "ljust": staysHTML, "rjust": staysHTML,
		"zfill": staysHTML, "swapcase": staysHTML, "expandtabs": staysHTML,
		"replace": mixesHTML, "format": formatsHTML, "format_map": formatsHTML, "join": mixesHTML,
		"split": splitsHTML, "rsplit": splitsHTML, "splitlines": splitsHTML, "partition": splitsHTML, "rpartition": splitsHTML,
	}
}}

// An escaper is a Caller that may escape texts automatically.
type escaper interface{ Escapes() bool }

// escapes reports whether the call is in a part of a template that is escaped automatically.
func (c *Ctx) escapes() bool {
	e, ok := c.Caller.(escaper)
	return ok && e.Escapes()
}

// htmlInput returns the value and the arguments for a call, escaped where they are joined
// with HTML.
func (f *Func) htmlInput(c *Ctx, in value.Value, args value.Args) (value.Value, value.Args, error) {
	switch f.html {
	case mixesHTML:
		if in.IsHTML() {
			return in, escapedArgs(args), nil
		}
	case safeHTML:
		if c.escapes() && !in.Is(value.StringKind) && !in.Is(value.UndefinedKind) {
			text, err := c.text(in)
			marks, _ := c.deepMarks(in)
			return value.String(text).Mark(marks), args, err
		}
	case editsHTML:
		if !c.escapes() {
			return in.AsText(), args, nil
		}
		for _, v := range args.Pos {
			if v.IsHTML() {
				in = value.EscapeHTML(in)
			}
		}
		if in.IsHTML() {
			return in, escapedArgs(args), nil
		}
	case joinsHTML:
		if c.escapes() && in.Is(value.ListKind) {
			return c.escapedJoin(in, args)
		}
	}
	return in, args, nil
}

// escapedJoin escapes the items of a list and the text between them if one of these is HTML.
func (c *Ctx) escapedJoin(in value.Value, args value.Args) (value.Value, value.Args, error) {
	html := false
	for _, v := range args.Pos {
		html = html || v.IsHTML()
	}
	items, err := c.listItems(in)
	if err != nil || len(args.Pos) > 1 || len(args.Named) > 0 {
		return in, args, err
	}
	for _, item := range items {
		html = html || item.IsHTML()
	}
	if !html {
		return in, args, nil
	}
	escaped := make(value.Slice, len(items))
	for i, item := range items {
		if !item.Is(value.StringKind) && !item.Is(value.UndefinedKind) {
			text, err := c.text(item)
			if err != nil {
				return in, args, err
			}
			marks, _ := c.deepMarks(item)
			item = value.String(text).Mark(marks)
		}
		escaped[i] = value.EscapeHTML(item)
	}
	return value.FromList(escaped).Mark(in.Marks()), escapedArgs(args), nil
}

// escapedArgs returns arguments with their texts escaped.
func escapedArgs(args value.Args) value.Args {
	out := value.Args{Pos: make([]value.Value, len(args.Pos)), Named: make([]value.Named, len(args.Named))}
	for i, v := range args.Pos {
		out.Pos[i] = value.EscapeHTML(v)
	}
	for i, n := range args.Named {
		out.Named[i] = value.Named{Name: n.Name, Value: value.EscapeHTML(n.Value)}
	}
	return out
}

// htmlOutput returns the result of a call as HTML if it is.
func (f *Func) htmlOutput(c *Ctx, in, out value.Value) value.Value {
	html := false
	switch f.html {
	case staysHTML, mixesHTML, editsHTML, formatsHTML:
		html = in.IsHTML()
	case makesHTML, escapesHTML, safeHTML:
		html = true
	case whereHTML:
		html = c.escapes()
	case splitsHTML:
		if items, ok := out.List().(value.Slice); ok && in.IsHTML() {
			for i := range items {
				items[i] = items[i].AsHTML()
			}
		}
		return out
	case joinsHTML:
		if items := in.List(); c.escapes() && items.Len() > 0 {
			first, err := items.At(0)
			html = err == nil && first.IsHTML()
		}
	}
	if !html {
		return out.AsText()
	}
	return out.AsHTML()
}
