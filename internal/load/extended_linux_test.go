package load_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

const (
	accessList  = "system.posix_acl_access"
	defaultList = "system.posix_acl_default"
)

// acl is an access control list "user::rw-, user:12:rw-, group::---, mask::rw-, other::---". The
// mode of its file is 0660. The form is that of linux/posix_acl_xattr.h.
const acl = "\x02\x00\x00\x00" +
	"\x01\x00\x06\x00\xff\xff\xff\xff" + "\x02\x00\x06\x00\x0c\x00\x00\x00" + "\x04\x00\x00\x00\xff\xff\xff\xff" +
	"\x10\x00\x06\x00\xff\xff\xff\xff" + "\x20\x00\x00\x00\xff\xff\xff\xff"

// setAttribute sets an extended attribute, or skips the test if the file system has none.
func setAttribute(t *testing.T, path, name, text string) {
	t.Helper()
	err := syscall.Setxattr(path, name, []byte(text), 0)
	if errors.Is(err, syscall.ENOTSUP) || errors.Is(err, syscall.EPERM) {
		t.Skipf("%s: %v", name, err)
	}
	must(t, err)
}

func attribute(path, name string) string {
	buf := make([]byte, 1<<10)
	n, err := syscall.Getxattr(path, name, buf)
	if err != nil {
		return err.Error()
	}
	return string(buf[:n])
}

func mode(t *testing.T, path string) os.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	return info.Mode()
}

// warned returns a Config whose warnings are added to the result.
func warned(dir string) (load.Config, *[]string) {
	var all []string
	return load.Config{Dir: dir, Warn: func(d *source.Diagnostic) { all = append(all, d.Message) }}, &all
}

// Each way to write a file keeps access control list, other extended attributes and mode.
func TestExtendedAttributes(t *testing.T) {
	for rule, write := range map[string]func(*load.Files) error{
		"rewrite": func(f *load.Files) error { return f.RewriteAll(both()[:1]) },
		"replace": func(f *load.Files) error { return f.Replace("a.yaml", []byte("a: 2\n")) },
		"backup":  func(f *load.Files) error { return f.Backup("a.yaml", "a: 2\n") },
		"put back": func(f *load.Files) error {
			err := load.RewriteSteps(f, both(), failAt("rename", 2))
			if !strings.Contains(err.Error(), "put back: a.yaml") {
				return err
			}
			return nil
		},
	} {
		dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
		path := filepath.Join(dir, "a.yaml")
		setAttribute(t, path, "user.note", "kept")
		setAttribute(t, path, "user.empty", "")
		setAttribute(t, path, accessList, acl)
		c, warnings := warned(dir)
		must(t, write(load.New(c)))
		if rule == "backup" {
			path += ".bak"
		}
		if want := map[bool]string{false: "a: 2\n", true: "a: 1\n"}[rule == "put back"]; contents(path) != want {
			t.Errorf("%s: %q", rule, contents(path))
		}
		if got := attribute(path, accessList); got != acl {
			t.Errorf("%s: access control list %q", rule, got)
		}
		if mode(t, path) != 0o660 || attribute(path, "user.note") != "kept" || attribute(path, "user.empty") != "" || len(*warnings) > 0 {
			t.Errorf("%s: mode %v, attributes %q, %q, warnings %q", rule, mode(t, path), attribute(path, "user.note"), attribute(path, "user.empty"), *warnings)
		}
	}
}

// failAt makes the n-th step with a name fail.
func failAt(name string, n int) func(string) error {
	return func(step string) error {
		if step == name {
			if n--; n == 0 {
				return syscall.EIO
			}
		}
		return nil
	}
}

// If the access control list cannot be copied, the group has no permissions.
func TestExtendedAttributesLost(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	path := filepath.Join(dir, "a.yaml")
	setAttribute(t, path, "user.note", "lost")
	setAttribute(t, path, accessList, acl)
	c, warnings := warned(dir)
	must(t, load.RewriteSteps(load.New(c), both()[:1], func(step string) error {
		if step == "copy an extended attribute" {
			return syscall.ENOTSUP
		}
		return nil
	}))
	if mode(t, path) != 0o600 || attribute(path, accessList) == acl {
		t.Errorf("mode %v, list %q", mode(t, path), attribute(path, accessList))
	}
	all := strings.Join(*warnings, "\n")
	for _, words := range []string{"a.yaml lost extended attributes: user.note", "the access control list of a.yaml could not be copied: its mode is now 0600"} {
		if !strings.Contains(all, words) {
			t.Errorf("the warnings %q have no %q", all, words)
		}
	}
}

// A file without a list does not inherit that of its directory.
func TestExtendedAttributesInherited(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	path := filepath.Join(dir, "a.yaml")
	must(t, os.Chmod(path, 0o640))
	setAttribute(t, dir, defaultList, acl)
	c, warnings := warned(dir)
	must(t, load.New(c).RewriteAll(both()[:1]))
	if got := attribute(path, accessList); got != syscall.ENODATA.Error() || mode(t, path) != 0o640 || len(*warnings) > 0 {
		t.Errorf("list %q, mode %v, warnings %q", got, mode(t, path), *warnings)
	}
}
