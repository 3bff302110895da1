package filters

import (
	"errors"
	"fmt"
	"net/url"
	"path"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/value"
)

// pathFilters are functions of Python's os.path and ntpath with the names of Ansible's filters. They work on texts
// and know nothing of the system or its files: a path of Linux has slashes on Windows as well.
func pathFilters() []Func {
	return family("paths",
		onText("basename", baseName, "Returns the last part of a path.", "{{ '/etc/hosts.d/a' | basename }}", `"a"`),
		onText("dirname", dirName, "Returns a path without its last part.", "{{ '/etc/hosts.d/a' | dirname }}", `"/etc/hosts.d"`),
		onText("normpath", path.Clean, "Removes \".\", \"..\" and double slashes from a path.", "{{ '/a/./b/../c' | normpath }}", `"/a/c"`),
		onText("win_basename", winBase, "Returns the last part of a Windows path.", `{{ 'C:\\a\\b.txt' | win_basename }}`, `"b.txt"`),
		onText("win_dirname", winDir, "Returns a Windows path without its last part.", `{{ 'C:\\a\\b.txt' | win_dirname }}`, `"C:\\a"`),
		pairOf("splitext", splitExt, "Splits a path into [path, extension].", "{{ 'a/b.tar.gz' | splitext }}", `["a/b.tar", ".gz"]`),
		pairOf("win_splitdrive", splitDrive, "Splits a Windows path into [drive, path].", `{{ 'C:\\a' | win_splitdrive }}`, `["C:", "\\a"]`),
		row("path_join", "Joins a list of parts to a path; an absolute part discards the parts before it.",
			"{{ ['/etc', 'app', 'a.conf'] | path_join }}", `"/etc/app/a.conf"`, pathJoin),
		row("relpath", "Returns a path relative to a directory; both must be absolute or both relative.",
			"{{ '/a/b/c' | relpath('/a/d') }}", `"../b/c"`, with((*Ctx).text, relPath), opt("start", Text, value.String("."))),
		row("commonpath", "Returns the longest path that all paths of a list begin with.",
			"{{ ['/a/b/c', '/a/b/d'] | commonpath }}", `"/a/b"`, with((*Ctx).texts, commonPath)),
	)
}

func pairOf(name string, f func(string) (string, string), doc, example, result string) Func {
	return row(name, doc, example, result,
		func(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
			s, err := c.text(in)
			a, b := f(s)
			return value.ListOf(value.String(a), value.String(b)), err
		})
}

func baseName(s string) string { return s[strings.LastIndexByte(s, '/')+1:] }

// dirName is os.path.dirname: the directory has no slash at its end, unless it is nothing else.
func dirName(s string) string {
	head := s[:strings.LastIndexByte(s, '/')+1]
	if trimmed := strings.TrimRight(head, "/"); trimmed != "" {
		return trimmed
	}
	return head
}

// splitExt is os.path.splitext: dots at the beginning of a name make no extension, so .profile has none.
func splitExt(s string) (before, ext string) {
	name := baseName(s)
	i := strings.LastIndexByte(name, '.')
	if i < 0 || strings.Trim(name[:i], ".") == "" {
		return s, ""
	}
	return s[:len(s)-len(name)+i], name[i:]
}

// splitDrive splits a path after "C:" or \\host\share.
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

// winBase is ntpath.basename: both slashes separate, and a drive or \\host\share is no part.
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

// pathJoin is os.path.join of the items. A text is a path already.
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

// relPath is os.path.relpath without the working directory, which Python puts before relative paths: two relative
// paths are compared as they are, and a start that leads out with ".." has no answer.
func relPath(c *Ctx, s string, a Bound) (value.Value, error) {
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
		return value.Null, errors.New(`cannot leave a directory ".." whose name is unknown`)
	}
	up := strings.Repeat("../", len(y))
	return value.String(path.Clean(up + strings.Join(x, "/"))), nil
}

// segments returns the parts of a clean path; "." has none.
func segments(p string) []string {
	if p == "." {
		return nil
	}
	return strings.FieldsFunc(p, func(r rune) bool { return r == '/' })
}

