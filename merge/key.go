package merge

import (
	"fmt"
	"strings"
)

// A directive is a map key that stands for something to merge in (spec: merge,
// section 1):
//
//	"+" ["?"] [include] ["*" anchor] [dots] ["/" segment]*
type directive struct {
	optional bool
	include  bool
	anchor   string
	dots     int
	path     []string // pointer segments, unescaped
}

// The two keys that begin with "+" and are no directives.
const (
	strategyKey = "+%"
	anchorKey   = "+&"
)

// parseKey reads a map key as a directive. ok is false for a key that is none. An
// error is a bad pointer in a key that is a directive.
func parseKey(key string) (d directive, ok bool, err error) {
	rest, plus := strings.CutPrefix(key, "+")
	if !plus || key == strategyKey || key == anchorKey {
		return d, false, nil
	}
	first, pointer, hasPath := strings.Cut(rest, "/")
	if first == "" && !hasPath {
		return d, false, nil
	}
	if !d.parseFirst(first) {
		return directive{}, false, nil
	}
	if at := badEscape(key); at >= 0 {
		return d, true, fmt.Errorf("invalid escape %s in JSON pointer %s", key[at:min(at+2, len(key))], key)
	}
	if hasPath {
		for seg := range strings.SplitSeq(pointer, "/") {
			d.path = append(d.path, unescape(seg))
		}
	}
	d.anchor = unescape(d.anchor)
	return d, true, nil
}

// parseFirst reads what stands before the pointer. All of it must be understood.
func (d *directive) parseFirst(s string) bool {
	s, d.optional = strings.CutPrefix(s, "?")
	if rest, ok := strings.CutPrefix(s, "include"); ok {
		d.include = true
		s = strings.TrimLeft(rest, labelChars)
	}
	if rest, ok := strings.CutPrefix(s, "*"); ok {
		d.anchor = rest
		return rest != "" && !strings.ContainsAny(rest, " \t\n")
	}
	dots := strings.TrimLeft(s, ".")
	d.dots = len(s) - len(dots)
	return dots == "" && !(d.include && d.dots > 0)
}

const labelChars = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"

const escapeHint = `write "~" as "~0" and "/" as "~1"`

// badEscape returns the offset of a "~" that no 0 or 1 follows, or -1.
func badEscape(key string) int {
	for i := 0; i < len(key); i++ {
		if key[i] == '~' && (i+1 == len(key) || key[i+1] != '0' && key[i+1] != '1') {
			return i
		}
	}
	return -1
}

// unescape undoes the escapes of a JSON pointer: first ~1, then ~0, so that ~01
// stays ~1 (RFC 6901).
func unescape(seg string) string {
	if !strings.Contains(seg, "~") {
		return seg
	}
	return strings.ReplaceAll(strings.ReplaceAll(seg, "~1", "/"), "~0", "~")
}

// IsDirective reports whether a map key is a merge directive or a marker of one.
func IsDirective(key string) bool {
	if key == strategyKey || key == anchorKey {
		return true
	}
	_, ok, _ := parseKey(key)
	return ok
}
