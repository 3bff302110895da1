//go:build unix

package load_test

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

func TestOpenPipe(t *testing.T) {
	dir := tree(t, nil)
	must(t, syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666))
	done := make(chan error, 1)
	go func() {
		_, err := load.New(load.Config{Dir: dir}).Open("pipe", "")
		done <- err
	}()
	select {
	case err := <-done:
		wants(t, "pipe", err, source.Access, "pipe", `"-"`)
	case <-time.After(2 * time.Second):
		t.Fatal("Open of a pipe hangs")
	}
}

// A named pipe that the process was started with is read to its end, also if its writers have ended.
func TestOpenDescriptorOfPipe(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("elsewhere /dev/fd/3 is the descriptor itself")
	}
	path := filepath.Join(tree(t, nil), "pipe")
	must(t, syscall.Mkfifo(path, 0o666))
	r, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	must(t, err)
	defer r.Close()
	w, err := os.OpenFile(path, os.O_WRONLY, 0)
	must(t, err)
	_, err = w.WriteString("a: 1\n")
	must(t, errors.Join(err, w.Close()))
	done := make(chan error, 1)
	go func() {
		f, err := load.New(load.Config{}).Open(fmt.Sprint("/dev/fd/", r.Fd()), "")
		if err == nil && f.Text != "a: 1\n" {
			err = fmt.Errorf("read %q", f.Text)
		}
		done <- err
	}()
	select {
	case err := <-done:
		must(t, err)
	case <-time.After(2 * time.Second):
		t.Fatal("Open of a pipe without writers hangs")
	}
}

// nobody is the id of a user without files.
const nobody = 65534

// unprivileged returns a command that runs one test of this program without root's
// privileges: as another user if this one is root.
func unprivileged(t *testing.T, task string) *exec.Cmd {
	t.Helper()
	c := child(t, task)
	if os.Getuid() != 0 {
		return c
	}
	shared, err := os.MkdirTemp("", "yaytpl-test")
	must(t, err)
	t.Cleanup(func() { must(t, os.RemoveAll(shared)) })
	must(t, os.Chmod(shared, 0o755))
	from, err := os.Open(c.Path)
	must(t, err)
	defer from.Close()
	c.Path = filepath.Join(shared, "program")
	to, err := os.OpenFile(c.Path, os.O_WRONLY|os.O_CREATE, 0o755)
	must(t, err)
	_, err = io.Copy(to, from)
	must(t, err)
	must(t, to.Close())
	c.Dir = shared
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	return c
}

// reachable lets all users search the directories above a file, and changes the owner of the
// files in its directory to the user of unprivileged.
func reachable(t *testing.T, dir string) {
	t.Helper()
	for up := filepath.Dir(dir); up != os.TempDir() && len(up) > len(os.TempDir()); up = filepath.Dir(up) {
		must(t, os.Chmod(up, 0o755))
	}
	if os.Getuid() != 0 {
		return
	}
	must(t, filepath.Walk(dir, func(path string, _ os.FileInfo, err error) error {
		must(t, err)
		return os.Lchown(path, nobody, nobody)
	}))
}

// The system refuses to write one of two files: neither is written.
func TestRewritePermissions(t *testing.T) {
	if task := os.Getenv(childVariable); task != "" {
		rule, dir, _ := strings.Cut(task, " ")
		err := load.New(load.Config{Dir: dir}).RewriteAll([]load.Rewrite{
			{Name: "a.yaml", Old: "a: 1\n", New: "a: 2\n"}, {Name: "sub/b.yaml", Old: "b: 1\n", New: "b: 2\n"},
		})
		wants(t, rule, err, source.Access, "cannot write sub/b.yaml: permission denied")
		return
	}
	for rule, mode := range map[string]struct{ dir, file os.FileMode }{
		"file":      {0o755, 0o444},
		"directory": {0o555, 0o644},
		"both":      {0o555, 0o444},
	} {
		dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "sub/b.yaml": "b: 1\n"})
		reachable(t, dir)
		must(t, os.Chmod(filepath.Join(dir, "sub/b.yaml"), mode.file))
		must(t, os.Chmod(filepath.Join(dir, "sub"), mode.dir))
		if out, err := unprivileged(t, rule+" "+dir).CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", rule, err, out)
		}
		must(t, os.Chmod(filepath.Join(dir, "sub"), 0o755))
		if a, b := contents(filepath.Join(dir, "a.yaml")), contents(filepath.Join(dir, "sub/b.yaml")); a != "a: 1\n" || b != "b: 1\n" {
			t.Errorf("%s: wrote %q and %q", rule, a, b)
		}
		if left := append(leftovers(t, dir), leftovers(t, filepath.Join(dir, "sub"))...); left != nil {
			t.Errorf("%s: left: %v", rule, left)
		}
	}
}

