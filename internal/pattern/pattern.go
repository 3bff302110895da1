// Package pattern matches the paths of files below a directory, such as those of a project, by
// patterns with wildcards and placeholders.
//
//	pattern            matches               not
//	envs/*.yaml        envs/dev.yaml         envs/eu/dev.yaml
//	app-?.yaml         app-1.yaml            app-10.yaml
//	[ab].yaml          a.yaml                c.yaml
//	charts/**          charts/a/b.yaml       charts
//	**/site.yaml       site.yaml, a/b/site.yaml
//	nodes/{node}.yaml  nodes/a.yaml, with node = a
//
// Paths and patterns have "/" between their parts on every system.
package pattern

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Pattern is a parsed pattern.
type Pattern struct {
	text  string
	whole *regexp.Regexp
	parts []part
	words []string // the placeholders, in order
}

// A part is what lies between two "/" of a pattern.
type part struct {
	literal string         // if match is nil and many is not set
	match   *regexp.Regexp // of a part with wildcards
	many    bool           // "**": any number of directories; at the end also any file below them
	hidden  bool           // it begins with a dot
}

// maxLength is the length of the longest pattern, in bytes.
const maxLength = 1000

// Parse parses a pattern without placeholders: braces are themselves.
func Parse(text string) (*Pattern, error) { return parse(text, false) }

// ParseNamed parses a pattern in which {word} is a placeholder for one part of a path or a piece of
// one. Of several in one part, the first is as short as possible.
func ParseNamed(text string) (*Pattern, error) { return parse(text, true) }

func parse(text string, named bool) (*Pattern, error) {
	p := &Pattern{text: text}
	if len(text) > maxLength {
		return nil, errors.New("it is longer than " + strconv.Itoa(maxLength) + " bytes")
	}
	if err := Local(text); err != nil {
		return nil, err
	}
	var whole strings.Builder
	texts := slices.CompactFunc(strings.Split(text, "/"), func(a, b string) bool { return a == "**" && b == "**" })
	for i, one := range texts {
		last := i == len(texts)-1
		if one == "**" {
			p.parts = append(p.parts, part{many: true})
			if last {
				whole.WriteString(".+")
			} else {
				whole.WriteString("(?:[^/]+/)*")
			}
			continue
		}
		body, wild, err := p.translate(one, named)
		if err != nil {
			return nil, err
		}
		next := part{literal: one, hidden: strings.HasPrefix(one, ".")}
		if wild {
			next.match = regexp.MustCompile("^(?s:" + body + ")$")
		}
		p.parts = append(p.parts, next)
		if whole.WriteString(body); !last {
			whole.WriteString("/")
		}
	}
	p.whole = regexp.MustCompile("^(?s:" + whole.String() + ")$")
	return p, nil
}

// Local returns an error for a path, or a pattern of paths, that does not stay below its directory.
func Local(text string) error {
	switch parts := strings.Split(text, "/"); {
	case text == "":
		return errors.New("it is empty")
	case strings.ContainsRune(text, 0) || !utf8.ValidString(text):
		return errors.New("it has a zero byte, or is not UTF-8")
	case parts[0] == "" || len(parts[0]) == 2 && parts[0][1] == ':':
		return errors.New("it is an absolute path")
	case slices.Contains(parts, ".."):
		return errors.New(`it has ".."`)
	case slices.Contains(parts, "") || slices.Contains(parts, "."):
		return errors.New("it has a part that is empty or a dot")
	}
	return nil
}

// translate returns a part as a regular expression, and whether it has wildcards or placeholders.
// Each placeholder is a group, and its name is added to p.words.
func (p *Pattern) translate(text string, named bool) (body string, wild bool, err error) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '*':
			b.WriteString("[^/]*")
			wild = true
		case c == '?':
			b.WriteString("[^/]")
			wild = true
		case c == '[':
			end := strings.IndexByte(text[i+1:], ']')
			if end < 1 {
				return "", false, errors.New(`a "[" has no "]"`)
			}
			class, err := translateClass(text[i+1 : i+1+end])
			if err != nil {
				return "", false, err
			}
			b.WriteString(class)
			i, wild = i+1+end, true
		case c == '{' && named:
			word := Word(text[i:])
			if word == "" {
				return "", false, errors.New("braces hold the name of a placeholder, such as {node}")
			}
			i += len(word) + 1
			if i+1 < len(text) && text[i+1] == '{' {
				return "", false, errors.New("two placeholders need a text between them")
			}
			p.words = append(p.words, word)
			b.WriteString("([^/]+?)")
			wild = true
		default:
			b.WriteString(regexp.QuoteMeta(text[i : i+1]))
		}
	}
	return b.String(), wild, nil
}

// translateClass returns the regular expression of the class of characters [ab], [a-z] or [!a].
func translateClass(text string) (string, error) {
	negated := ""
	if text[0] == '!' || text[0] == '^' {
		if negated, text = "^/", text[1:]; text == "" {
			return "", errors.New("a class of characters is empty")
		}
	}
	var b strings.Builder
	for i, r := range text {
		if r == '-' && i > 0 && i < len(text)-1 {
			b.WriteString("-")
			continue
		}
		b.WriteString(regexp.QuoteMeta(string(r)))
	}
	class := "[" + negated + b.String() + "]"
	if _, err := regexp.Compile(class); err != nil {
		return "", errors.New("a class of characters has only single ones and ranges, such as [a-z0]")
	}
	return class, nil
}

