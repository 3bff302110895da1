package roundtrip

import "strings"

// A piece is a range of the old text, or new text.
type piece struct {
	start, end int // of the old text, if end is not negative
	text       string
}

// A rope is a text put together from ranges of the old one and new pieces. It shows
// what stays, which is what makes small patches.
type rope []piece

func (r rope) old(start, end int) rope {
	if start >= end {
		return r
	}
	if k := len(r) - 1; k >= 0 && r[k].end == start {
		r[k].end = end
		return r
	}
	return append(r, piece{start: start, end: end})
}

func (r rope) new(text string) rope {
	if text == "" {
		return r
	}
	return append(r, piece{end: -1, text: text})
}

func (r rope) add(other rope) rope {
	for _, p := range other {
		if p.end < 0 {
			r = r.new(p.text)
		} else {
			r = r.old(p.start, p.end)
		}
	}
	return r
}

// string returns the text of the rope.
func (r rope) string(src string) string {
	var b strings.Builder
	for _, p := range r {
		b.WriteString(p.of(src))
	}
	return b.String()
}

func (p piece) of(src string) string {
	if p.end < 0 {
		return p.text
	}
	return src[p.start:p.end]
}

// trimLeft drops blanks and line breaks at the beginning.
func (r rope) trimLeft(src string) rope {
	for i, p := range r {
		text := p.of(src)
		rest := strings.TrimLeft(text, " \t\r\n")
		if rest == "" {
			continue
		}
		out := rope{}
		if p.end < 0 {
			out = out.new(rest)
		} else {
			out = out.old(p.end-len(rest), p.end)
		}
		return out.add(r[i+1:])
	}
	return nil
}

// trimBlank returns nothing if there is nothing but space.
func (r rope) trimBlank(src string) rope {
	if strings.TrimSpace(r.string(src)) == "" {
		return nil
	}
	return r
}

// trimRight drops blanks at the end.
func (r rope) trimRight(src string) rope {
	for k := len(r) - 1; k >= 0; k-- {
		p := r[k]
		if rest := strings.TrimRight(p.of(src), " \t"); rest != "" {
			out := append(rope{}, r[:k]...)
			if p.end < 0 {
				return out.new(rest)
			}
			return out.old(p.start, p.start+len(rest))
		}
	}
	return nil
}

// dropBreak drops the line break that a rope of old ranges ends with.
func (r rope) dropBreak(src string) rope {
	k := len(r) - 1
	if k < 0 {
		return r
	}
	return append(rope{}, r[:k]...).old(r[k].start, max(beforeBreak(src, r[k].end), r[k].start))
}

// A patch replaces a range of the old text.
type patch struct {
	start, end int
	text       string
}

// patches returns what makes the old text into that of the rope. The old ranges of
// the rope must be in the order of the text.
func (r rope) patches(src string) []patch {
	var out []patch
	cursor, pending := 0, strings.Builder{}
	flush := func(upTo int) {
		if text := pending.String(); text != src[cursor:upTo] {
			out = append(out, patch{cursor, upTo, text})
		}
		pending.Reset()
		cursor = upTo
	}
	for _, p := range r {
		if p.end < 0 {
			pending.WriteString(p.text)
			continue
		}
		flush(p.start)
		cursor = p.end
	}
	flush(len(src))
	return out
}

// applied returns the text with the patches made, which are in order.
func applied(src string, patches []patch) string {
	var b strings.Builder
	cursor := 0
	for _, p := range patches {
		b.WriteString(src[cursor:p.start])
		b.WriteString(p.text)
		cursor = p.end
	}
	b.WriteString(src[cursor:])
	return b.String()
}

// window returns what the range [start, end) of the old text has become, and false
// if a patch crosses one of its ends. What is inserted at an end is inside.
func window(src string, patches []patch, start, end int) (string, bool) {
	var inside []patch
	for _, p := range patches {
		switch {
		case p.end < start || p.start > end:
		case p.end == start && p.start < start || p.start == end && p.end > end:
		case p.start < start || p.end > end:
			return "", false
		default:
			inside = append(inside, patch{p.start - start, p.end - start, p.text})
		}
	}
	return applied(src[start:end], inside), true
}
