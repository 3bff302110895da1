package expr

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// EnvTests describes the tests that ask for files. The pure ones are in the [Library].
func EnvTests() []Doc { return envTests.docs() }

// An envTest is a test of files with a number of further files. A file that does not exist is nil.
type envTest struct {
	holds  func(files []fs.FileInfo) bool
	others int
	follow bool // links
	mount  bool
}

// envTests are tests that Ansible has. A name without a file is false. Relative names are
// below the directory of the document, and the sandbox applies, as for all files.
var envTests = table[envTest]{
	{Doc{"exists", "whether there is a file or directory of this name", "'conf/x.txt' is exists", "false"}, envTest{follow: true, holds: isThere}},
	{Doc{"file", "whether the name is that of a file", "'conf' is file", "false"}, envTest{follow: true, holds: isRegular}},
	{Doc{"is_file", "the same as file", "'conf' is is_file", "false"}, envTest{follow: true, holds: isRegular}},
	{Doc{"directory", "whether the name is that of a directory", "'.' is directory", "true"}, envTest{follow: true, holds: isDirectory}},
	{Doc{"is_dir", "the same as directory", "'.' is is_dir", "true"}, envTest{follow: true, holds: isDirectory}},
	{Doc{"link", "whether the name is that of a symbolic link", "'conf' is link", "false"}, envTest{holds: isLink}},
	{Doc{"is_link", "the same as link", "'conf' is is_link", "false"}, envTest{holds: isLink}},
	{Doc{"link_exists", "whether the name exists, also as a link that leads nowhere", "'conf' is link_exists", "false"}, envTest{holds: isThere}},
	{Doc{"mount", "whether the name is that of the root of a file system", "'.' is mount", "false"}, envTest{mount: true}},
	{Doc{"is_mount", "the same as mount", "'.' is is_mount", "false"}, envTest{mount: true}},
	{Doc{"same_file", "whether two names are those of one file", "'.' is same_file('./')", "true"}, envTest{follow: true, others: 1, holds: isSameFile}},
	{Doc{"is_same_file", "the same as same_file", "'.' is is_same_file('./')", "true"}, envTest{follow: true, others: 1, holds: isSameFile}},
}

func isThere(f []fs.FileInfo) bool     { return f[0] != nil }
func isRegular(f []fs.FileInfo) bool   { return f[0] != nil && f[0].Mode().IsRegular() }
func isDirectory(f []fs.FileInfo) bool { return f[0] != nil && f[0].IsDir() }
func isLink(f []fs.FileInfo) bool      { return f[0] != nil && f[0].Mode()&fs.ModeSymlink != 0 }
func isSameFile(f []fs.FileInfo) bool  { return os.SameFile(f[0], f[1]) }

// askFile applies a test of files.
func (c *caller) askFile(name string, t envTest, in value.Value, args value.Args) (value.Value, error) {
	if err := c.count("test", name, t.others, nil, args); err != nil {
		return value.False, err
	}
	files := make([]fs.FileInfo, 1+t.others)
	for i, v := range append([]value.Value{in}, args.Pos...) {
		file, known, err := c.fileName(name, v)
		if err == nil && known && t.mount {
			is, err := c.host().IsMount(file, c.s.Base)
			return value.Bool(is), err
		}
		if err == nil && known {
			files[i], err = c.host().Stat(file, c.s.Base, t.follow)
		}
		if err == nil && t.others > 0 && files[i] == nil {
			err = source.Errorf(c.at, source.Access, "test %q: there is no file %q", name, file)
		}
		if err != nil {
			return value.False, err
		}
	}
	return value.Bool(!t.mount && t.holds(files)), nil
}

// fileName returns the name of a file that a test asks for; known is false if no file can have it.
func (c *caller) fileName(test string, name value.Value) (file string, known bool, err error) {
	if err := Raise(name); err != nil {
		return "", false, err
	}
	if !name.Is(value.StringKind) {
		return "", false, source.Errorf(c.at, source.BadType, "test %q needs the name of a file, not %s", test, value.Article(name.Kind()))
	}
	return name.Str(), name.Str() != "" && !strings.ContainsRune(name.Str(), 0), nil
}

// count returns an error if a filter or test of this package has more arguments by position than most, or
// arguments by name that named does not list. A test needs all arguments by position.
func (c *caller) count(kind, name string, most int, named []string, args value.Args) error {
	if n := len(args.Pos); n > most || kind == "test" && n < most {
		want := fmt.Sprintf("at most %d arguments", most)
		switch {
		case most == 0:
			want = "no arguments"
		case kind == "test":
			want = "1 argument"
		}
		return source.Errorf(c.at, source.BadValue, "%s %q: takes %s, got %d", kind, name, want, n)
	}
	for _, a := range args.Named {
		if !slices.Contains(named, a.Name) {
			d := source.Errorf(c.at, source.BadValue, "%s %q: unknown argument %q", kind, name, a.Name)
			if len(named) == 0 {
				return d.WithHint("it takes none by name")
			}
			return d.DidYouMean(a.Name, slices.Values(named))
		}
	}
	return nil
}

// realpathFilter returns the path of a file without links.
func realpathFilter(c caller, in value.Value, _ value.Args) (value.Value, error) {
	name, err := c.text(in, "realpath")
	if err != nil {
		return value.Null, err
	}
	if strings.ContainsRune(name, 0) {
		return value.Null, source.Errorf(c.at, source.BadValue, "%q is no name of a file", name)
	}
	path, err := c.host().RealPath(name, c.s.Base)
	return value.String(filepath.Clean(path)).Verbatim(), err
}

// HasFilter reports whether there is a filter of a name.
func (c *caller) HasFilter(name string) bool {
	_, ok := envFilters().find(name)
	return ok || c.s.Env.Library().HasFilter(name)
}

// HasTest reports whether there is a test of a name.
func (c *caller) HasTest(name string) bool { return hasTest(c.s.Env.Library(), name) }

func hasTest(lib Library, name string) bool {
	_, ok := envTests.find(name)
	return ok || lib.HasTest(name)
}
