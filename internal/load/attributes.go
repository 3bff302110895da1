package load

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// Attributes are the properties of a file that its replacement takes over: owner, permissions
// and extended attributes, which include the access control list on Linux.
type attributes struct {
	info     fs.FileInfo
	extended map[string]string // by name
	links    int               // hard links
	unread   bool              // the extended attributes cannot be read
}

// attributesOf returns the attributes of an open file.
func attributesOf(file *os.File) (*attributes, error) {
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	a := &attributes{info: info, links: linksOf(file, info)}
	a.extended, err = extendedOf(file)
	a.unread = err != nil
	return a, nil
}

// specialBits are the bits of a mode that let programs run with the rights of the owner or the
// group of a file.
const specialBits = fs.ModeSetuid | fs.ModeSetgid

// takeOver gives the file the attributes of old, as far as the system permits: only root can
// change the owner. The order matters, so that at no time more users can read the file than old:
//
//	owner         clears setuid and setgid bits
//	extended      the access control list sets the permissions of the group as well
//	permissions   without the group's if the list could not be copied
//
// With an access control list, the permissions of the group in a mode are those that its entries
// have at most: 0660 with the list "user:ann:rw-, group::---" would give the group access if the
// list were lost.
func (t *tempFile) takeOver(old *attributes) error {
	if err := t.step("take over the owner"); err != nil {
		return err
	}
	t.keepOwner(old.info)
	if err := t.step("take over the extended attributes"); err != nil {
		return err
	}
	missing, restricted := t.copyExtended(old)
	if len(missing) > 0 {
		t.lose("%%s lost extended attributes: %s", strings.Join(missing, ", "))
	}
	if err := t.step("take over the permissions"); err != nil {
		return err
	}
	before := old.info.Mode() & (fs.ModePerm | specialBits)
	mode := t.permissions(old.info)
	if restricted {
		mode &^= 0o070
		t.lose("the access control list of %%s could not be copied: its mode is now %04o, without permissions of the group", mode.Perm())
	} else if mode.Perm() != before.Perm() {
		t.lose("the group of %%s could not be kept: its mode is now %04o, not %04o", mode.Perm(), before.Perm())
	}
	now, err := t.setMode(mode)
	if err == nil && now&specialBits != before&specialBits {
		t.lose("%%s lost its setuid or setgid bit")
	}
	return err
}

// setMode sets the mode and returns the one that the system has set. A system may refuse setuid
// and setgid bits, or ignore them. It does not set a mode that is set already, since setting it
// changes some kinds of access control lists.
func (t *tempFile) setMode(mode fs.FileMode) (fs.FileMode, error) {
	info, err := t.file.Stat()
	if err != nil {
		return 0, err
	}
	if info.Mode()&(fs.ModePerm|specialBits) == mode {
		return mode, nil
	}
	if err = t.root.Chmod(t.rel, mode); err != nil && mode&specialBits != 0 {
		err = t.root.Chmod(t.rel, mode.Perm())
	}
	if err == nil {
		info, err = t.file.Stat()
	}
	if err != nil {
		return 0, err
	}
	return info.Mode(), nil
}

// copyExtended copies the extended attributes of old. It returns the names of those that could
// not be copied, and whether an access control list is among them.
func (t *tempFile) copyExtended(old *attributes) (missing []string, restricted bool) {
	now, err := extendedOf(t.file)
	if old.unread || err != nil {
		return nil, true
	}
	for _, name := range slices.Sorted(maps.Keys(old.extended)) {
		text := old.extended[name]
		if was, ok := now[name]; ok && was == text || isOfContent(name) {
			continue
		}
		switch err := t.step("copy an extended attribute"); {
		case err == nil && setExtended(t.file, name, text) == nil:
		case isAccessList(name):
			restricted = true
		default:
			missing = append(missing, name)
		}
	}
	// A list that the new file inherited from its directory would let others read it.
	for name := range now {
		if _, ok := old.extended[name]; !ok && isAccessList(name) && removeExtended(t.file, name) != nil {
			restricted = true
		}
	}
	return missing, restricted
}

// isAccessList reports whether an extended attribute of Linux decides which users may read a file.
func isAccessList(name string) bool {
	return slices.Contains([]string{"system.posix_acl_access", "system.nfs4_acl", "system.richacl"}, name)
}

// isOfContent reports whether the system derives an extended attribute from the content of a
// file, or from the program that wrote it.
func isOfContent(name string) bool {
	return slices.Contains([]string{"security.ima", "security.evm", "com.apple.provenance"}, name)
}

// lose records a property that the new file does not have. The result of formatting is a format itself, so that
// %%s in format becomes the %s for the name of the file.
func (t *tempFile) lose(format string, args ...any) {
	t.lost = append(t.lost, fmt.Sprintf(format, args...))
}

// tellLost passes the warnings of lostOf to Config.Warn.
func (f *Files) tellLost(shown string, t *tempFile, old *attributes) {
	if f.config.Warn == nil || t == nil {
		return
	}
	for _, d := range t.lostOf(shown, old) {
		f.config.Warn(d)
	}
}

// lostOf returns a warning for each property that the new file t of old does not have, old's other hard
// links included. Messages call the file shown.
func (t *tempFile) lostOf(shown string, old *attributes) []*source.Diagnostic {
	var all []*source.Diagnostic
	for _, format := range t.lost {
		all = append(all, source.Warnf(source.Span{}, source.Access, format, shown))
	}
	if old != nil && old.links > 1 {
		all = append(all, source.Warnf(source.Span{}, source.Access, "%s had %d hard links: the other names keep the old text", shown, old.links).
			WithHint("ln -f %s OTHER links another name to the new file", shown))
	}
	return all
}

// openAttributes returns the attributes of the regular file p.
func (p sandboxFile) openAttributes() (*attributes, error) {
	if _, err := p.regular(); err != nil {
		return nil, err
	}
	file, err := p.root.OpenFile(p.rel, os.O_RDONLY|nonBlocking, 0)
	if err != nil {
		return nil, err
	}
	a, err := attributesOf(file)
	return a, errors.Join(err, file.Close())
}
