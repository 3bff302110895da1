package roundtrip

import "github.com/yaytpl/yaytpl/lang/yaml"

// A slot is where an entry or item stands in the text.
type slot struct {
	start  int // of the key or its "?", of the "-"; in a flow list of the item
	keyEnd int // behind the key
	mark   int // behind ":" or "-", where the value is due; -1 if there is none
	end    int // behind the value, or where it would begin if nothing is written

	// Block style: the lines from the comment above to the last one.
	lead, last int

	// Flow style: what follows up to the next item.
	comma int // offset of the comma, or -1
	next  int // behind the comma and the comment on its line
}

// valueStart returns where the value of an entry is due: behind its mark, or behind a
// key that has none.
func (s slot) valueStart() int {
	if s.mark >= 0 {
		return s.mark
	}
	return s.keyEnd
}

// endOf returns where a node ends. The end of a block collection is worked out from
// its last value, because that may not be written.
func endOf(src string, n *yaml.Node) int {
	switch {
	case isEmpty(n):
		if _, end, ok := properties(n); ok {
			return end
		}
		return int(n.At.Start)
	case n.Style == yaml.Block && n.Len() > 0 && (n.Kind == yaml.MapNode || n.Kind == yaml.SeqNode):
		return endOfLast(src, n)
	}
	return int(n.At.End)
}

func endOfLast(src string, n *yaml.Node) int {
	_, _, last := childAt(n, n.Len()-1)
	if !isEmpty(last) {
		return endOf(src, last)
	}
	if _, end, ok := properties(last); ok {
		return end
	}
	slots, ok := blockSlots(src, n)
	if !ok {
		return int(n.At.End)
	}
	return slots[len(slots)-1].end
}

// blockSlots finds the entries or items of a block collection, and returns false if
// it is written in a way that is not understood. Their lines are not set.
func blockSlots(src string, n *yaml.Node) ([]slot, bool) {
	slots := make([]slot, n.Len())
	at := int(n.At.Start)
	col := column(src, at)
	for i := range slots {
		s, ok := slot{start: at}, false
		if at >= len(src) || i > 0 && column(src, at) != col {
			return nil, false
		}
		child := n.Child(i)
		if n.Kind == yaml.MapNode {
			ok = s.setKey(src, n.Entries[i].KeyNode)
		} else {
			ok = src[at] == '-' && blankAfter(src, at)
			s.keyEnd, s.mark = at, at+1
		}
		if !ok {
			return nil, false
		}
		s.setEnd(src, child)
		slots[i] = s
		at = skipSpace(src, s.end)
	}
	return slots, true
}

// setKey finds key and colon of an entry of a block map. An entry behind "?" may have
// no colon, as those of sets have none.
func (s *slot) setKey(src string, key *yaml.Node) bool {
	s.keyEnd, s.mark = endOf(src, key), -1
	explicit := src[s.start] == '?' && blankAfter(src, s.start)
	at := skipBlanks(src, s.keyEnd)
	switch {
	case explicit && isEmpty(key), !explicit && s.start != startOf(key):
		return false
	case explicit:
		at = skipSpace(src, s.keyEnd)
	}
	if at < len(src) && src[at] == ':' {
		s.mark = at + 1
	}
	return s.mark >= 0 || explicit
}

// setEnd finds the end of the value.
func (s *slot) setEnd(src string, child *yaml.Node) {
	s.end = s.valueStart()
	if !isEmpty(child) {
		s.end = endOf(src, child)
	} else if _, end, ok := properties(child); ok {
		s.end = end
	}
}

// setLines finds the lines of the entries of a block collection. Nothing before the
// offset from belongs to the first.
func setLines(src string, slots []slot, from int) {
	col := column(src, slots[0].start)
	for i := range slots {
		s := &slots[i]
		s.lead = s.start
		if beginsLine(src, s.start) {
			s.lead = lead(src, lineStart(src, s.start), col, from)
		}
		s.last = extent(src, s.end, col)
		from = s.last
	}
}

// flowSlots finds the entries or items between the brackets of a flow collection, and
// returns false if it is written in a way that is not understood.
func flowSlots(src string, n *yaml.Node) ([]slot, bool) {
	slots := make([]slot, n.Len())
	at := skipSpace(src, int(n.At.Start)+1)
	for i := range slots {
		s := slot{start: at, mark: -1}
		child := n.Child(i)
		first := child
		if n.Kind == yaml.MapNode {
			first = n.Entries[i].KeyNode
		}
		if isEmpty(first) || startOf(first) != at {
			return nil, false
		}
		s.keyEnd = at
		if n.Kind == yaml.MapNode {
			s.keyEnd = endOf(src, first)
			if colon := skipSpace(src, s.keyEnd); colon < len(src) && src[colon] == ':' {
				s.mark = colon + 1
			}
		}
		s.setEnd(src, child)
		if !s.setComma(src) {
			if i < len(slots)-1 {
				return nil, false
			}
			s.keepBlank(src)
		}
		slots[i] = s
		at = skipSpace(src, s.next)
	}
	return slots, at < len(src) && at+1 == int(n.At.End)
}

// keepBlank makes the blank behind a colon without a value part of the entry: without it
// a comma would make the colon part of the key.
func (s *slot) keepBlank(src string) {
	if s.mark == s.end && s.next == s.end && s.end < len(src) && src[s.end] == ' ' {
		s.end, s.next = s.end+1, s.next+1
	}
}

// setComma finds what follows an item, and reports whether that is a comma.
func (s *slot) setComma(src string) bool {
	s.comma, s.next = -1, s.end
	if at := skipSpace(src, s.end); at < len(src) && src[at] == ',' {
		s.comma, s.next = at, at+1
	}
	if at := skipBlanks(src, s.next); at < len(src) && src[at] == '#' && at > s.next {
		s.next = lineEnd(src, at)
	}
	return s.comma >= 0
}
