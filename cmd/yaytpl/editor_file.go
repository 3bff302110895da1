package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// ownComment begins the lines at the top of an edited document that are not part of it.
const ownComment = "#>"

// An editorFile is the document that the editor opens, alone in a directory that nobody
// else can read: what the editor leaves beside it goes with it.
type editorFile struct {
	dir, path string
	text      string // the document, before it was edited
	secret    bool   // it holds decrypted text, or what is hidden elsewhere
}

// newEditorFile writes a document into a file with the name of the one that it came
// from. What is secret is kept in memory where the system has a directory for that.
func (a *app) newEditorFile(name, ending, head, text string, secret bool) (*editorFile, error) {
	dir, err := a.privateDir(secret)
	if err != nil {
		return nil, cannotKeep(err)
	}
	base := filepath.Base(name)
	base = strings.TrimSuffix(base, filepath.Ext(base))
	f := &editorFile{dir: dir, path: filepath.Join(dir, base+".edited"+ending), text: text, secret: secret}
	if err := os.WriteFile(f.path, []byte(head+text), 0o600); err != nil {
		f.remove()
		return nil, cannotKeep(err)
	}
	return f, nil
}

func cannotKeep(err error) error {
	d := source.Errorf(source.Span{}, source.Access, "the document cannot be written for the editor: %v", err)
	d.Cause = err
	return d
}

// privateDir makes a directory for one file.
func (a *app) privateDir(secret bool) (string, error) {
	const pattern = "yaytpl-edit-"
	if secret {
		for _, in := range a.memoryDirs() {
			if dir, err := os.MkdirTemp(in, pattern); err == nil {
				return dir, nil
			}
		}
	}
	return os.MkdirTemp("", pattern)
}

// memoryDirs returns the directories of the system that are not on a disk.
func (a *app) memoryDirs() []string {
	var dirs []string
	if runtime.GOOS != "linux" {
		return nil
	}
	if dir, _ := a.getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		dirs = append(dirs, dir)
	}
	return append(dirs, "/dev/shm")
}

// read returns the document as it is now. The lines of ours at its top are empty, so
// that places in it are those of the file.
func (f *editorFile) read() (*source.File, error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		d := source.Errorf(source.Span{}, source.Access, "the edited document cannot be read: %v", err)
		d.Cause = err
		return nil, d
	}
	breaks, document := cutOwnLines(string(text))
	edited := source.NewFile(f.path, breaks+document)
	edited.Secret = f.secret
	return edited, nil
}

// isUntouched reports whether the document is what it was, or nothing any more.
func (f *editorFile) isUntouched() bool {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return os.IsNotExist(err)
	}
	_, now := cutOwnLines(string(text))
	return now == f.text || strings.TrimSpace(now) == ""
}

func (f *editorFile) remove() { _ = os.RemoveAll(f.dir) }

// cutOwnLines returns the line breaks of the lines at the top of a text that begin with
// [ownComment], and the text below them.
func cutOwnLines(text string) (breaks, document string) {
	var b strings.Builder
	for strings.HasPrefix(text, ownComment) {
		line, rest, ended := strings.Cut(text, "\n")
		if text = rest; !ended {
			break
		}
		if strings.HasSuffix(line, "\r") {
			b.WriteByte('\r')
		}
		b.WriteByte('\n')
	}
	return b.String(), text
}
