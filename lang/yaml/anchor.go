package yaml

import (
	"strings"
	"unicode/utf8"
)

// anchorEnd returns where the name of an anchor or alias ends that begins at i: at a blank,
// a line break or a flow indicator (YAML 1.2, production 102). A colon at its end is not
// taken for a part of it, since it makes the alias a key, as in "*a: b".
func anchorEnd(src string, i int) int {
	end := i
	for end < len(src) && spaceAt(src, end) == 0 && !isFlowIndicator(src[end]) {
		end++
	}
	if end > i && src[end-1] == ':' {
		end--
	}
	return end
}

// isAnchorName reports whether a name of an anchor has a character at least, and none that
// YAML does not allow.
func isAnchorName(name string) bool {
	for i, r := range name {
		if r < ' ' || r >= 0x7F && !commonRune(r, utf8.RuneLen(r)) || r == utf8.RuneError && !strings.HasPrefix(name[i:], "\uFFFD") {
			return false
		}
	}
	return name != ""
}

// hideName puts a stand-in in the place of the bytes from start on, which are a name, if the
// library would not take them for one. Names may become the same by that: see converter.
func (s *scanner) hideName(start int) {
	name := s.src[start:s.pos]
	if !isAnchorName(name) {
		return
	}
	for i := range len(name) {
		if !isNameByte[name[i]] {
			s.replace(start, s.pos, standIn)
			return
		}
	}
}
