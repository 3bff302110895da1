// Package pattern matches the paths of files below a directory, such as the files of a project, by
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
// Paths and patterns have "/" between their parts on every system. Read pattern.go (parsing, files of a
// directory), then match.go.
package pattern

import (
	"errors"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// A Pattern is a parsed pattern.
type Pattern struct {
	text  string
	parts []part
	words []string       // the placeholders, in order
	whole *regexp.Regexp // with a group for each placeholder; nil without any
}

// A part is the text between two "/" of a pattern.
type part struct {
	literal string         // if there is nothing else
	tokens  []token        // of a part with wildcards or placeholders
	match   *regexp.Regexp // of a part with placeholders
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
	texts := slices.CompactFunc(strings.Split(text, "/"), func(a, b string) bool { return a == "**" && b == "**" })
	for _, one := range texts {
		next := part{literal: one, many: one == "**", hidden: strings.HasPrefix(one, ".")}
		if !next.many {
			var err error
			if next.tokens, err = p.tokens(one, named); err != nil {
				return nil, err
			}
		}
		p.parts = append(p.parts, next)
	}
	if len(p.words) > 0 {
		p.compile()
	}
	return p, nil
}

// compile compiles the regular expressions of a pattern with placeholders.
func (p *Pattern) compile() {
	var whole strings.Builder
	for i := range p.parts {
		next, last := &p.parts[i], i == len(p.parts)-1
		switch body := expression(next.tokens); {
		case next.many && last:
			whole.WriteString(".+")
		case next.many:
			whole.WriteString("(?:[^/]+/)*")
			continue
		case next.tokens == nil:
			whole.WriteString(regexp.QuoteMeta(next.literal))
		default:
			whole.WriteString(body)
			if slices.ContainsFunc(next.tokens, func(t token) bool { return t.kind == word }) {
				next.match = regexp.MustCompile("^(?s:" + body + ")$")
			}
		}
		if !last {
			whole.WriteString("/")
		}
	}
	p.whole = regexp.MustCompile("^(?s:" + whole.String() + ")$")
}

// Local returns an error for a path, or a pattern of paths, that does not stay below its directory.
func Local(text string) error { return local(runtime.GOOS, text) }

// local is Local for a system: Windows takes a backslash for a separator, so that ..\..\x leads out of the
// directory there.
func local(system, text string) error {
	switch parts := strings.Split(text, "/"); {
	case text == "":
		return errors.New("it is empty")
	case strings.ContainsRune(text, 0) || !utf8.ValidString(text):
		return errors.New("it has a zero byte, or is not UTF-8")
	case parts[0] == "" || len(parts[0]) == 2 && parts[0][1] == ':':
		return errors.New("it is an absolute path")
	case system == "windows" && strings.Contains(text, `\`):
		return errors.New(`it has a backslash: parts of a path have "/" between them`)
	case slices.Contains(parts, ".."):
		return errors.New(`it has ".."`)
	case slices.Contains(parts, "") || slices.Contains(parts, "."):
		return errors.New("it has a part that is empty or a dot")
	}
	return nil
}

// tokens returns the tokens of a part, nil for one without wildcards and placeholders. The names of its
// placeholders are added to p.words.
func (p *Pattern) tokens(one string, named bool) ([]token, error) {
	var tokens []token
	begin := 0 // of a text
	for i := 0; i < len(one); i++ {
		var t token
		at := i
		switch c := one[i]; {
		case c == '*':
			t.kind = star
		case c == '?':
			t.kind = anyOne
		case c == '[':
			end := strings.IndexByte(one[i+1:], ']')
			if end < 1 {
				return nil, errors.New(`a "[" has no "]"`)
			}
			var err error
			if t, err = parseClass(one[i+1 : i+1+end]); err != nil {
				return nil, err
			}
			i += 1 + end
		case c == '{' && named:
			name := Word(one[i:])
			if name == "" {
				return nil, errors.New("braces hold the name of a placeholder, such as {node}")
			}
			i += len(name) + 1
			if i+1 < len(one) && one[i+1] == '{' {
				return nil, errors.New("two placeholders need a text between them")
			}
			p.words = append(p.words, name)
			t.kind = word
		default:
			continue
		}
		if begin < at {
			tokens = append(tokens, token{literal: one[begin:at]})
		}
		tokens, begin = append(tokens, t), i+1
	}
	if tokens != nil && begin < len(one) {
		tokens = append(tokens, token{literal: one[begin:]})
	}
	return tokens, nil
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
func (p *Pattern) Match(name string) bool {
	if p.whole != nil {
		return p.whole.MatchString(name)
	}
	return matchesPath(p.parts, name)
}

// Values returns the texts of the placeholders in a path that the pattern matches, and false for
// another path. A placeholder that the pattern has twice must have one text.
func (p *Pattern) Values(name string) (map[string]string, bool) {
	if p.whole == nil {
		return map[string]string{}, p.Match(name)
	}
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

// MaxListed is how many names [Pattern.Files] looks at. In directories that are nested hundreds deep it looks at
// fewer.
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
	if next.match == nil && next.tokens == nil && !next.many {
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
		case next.many && len(rest) > 0, !next.many && !next.matches(name):
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
	depth := strings.Count(dir, "/") // the system opens all directories above it, and above each of its own
	if w.left -= 1 + depth*depth/64; w.left < 0 {
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
		if err != nil { // io.EOF, or the directory cannot be read
			return nil
		}
	}
}