// In a directory such as /tmp files of other users can be written and not replaced. That
// fails after the first file is renamed, so the first file is put back.
func TestRewriteStickyDirectory(t *testing.T) {
	if dir := os.Getenv(childVariable); dir != "" {
		err := load.New(load.Config{Dir: dir}).RewriteAll([]load.Rewrite{
			{Name: "a.yaml", Old: "a: 1\n", New: "a: 2\n"}, {Name: "sub/b.yaml", Old: "b: 1\n", New: "b: 2\n"},
		})
		wants(t, "sticky", err, source.Access, "cannot write sub/b.yaml: operation not permitted; put back: a.yaml")
		return
	}
	if os.Getuid() != 0 {
		t.Skip("only root can make files of two users")
	}
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "sub/b.yaml": "b: 1\n"})
	reachable(t, dir)
	must(t, os.Chown(filepath.Join(dir, "sub/b.yaml"), 0, 0))
	must(t, os.Chmod(filepath.Join(dir, "sub/b.yaml"), 0o666))
	must(t, os.Chown(filepath.Join(dir, "sub"), 0, 0))
	must(t, os.Chmod(filepath.Join(dir, "sub"), 0o777|os.ModeSticky))
	if out, err := unprivileged(t, dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if a, b := contents(filepath.Join(dir, "a.yaml")), contents(filepath.Join(dir, "sub/b.yaml")); a != "a: 1\n" || b != "b: 1\n" {
		t.Errorf("wrote %q and %q", a, b)
	}
	if left := append(leftovers(t, dir), leftovers(t, filepath.Join(dir, "sub"))...); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// New files are not made in a directory that another user has prepared for that. The owner of the directory around it
// may do everything there.
func TestTreeStageOfAnotherUser(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	for _, tt := range []struct {
		stage    string
		owner    int // of the directory in which the stage is
		messages []string
	}{
		{".yaytpl-new-out", 0, []string{"cannot write out: .yaytpl-new-out belongs to another user"}},
		{"out/.yaytpl-new", 0, []string{"cannot write out/.yaytpl-new: .yaytpl-new belongs to another user"}},
		{".yaytpl-new-out", nobody, nil},
		{"out/.yaytpl-new", nobody, nil},
	} {
		dir := tree(t, nil)
		stage := filepath.Join(dir, tt.stage)
		must(t, os.MkdirAll(stage, 0o777))
		must(t, os.Chown(stage, nobody, nobody))
		must(t, os.Chown(filepath.Dir(stage), tt.owner, tt.owner))
		out := load.New(load.Config{Dir: dir}).Tree("out")
		err := out.Put("a.yaml", "a: 1\n", false)
		if err == nil {
			err = load.CommitTrees([]*load.Tree{out})
		}
		out.Close()
		if tt.messages == nil {
			must(t, err)
		} else {
			wants(t, tt.stage, err, source.Access, tt.messages...)
		}
		if _, err := os.Lstat(stage); (err == nil) != (tt.messages != nil) {
			t.Errorf("%s: %v", tt.stage, err)
		}
	}
}

// Root keeps the owner; a user who may not set the group of a file gets a new file whose
// group has the permissions of others.
func TestRewriteOwner(t *testing.T) {
	if dir := os.Getenv(childVariable); dir != "" {
		must(t, load.New(load.Config{Dir: dir}).RewriteAll(both()[:1]))
		return
	}
	if os.Getuid() != 0 {
		t.Skip("only root can give files away")
	}
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
	for _, name := range []string{"a.yaml", "b.yaml"} {
		must(t, os.Chown(filepath.Join(dir, name), 12, 34))
		must(t, os.Chmod(filepath.Join(dir, name), 0o664))
	}
	must(t, load.New(load.Config{Dir: dir}).RewriteAll(both()[1:]))
	owned(t, filepath.Join(dir, "b.yaml"), 12, 34, 0o664)

	reachable(t, dir)
	must(t, os.Chown(filepath.Join(dir, "a.yaml"), nobody, 34))
	if out, err := unprivileged(t, dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	owned(t, filepath.Join(dir, "a.yaml"), nobody, nobody, 0o644)
}

func owned(t *testing.T, path string, uid, gid uint32, mode os.FileMode) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || stat.Uid != uid || stat.Gid != gid || info.Mode() != mode {
		t.Errorf("%s belongs to %d:%d with mode %v, want %d:%d with %v", path, stat.Uid, stat.Gid, info.Mode(), uid, gid, mode)
	}
}

// The system writes only a part of the new text and refuses the rest, as with a full disk.
func TestRewriteNoRoom(t *testing.T) {
	list := large()
	if dir := os.Getenv(childVariable); dir != "" {
		signal.Ignore(syscall.SIGXFSZ)
		must(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: 1_700_000, Max: 1_700_000}))
		wants(t, "no room", load.New(load.Config{Dir: dir}).RewriteAll(list), source.Access, "cannot write a.yaml: file too large")
		return
	}
	dir := written(t, list)
	if out, err := child(t, dir).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if got := state(t, dir, list); got != "old old" {
		t.Error(got)
	}
	if left := leftovers(t, dir); left != nil {
		t.Errorf("left behind: %v", left)
	}
}

