package yaml

import (
	"maps"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/value"
)

// # Texts that are written again
//
// When one of a thousand files changes, most of the result is what it was: lists and maps of files that
// have not changed, at the same depth, in the same form. A Memo keeps the texts of such data from one
// result to the next. In
//
//	services:
//	  web: {…}        constant, of web.yaml
//	  db:             computed: its port is a template
//	    port: 5432
//	    limits: {…}   constant, of db.yaml
//
// the texts of web and of limits are kept, the texts of services and db are written each time. Kept texts are
// parts of one text: the text of the outermost list or map that may last.

// A Memo has texts of lists and maps. It is safe for concurrent use.
type Memo struct {
	mu    sync.Mutex
	texts map[memoKey]*memoText
	age   int // number of calls of Age
	asked int // texts that were asked for or added since the last one
}

// A memoKey is a list or map in one of its forms.
type memoKey struct {
	of any // see value.Lasting
	memoForm
}

// A memoForm is all that the text of a list or map without marks depends on.
type memoForm struct {
	column, depth int32
	step          int16
	language      memoLanguage
	at            lead

	compact, noComments, dropTags bool

	gap bool // before it
}

// A memoLanguage says which encoder writes a text.
type memoLanguage uint8

const (
	memoYAML memoLanguage = iota
	memoJSON
	memoKYAML
)

// A memoText is the text of a list or map.
type memoText struct {
	text    string
	gap     bool // after it
	changes bool // it is not kept: it has changed while it was written, and probably will again
	asked   int  // the age at which it was last asked for
}

// leastMemo is the length from which on a text is kept.
const leastMemo = 64

// Age divides the results. If most texts were not asked for by the last result, it forgets them.
func (m *Memo) Age() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.texts) > 2*m.asked {
		maps.DeleteFunc(m.texts, func(_ memoKey, t *memoText) bool { return t.asked < m.age })
	}
	m.age++
	m.asked = 0
}

// get returns the text of a key, nil if it is unknown.
func (m *Memo) get(k memoKey) *memoText {
	m.mu.Lock()
	defer m.mu.Unlock()
	t := m.texts[k]
	if t != nil && t.asked != m.age {
		t.asked = m.age
		m.asked++
	}
	return t
}

// put keeps parts of a text.
func (m *Memo) put(text string, parts []memoPart) {
	kept := 0
	for _, p := range parts {
		kept += p.end - p.start
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, p := range parts {
		part := text[p.start:p.end]
		if kept < len(text)/2 {
			part = strings.Clone(part) // else it would keep the whole text in memory
		}
		m.set(p.memoKey, memoText{text: part, gap: p.gap})
	}
}

// setChanging notes that a list or map changes.
func (m *Memo) setChanging(k memoKey) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.set(k, memoText{changes: true})
}

func (m *Memo) set(k memoKey, t memoText) {
	if m.texts == nil {
		m.texts = map[memoKey]*memoText{}
	}
	t.asked = m.age
	m.asked++
	m.texts[k] = &t
}

// A memoPart is the text of a list or map, as a part of the text of an outer one.
type memoPart struct {
	memoKey
	start, end int
	gap        bool // after it
}

// A capture is what is written inside of the outermost list or map that may last.
type capture struct {
	depth int
	text  strings.Builder
	parts []memoPart // disjoint
}

// lasting returns v if its text may be in the memo, otherwise nil.
func (o *output) lasting(v value.Value) value.Lasting {
	if o.Memo == nil || o.err != nil {
		return nil
	}
	var data any
	switch v.Kind() {
	case value.MapKind:
		data = v.Map()
	case value.ListKind:
		data = v.List()
	}
	l, _ := data.(value.Lasting)
	return l
}

// remember writes a list or map by calling do, or its text of the memo. gap is the gap of the encoder, or nil.
// Values with marks are not kept: their text depends on the reader, and their marks are collected.
func (o *output) remember(l value.Lasting, form memoForm, gap *bool, do func()) {
	of, before := l.Lasting()
	if of == nil {
		do()
		return
	}
	form.noComments, form.dropTags, form.compact, form.depth = o.NoComments, o.DropTags, o.Compact, int32(len(o.path))
	if gap != nil {
		form.gap = *gap
	}
	k := memoKey{of, form}
	switch t := o.Memo.get(k); {
	case t == nil:
	case t.changes:
		do()
		l.Holds(before)
		return
	default:
		l.Holds(before)
		o.write(t.text)
		if gap != nil {
			*gap = t.gap
		}
		return
	}
	if o.kept == nil {
		o.kept = &capture{}
	}
	c := o.kept
	var marks value.Marks
	start, parts, all := c.text.Len(), len(c.parts), o.EncodeOptions.Marks
	o.EncodeOptions.Marks = &marks
	c.depth++
	do()
	c.depth--
	if o.EncodeOptions.Marks = all; all != nil {
		*all |= marks
	}
	p := memoPart{k, start, c.text.Len(), gap != nil && *gap}
	switch lasts := l.Holds(before); {
	case !lasts:
		o.Memo.setChanging(k)
	case marks == 0 && o.err == nil && p.end-p.start >= leastMemo:
		c.parts = append(c.parts[:parts], p)
	}
	if c.depth == 0 {
		o.Memo.put(c.text.String(), c.parts)
		o.kept = nil
	}
}
