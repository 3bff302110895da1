package yaml

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// Directives are lines before the "---" of a document:
//
//	%YAML 1.2
//	%TAG !e! tag:example.com,2000:
//	--- !e!thing
//	...
//
// A line that begins with "%" is one only there: at the beginning of the text, and after the
// "..." of a document. It holds for the next document. Anywhere else a text cannot begin with
// "%", unless it continues one of the line before.

// directive reads the line of a directive.
func (l *lexer) directive() {
	end := l.lineEnd(l.pos)
	text := l.src[l.pos:end]
	for i := 1; i < len(text); i++ {
		if text[i] == '#' && isBlank(text[i-1]) {
			text = text[:i]
		}
	}
	text = strings.TrimRight(text, " \t")
	l.emit(lexeme{kind: lexDirective, start: l.pos, end: l.pos + len(text)})
	l.pos = end
}

// directives parses the directives before a document, and its "---". It returns the offset
// of "---".
func (p *treeParser) directives() (start int) {
	first, version := *p.look(), false
	var unknown []*source.Diagnostic
	for x := p.look(); x.kind == lexDirective && p.reason == ""; x = p.look() {
		if p.plain {
			p.giveUp("not plain")
			return first.start
		}
		words := strings.Fields(p.src[x.start+1 : x.end])
		switch {
		case len(words) == 0 || isBlank(p.src[x.start+1]):
			p.unexpected("directive without a name")
		case words[0] == "YAML" && version:
			p.unexpected("second version")
		case words[0] == "YAML":
			version = true
			if reason := checkVersion(words); reason != "" {
				p.unexpected(reason)
			}
		case words[0] == "TAG":
			p.tagDirective(words)
		case len(unknown) < maxFindings:
			unknown = append(unknown, unknownDirective(p.file.Span(x.start, x.end), words[0]))
		}
		p.skip()
	}
	x := p.look()
	if start = x.start; x.kind != lexDocumentStart {
		p.fail("directive without a document", first.start, first.end)
		return start
	}
	for _, d := range unknown {
		p.found.add(d)
	}
	p.skip()
	return start
}

// unknownDirective returns the warning for a directive that YAML does not have.
func unknownDirective(at source.Span, name string) *source.Diagnostic {
	return source.Warnf(at, source.Suspicious, "the directive %%%s is unknown, and ignored", short(name)).WithHint(`YAML has %%YAML and %%TAG; a text that begins with "%%" needs quotes`)
}

// checkVersion returns the mistake in the words of %YAML, or "". As the specification has
// it, all versions 1.x are read as 1.2.
func checkVersion(words []string) (reason string) {
	if len(words) != 2 {
		return "bad version"
	}
	major, minor, ok := strings.Cut(words[1], ".")
	if _, err := strconv.Atoi(major); err != nil || !ok || !allDigits(major) || !allDigits(minor) {
		return "bad version"
	}
	if major != "1" {
		return "unknown version"
	}
	return ""
}

// tagDirective reads a prefix of tags: "%TAG !e! tag:example.com,2000:".
func (p *treeParser) tagDirective(words []string) {
	if len(words) != 3 || !isHandle(words[1]) || strings.IndexByte(",[]{}", words[2][0]) >= 0 {
		p.unexpected("bad %TAG")
		return
	}
	handle, prefix := words[1], words[2]
	if len(prefix) > maxPrefix {
		x := p.look()
		p.refuse(source.Errorf(p.file.Span(x.start, x.end), source.Limit, "a prefix of tags has more than %d bytes", maxPrefix))
		return
	}
	if _, ok := p.handles[handle]; ok {
		p.unexpected("second prefix")
		return
	}
	if p.handles == nil {
		p.handles = map[string]string{}
	}
	p.handles[handle] = unescapeURI(prefix)
}

// maxPrefix is the most bytes of a prefix, which each tag of a few bytes repeats.
const maxPrefix = 512

// isHandle reports whether a text is a handle of tags: "!", "!!" or "!name!".
func isHandle(s string) bool {
	return s == "!" || len(s) > 1 && s[0] == '!' && s[len(s)-1] == '!' && nameLength(s[1:]) == len(s)-2
}

// tagHandle returns the handle of a tag: "!", "!!" or a named one, "!e!".
func tagHandle(tag string) string {
	if end := 1 + nameLength(tag[1:]); end < len(tag) && tag[end] == '!' {
		return tag[:end+1]
	}
	return "!"
}

// tagName returns the tag at src[start:end] as written, or the resolved form, "!<...>", if its
// handle is one that the document's %TAG defines. It stops at an unknown handle.
func (p *treeParser) tagName(start, end int) string {
	written := p.src[start:end]
	if written == "!" || strings.HasPrefix(written, "!<") {
		return written
	}
	handle := tagHandle(written)
	prefix, defined := p.handles[handle]
	switch {
	case defined:
	case handle == "!":
		return written
	case handle == "!!":
		if strings.IndexByte(written, '%') < 0 {
			return written
		}
		prefix = ownTags
	default:
		p.fail("unknown prefix", start, end)
		return written
	}
	resolved := prefix + unescapeURI(written[len(handle):])
	if name, own := strings.CutPrefix(resolved, ownTags); own && escapeURI(name) == name && !strings.Contains(name, "!") {
		return "!!" + name
	}
	return "!<" + escapeURI(resolved) + ">"
}

// ownTags is the prefix of "!!".
const ownTags = "tag:yaml.org,2002:"

// unescapeURI replaces escapes such as %21 by their bytes.
func unescapeURI(s string) string {
	if text, err := url.PathUnescape(s); err == nil {
		return text
	}
	return s
}

// escapeURI escapes the characters that a verbatim tag cannot contain.
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