// A file that is not regular is neither replaced nor opened.
func TestRewriteSpecialFiles(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	must(t, syscall.Mkfifo(filepath.Join(dir, "b.yaml"), 0o666))
	err := load.New(load.Config{Dir: dir}).RewriteAll(both())
	wants(t, "pipe", err, source.Access, "cannot write b.yaml: it is a pipe, not a regular file")
	if runtime.GOOS == "linux" {
		err := load.New(load.Config{Dir: dir}).RewriteAll([]load.Rewrite{{Name: "/dev/null", New: "x"}})
		wants(t, "device", err, source.Access, "cannot write /dev/null: it is a device, not a regular file")
	}
	if got := contents(filepath.Join(dir, "a.yaml")); got != "a: 1\n" {
		t.Errorf("wrote %q", got)
	}
}

// The bits setuid and setgid are kept, and the split of hard links is reported.
func TestRewriteSpecialBits(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n", "b.yaml": "b: 1\n"})
	a, b := filepath.Join(dir, "a.yaml"), filepath.Join(dir, "b.yaml")
	must(t, os.Chmod(a, 0o750|os.ModeSetuid|os.ModeSetgid))
	must(t, os.Link(b, b+".link"))
	must(t, os.Link(b, b+".other"))
	var warnings []string
	warn := func(d *source.Diagnostic) { warnings = append(warnings, string(d.Code)+" "+d.Message) }
	f := load.New(load.Config{Dir: dir, Warn: warn})
	must(t, f.RewriteAll(both()))
	info, err := os.Stat(a)
	must(t, err)
	if info.Mode() != 0o750|os.ModeSetuid|os.ModeSetgid {
		t.Errorf("mode %v", info.Mode())
	}
	want := []string{"access b.yaml had 3 hard links: the other names keep the old text"}
	if !slices.Equal(warnings, want) {
		t.Errorf("warnings %q, want %q", warnings, want)
	}
	must(t, f.Replace("b.yaml.link", []byte("c: 1\n")))
	must(t, f.Backup("b.yaml.other", "b: 1\n"))
	if len(warnings) != 2 || !strings.Contains(warnings[1], "b.yaml.link had 2 hard links") {
		t.Errorf("warnings %q", warnings)
	}
}

// A link that leads nowhere is neither replaced nor written through, and messages say where it leads.
func TestDeadLink(t *testing.T) {
	dir := tree(t, map[string]string{"a.yaml": "a: 1\n"})
	link := filepath.Join(dir, "dead.yaml")
	must(t, os.Symlink("gone.yaml", link))
	f := load.New(load.Config{Dir: dir})
	const why = "it is a link to gone.yaml, which does not exist"
	wants(t, "Replace", f.Replace("dead.yaml", []byte("a: 2\n")), source.Access, why)
	_, err := f.Bytes("dead.yaml")
	wants(t, "Bytes", err, source.Access, "no such file: dead.yaml")
	if hint := source.AsDiagnostic(err, source.Span{}, source.Internal).Hint; hint != why {
		t.Errorf("hint %q", hint)
	}
	if _, err = f.Open("dead.yaml", ""); source.AsDiagnostic(err, source.Span{}, source.Internal).Hint != why {
		t.Errorf("Open: %v", err)
	}
	_, err = f.Tree(dir).State("dead.yaml", "a: 1\n", false)
	wants(t, "State", err, source.Output, why)
	if target, err := os.Readlink(link); target != "gone.yaml" {
		t.Errorf("the link leads to %q, %v", target, err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "gone.yaml")); err == nil {
		t.Error("the target was made")
	}
}

// A .git of a stranger makes no repository, and so no root.
func TestForeignRepository(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only the superuser gives files to others")
	}
	dir := tree(t, map[string]string{"repo/.git/HEAD": "", "repo/a/b.yaml": "", "other/c.yaml": ""})
	roots := func() string {
		f := load.New(load.Config{Dir: filepath.Join(dir, "other")})
		root, err := filepath.Rel(dir, load.DefaultRoots(f, []string{filepath.Join(dir, "repo/a/b.yaml")})[0])
		must(t, err)
		return root
	}
	own := func(uid int, names ...string) {
		t.Helper()
		for _, name := range names {
			must(t, os.Chown(filepath.Join(dir, name), uid, -1))
		}
	}
	if got := roots(); got != "repo" {
		t.Errorf("the root is %s", got)
	}
	own(12345, "repo/.git")
	if got := roots(); got != "repo/a" {
		t.Errorf("the root is %s, and .git is of a stranger", got)
	}
	found, err := load.FindAbove(filepath.Join(dir, "repo/a"), "none.yaml", dir, 1, nil)
	must(t, err)
	if len(found.Absent) != 3 {
		t.Errorf("the search ends at the .git of a stranger: %q", found.Absent)
	}
	own(12345, "repo", "repo/a")
	if got := roots(); got != "repo" {
		t.Errorf("the root is %s, and all is of one owner", got)
	}
}
