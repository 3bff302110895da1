package filters

import (
	"errors"
	"path"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

func pathFilters() []Func {
	return []Func{
		onText("basename", "paths", baseName, "The last part of a path.", "{{ '/etc/hosts.d/a' | basename }}", `"a"`),
		onText("dirname", "paths", dirName, "A path without its last part.", "{{ '/etc/hosts.d/a' | dirname }}", `"/etc/hosts.d"`),
		onText("normpath", "paths", path.Clean, "A path without \".\", \"..\" and double slashes.", "{{ '/a/./b/../c' | normpath }}", `"/a/c"`),
		onText("win_basename", "paths", winBase, "The last part of a Windows path.", `{{ 'C:\\a\\b.txt' | win_basename }}`, `"b.txt"`),
		onText("win_dirname", "paths", winDir, "A Windows path without its last part.", `{{ 'C:\\a\\b.txt' | win_dirname }}`, `"C:\\a"`),
		pairOf("splitext", splitExt, "A path as [path, ending].", "{{ 'a/b.tar.gz' | splitext }}", `["a/b.tar", ".gz"]`),
		pairOf("win_splitdrive", splitDrive, "A Windows path as [drive, path].", `{{ 'C:\\a' | win_splitdrive }}`, `["C:", "\\a"]`),
		{
			Name: "path_join", Family: "paths", Call: pathJoin,
			Doc:     "A list of parts as one path; an absolute part starts anew.",
			Example: "{{ ['/etc', 'app', 'a.conf'] | path_join }}", Result: `"/etc/app/a.conf"`,
		},
		{
			Name: "relpath", Family: "paths", Call: relPath,
			Params:  []Param{opt("start", Text, value.String("."))},
			Doc:     "The way to a path from a directory; both must be absolute or both relative.",
			Example: "{{ '/a/b/c' | relpath('/a/d') }}", Result: `"../b/c"`,
		},
		{
			Name: "commonpath", Family: "paths", Call: commonPath,
			Doc:     "The longest path that all paths of a list begin with.",
			Example: "{{ ['/a/b/c', '/a/b/d'] | commonpath }}", Result: `"/a/b"`,
		},
	}
}

func pairOf(name string, f func(string) (string, string), doc, example, result string) Func {
	return Func{
		Name: name, Family: "paths", Doc: doc, Example: example, Result: result,
		Call: func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
			s, err := c.text(in)
			a, b := f(s)
			return value.ListOf(value.String(a), value.String(b)), err
		},
	}
}

func baseName(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

func dirName(s string) string {
	head := s[:strings.LastIndexByte(s, '/')+1]
	if trimmed := strings.TrimRight(head, "/"); trimmed != "" {
		return trimmed
	}
	return head
}

func splitExt(s string) (before, ext string) {
	name := baseName(s)
	i := strings.LastIndexByte(name, '.')
	if i < 0 || strings.Trim(name[:i], ".") == "" {
		return s, ""
	}
	return s[:len(s)-len(name)+i], name[i:]
}

// splitDrive cuts behind "C:" or behind \\host\share.
func splitDrive(s string) (drive, rest string) {
	p := strings.ReplaceAll(s, "/", `\`)
	if strings.HasPrefix(p, `\\`) && !strings.HasPrefix(p, `\\\`) {
		host := strings.IndexByte(p[2:], '\\')
		if host < 0 {
			return s, ""
		}
		share := strings.IndexByte(p[2+host+1:], '\\')
		if share < 0 {
			return s, ""
		}
		n := 2 + host + 1 + share
		return s[:n], s[n:]
	}
	if len(s) > 1 && s[1] == ':' {
		return s[:2], s[2:]
	}
	return "", s
}

func winBase(s string) string {
	_, rest := splitDrive(s)
	return rest[strings.LastIndexAny(rest, `\/`)+1:]
}

func winDir(s string) string {
	drive, rest := splitDrive(s)
	head := rest[:strings.LastIndexAny(rest, `\/`)+1]
	if trimmed := strings.TrimRight(head, `\/`); trimmed != "" {
		head = trimmed
	}
	return drive + head
}

func pathJoin(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.Is(value.StringKind) {
		return in, nil
	}
	parts, err := c.texts(in)
	if err != nil {
		return value.Null, err
	}
	start := 0
	for i, p := range parts {
		if strings.HasPrefix(p, "/") {
			start = i
		}
	}
	var joined []string
	for i, p := range parts[start:] {
		if i > 0 && !strings.HasSuffix(joined[len(joined)-1], "/") && parts[start+i-1] != "" {
			p = "/" + p
		}
		joined = append(joined, p)
	}
	return c.join(joined, "")
}

func relPath(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	if s == "" {
		return value.Null, errors.New("the path is empty")
	}
	to, from := path.Clean(s), path.Clean(a.Str("start"))
	if path.IsAbs(to) != path.IsAbs(from) {
		return value.Null, errors.New("needs two absolute or two relative paths")
	}
	x, y := segments(to), segments(from)
	for len(x) > 0 && len(y) > 0 && x[0] == y[0] {
		x, y = x[1:], y[1:]
	}
	if len(y) > 0 && y[0] == ".." {
		return value.Null, errors.New(`the way back from ".." is not known`)
	}
	up := strings.Repeat("../", len(y))
	return value.String(path.Clean(up + strings.Join(x, "/"))), nil
}

func segments(p string) []string {
	return strings.FieldsFunc(p, func(r rune) bool { return r == '/' })[skipDot(p):]
}

// skipDot drops the "." that stands for an empty relative path.
func skipDot(p string) int {
	if p == "." {
		return 1
	}
	return 0
}

func commonPath(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	paths, err := c.texts(in)
	if err != nil {
		return value.Null, err
	}
	if len(paths) == 0 {
		return value.Null, errEmpty("the common path")
	}
	abs := path.IsAbs(paths[0])
	common := segments(path.Clean(paths[0]))
	for _, p := range paths[1:] {
		if path.IsAbs(p) != abs {
			return value.Null, errors.New("cannot mix absolute and relative paths")
		}
		other := segments(path.Clean(p))
		n := 0
		for n < len(common) && n < len(other) && common[n] == other[n] {
			n++
		}
		common = common[:n]
	}
	return value.String(pick(abs, "/", "") + strings.Join(common, "/")), nil
}
