package load

import (
	"crypto/rand"
	"encoding/binary"
	"os"
	"path/filepath"
	"time"

	"github.com/yaytpl/yaytpl/source"
)

// A Host is the world outside a document as its expressions see it, inside the
// sandbox of its run.
type Host struct {
	files          *Files
	docDir, srcDir string
}

// Host returns the host for expressions that stand in a file of srcDir, in a
// document of docDir. Each is a directory or the URL of one; the empty string is
// the working directory.
func (f *Files) Host(docDir, srcDir string) *Host {
	return &Host{f, f.Absolute(docDir), f.Absolute(srcDir)}
}

func (h *Host) base(base string) string {
	if base == "" {
		return h.docDir
	}
	return base
}

// Getenv returns an environment variable, and false if it is unset or hidden.
func (h *Host) Getenv(name string) (string, bool) { return h.files.getenv(name) }

// Environ returns the names of all visible variables, sorted.
func (h *Host) Environ() []string { return h.files.environ() }

// ReadFile reads a file as [Files.Open] does. An empty base is the directory of the
// document.
func (h *Host) ReadFile(name, base string) (*source.File, error) {
	return h.files.Open(name, h.base(base))
}

// Get reads a URL. Codes: those of [Files.Open].
func (h *Host) Get(url string) (*source.File, error) {
	if !hasScheme(url) {
		return nil, badURL(url)
	}
	return h.files.Open(url, h.docDir)
}

// Abs returns the absolute path or URL of name below base, without looking whether
// it exists. An empty name is base itself.
func (h *Host) Abs(name, base string) (string, error) {
	if name == "" {
		return h.files.Absolute(h.base(base)), nil
	}
	return h.files.resolve(name, h.base(base))
}

// Dir returns the directory of that name: "." is that of the document, "src" that
// of the file that holds the expression, "tmp" one for temporary files.
func (h *Host) Dir(name string) (string, bool) {
	switch name {
	case ".":
		return h.docDir, true
	case "src":
		return h.srcDir, true
	case "tmp":
		return h.files.tempDir(), true
	}
	return "", false
}

// Now returns the time at which the run began.
func (h *Host) Now() time.Time { return h.files.now }

// Random returns 64 random bits.
func (h *Host) Random() uint64 {
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// Executable returns the path of the running program, or "" if the system does not
// say.
func (h *Host) Executable() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Clean(path)
}