// Word returns the name of the placeholder that text begins with, "" if it begins with none. "{a}"
// and "{node-1}" are placeholders, "{{a}}", "{ a }" and "{}" are not.
func Word(text string) string {
	end := strings.IndexByte(text, '}')
	if end < 2 || text[0] != '{' || strings.HasPrefix(text[end+1:], "}") {
		return ""
	}
	for i, c := range []byte(text[1:end]) {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c != '-' && (c < '0' || c > '9')) {
			return ""
		}
	}
	return text[1:end]
}

// String returns the pattern as it was written.
func (p *Pattern) String() string { return p.text }

// Words returns the names of the placeholders, each once.
func (p *Pattern) Words() []string {
	words := slices.Clone(p.words)
	slices.Sort(words)
	return slices.Compact(words)
}

// Match reports whether the pattern matches a path. Wildcards match names that begin with a dot too.
func (p *Pattern) Match(name string) bool { return p.whole.MatchString(name) }

// Values returns the texts of the placeholders in a path that the pattern matches, and false for
// another path. A placeholder that the pattern has twice must have one text.
func (p *Pattern) Values(name string) (map[string]string, bool) {
	groups := p.whole.FindStringSubmatch(name)
	if groups == nil {
		return nil, false
	}
	values := make(map[string]string, len(p.words))
	for i, word := range p.words {
		if text, twice := values[word]; twice && text != groups[i+1] {
			return nil, false
		}
		values[word] = groups[i+1]
	}
	return values, true
}

// MaxListed is how many names [Pattern.Files] looks at.
const MaxListed = 1_000_000

// ErrTooMany reports that a pattern looks at more than [MaxListed] names.
var ErrTooMany = errors.New("it looks at too many files")

// Files returns the paths of the regular files below a directory that the pattern matches, sorted. A
// name that begins with a dot is found only by a part that begins with one. "**" does not follow links
// to directories. Directories that cannot be read have no files.
//
// The error is [ErrTooMany].
func (p *Pattern) Files(fsys fs.FS) ([]string, error) {
	w := walk{fsys: fsys, left: MaxListed, seen: map[visit]bool{}}
	if err := w.dir(".", p.parts); err != nil {
		return nil, err
	}
	slices.Sort(w.found)
	return slices.Compact(w.found), nil
}

// A walk lists the files of a pattern.
type walk struct {
	fsys  fs.FS
	left  int
	seen  map[visit]bool
	found []string
}

// A visit is a directory with the number of parts of the pattern that are left for it.
type visit struct {
	dir   string
	parts int
}

// dir adds the files below a directory that the parts match.
func (w *walk) dir(dir string, parts []part) error {
	next, rest := parts[0], parts[1:]
	switch v := (visit{dir, len(parts)}); {
	case w.seen[v]:
		return nil
	case next.many || len(parts) > 1 && parts[1].many:
		w.seen[v] = true
	}
	if next.many && len(rest) > 0 {
		if err := w.dir(dir, rest); err != nil {
			return err
		}
	}
	if next.match == nil && !next.many {
		return w.literal(path.Join(dir, next.literal), rest)
	}
	return w.list(dir, func(e fs.DirEntry) error {
		name := e.Name()
		if strings.HasPrefix(name, ".") && !next.hidden {
			return nil
		}
		at := path.Join(dir, name)
		switch {
		case next.many && e.IsDir():
			return w.dir(at, parts)
		case next.many && len(rest) > 0, next.match != nil && !next.match.MatchString(name):
			return nil
		case len(rest) > 0:
			if e.IsDir() || e.Type()&fs.ModeSymlink != 0 {
				return w.dir(at, rest)
			}
			return nil
		}
		return w.file(at, e.Type())
	})
}

// literal adds the files below a name without wildcards.
func (w *walk) literal(name string, rest []part) error {
	if len(rest) > 0 {
		return w.dir(name, rest)
	}
	if w.left--; w.left < 0 {
		return ErrTooMany
	}
	return w.file(name, fs.ModeSymlink) // of an unknown type
}

// file adds a regular file, or a link to one.
func (w *walk) file(name string, mode fs.FileMode) error {
	if mode&fs.ModeSymlink != 0 {
		info, err := fs.Stat(w.fsys, name)
		if err != nil {
			return nil
		}
		mode = info.Mode()
	}
	if mode.IsRegular() {
		w.found = append(w.found, name)
	}
	return nil
}

// batch is how many names of a directory are read at once.
const batch = 1024

// list calls do for each entry of a directory.
func (w *walk) list(dir string, do func(fs.DirEntry) error) error {
	if w.left--; w.left < 0 {
		return ErrTooMany
	}
	if info, err := fs.Stat(w.fsys, dir); err != nil || !info.IsDir() {
		return nil // opening a pipe would wait for a writer
	}
	f, err := w.fsys.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	d, ok := f.(fs.ReadDirFile)
	if !ok {
		return nil
	}
	for {
		entries, err := d.ReadDir(batch)
		if w.left -= len(entries); w.left < 0 {
			return ErrTooMany
		}
		for _, e := range entries {
			if err := do(e); err != nil {
				return err
			}
		}
		if err == io.EOF || err != nil {
			return nil
		}
	}
}