// commonPath is os.path.commonpath, after "." and ".." are removed.
func commonPath(_ *Ctx, paths []string, _ Bound) (value.Value, error) {
	if len(paths) == 0 {
		return value.Null, errEmpty("common path")
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

// urlFilters follow Jinja (urlencode) and Ansible (urldecode, urlsplit). They quote as urllib.parse of Python.
func urlFilters() []Func {
	return family("urls",
		row("urlencode", "Quotes a text for a URL, or converts a map or list of pairs to a query string.",
			"{{ {'x': 1, 'y': 'a b'} | urlencode }}", `"x=1&y=a+b"`, urlEncode),
		onText("urldecode", urlDecode, "Replaces escapes such as %20 in a text, and + by a blank.", "{{ 'p%20q+r' | urldecode }}", `"p q r"`),
		row("urlsplit", "Splits a URL into a map of its parts, or returns one of them: scheme, netloc, hostname, port, username, password, path, query, fragment.",
			"{{ 'https://u@h.org:8443/p?x=1#f' | urlsplit('hostname') }}", `"h.org"`,
			with((*Ctx).text, urlSplit), opt("query", Text, value.String(""))),
	)
}

// percentEncode escapes all bytes but letters, digits, _.-~ and those in safe.
func percentEncode(s, safe string) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		if c < 0x80 && (isWordRune(rune(c)) || strings.IndexByte(".-~", c) >= 0 || strings.IndexByte(safe, c) >= 0) {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func quotePlus(s string) string { return strings.ReplaceAll(percentEncode(s, " "), " ", "+") }

// urlEncode is Jinja's urlencode: a text keeps its slashes; in the keys and values of a query they are escaped,
// and blanks are +.
func urlEncode(c *Ctx, in value.Value, _ Bound) (value.Value, error) {
	if in.IsScalar() {
		s, err := c.text(in)
		return value.String(percentEncode(s, "/")), err
	}
	pairs, err := c.pairs(in)
	if err != nil {
		return value.Null, err
	}
	parts, err := convert(pairs, func(p [2]value.Value) (string, error) {
		texts, err := convert(p[:], c.text)
		if err != nil {
			return "", err
		}
		return quotePlus(texts[0]) + "=" + quotePlus(texts[1]), nil
	})
	if err != nil {
		return value.Null, err
	}
	return c.join(parts, "&")
}

// urlDecode replaces escapes. Text that looks like an escape and is not stays; bytes that
// are not UTF-8 become U+FFFD.
func urlDecode(s string) string {
	s = strings.ReplaceAll(s, "+", " ")
	if out, err := url.PathUnescape(s); err == nil {
		return strings.ToValidUTF8(out, "\uFFFD")
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(n))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD")
}

func urlSplit(c *Ctx, s string, a Bound) (value.Value, error) {
	parts, err := splitURL(s)
	if err != nil || a.Str("query") == "" {
		return value.FromMap(parts), err
	}
	v, ok, _ := parts.Get(value.K(a.Str("query")))
	if !ok {
		return value.Null, fmt.Errorf("unknown part %q of a URL", a.Str("query"))
	}
	return v, nil
}

// splitURL is urllib.parse.urlsplit: it cuts off the fragment, the query, the scheme and the host, in this order, and
// checks little: "a:b" is a scheme with a path. Parts that are missing are empty, parts of the host null.
func splitURL(s string) (*value.Dict, error) {
	m := value.NewMap(9)
	s = strings.TrimLeftFunc(s, func(r rune) bool { return r <= ' ' })
	rest, fragment, _ := strings.Cut(s, "#")
	rest, query, _ := strings.Cut(rest, "?")
	scheme := ""
	if i := strings.IndexByte(rest, ':'); i > 0 && isScheme(rest[:i]) {
		scheme, rest = strings.ToLower(rest[:i]), rest[i+1:]
	}
	netloc := ""
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		i := strings.IndexByte(after, '/')
		if i < 0 {
			i = len(after)
		}
		netloc, rest = after[:i], after[i:]
	}
	host, err := splitNetloc(netloc)
	if err != nil {
		return nil, err
	}
	for _, part := range []value.Named{
		{Name: "fragment", Value: value.String(fragment)}, {Name: "hostname", Value: host.name}, {Name: "netloc", Value: value.String(netloc)},
		{Name: "password", Value: host.password}, {Name: "path", Value: value.String(rest)}, {Name: "port", Value: host.port},
		{Name: "query", Value: value.String(query)}, {Name: "scheme", Value: value.String(scheme)}, {Name: "username", Value: host.user},
	} {
		m.Set(value.K(part.Name), part.Value)
	}
	return m, nil
}

func isScheme(s string) bool {
	for i, r := range s {
		letter := r|0x20 >= 'a' && r|0x20 <= 'z'
		if !letter && (i == 0 || !(r >= '0' && r <= '9' || strings.ContainsRune("+-.", r))) {
			return false
		}
	}
	return true
}

// A urlHost has the parts of the netloc of a URL; missing ones are null.
type urlHost struct{ name, port, user, password value.Value }

// splitNetloc splits user:password@host:port. The last "@" ends the user, since a password may have one; brackets
// enclose an IPv6 address.
func splitNetloc(netloc string) (h urlHost, err error) {
	host := netloc
	if i := strings.LastIndexByte(netloc, '@'); i >= 0 {
		user, password, ok := strings.Cut(netloc[:i], ":")
		h.user, host = value.String(user), netloc[i+1:]
		if ok {
			h.password = value.String(password)
		}
	}
	port := ""
	if inner, after, ok := strings.Cut(strings.TrimPrefix(host, "["), "]"); ok && strings.HasPrefix(host, "[") {
		host, port = inner, strings.TrimPrefix(after, ":")
	} else {
		host, port, _ = strings.Cut(host, ":")
	}
	if host != "" {
		h.name = value.String(strings.ToLower(host))
	}
	if port == "" {
		return h, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil {
		return h, fmt.Errorf("the port %q is not a number from 0 to 65535", port)
	}
	h.port = value.Int(int64(n))
	return h, nil
}
