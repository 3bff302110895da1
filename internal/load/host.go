package load

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/binary"
	"errors"
	"iter"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/internal/program"
	"github.com/yaytpl/yaytpl/source"
)

// A Host gives the expressions of one file access to files, environment, programs and time,
// inside the sandbox of its run.
type Host struct {
	files          *Files
	docDir, srcDir string
	charge         func(steps int) error // counts the work of questions; nil: nobody does
	by             Asker
}

// What questions cost, in steps of an evaluation of some 20 ns. A question to the file system looks at
// each directory of a path, and at the links in it.
const (
	variableSteps = 20
	pathSteps     = 100
	openSteps     = 300 // of a file that may have been read before
	fileSteps     = 1500
	globbedSteps  = 50  // of each step of a glob: see globSteps
	programSteps  = 400 // of each directory of PATH
	writeSteps    = 20_000
	runSteps      = 50_000
)

// Charged returns the host with a counter of its work, such as the counter of an evaluation. A question returns an
// error of the counter; a question that returns no error leaves it to the next step of the evaluation.
func (h *Host) Charged(charge func(steps int) error) *Host {
	charged := *h
	charged.charge = charge
	return &charged
}

// For returns the host for the questions of a place. secret says that a secret decides what they are about.
func (h *Host) For(at source.Span, secret bool) *Host {
	asking := *h
	asking.by = AskerAt(at)
	asking.by.Secret = asking.by.Secret || secret
	return &asking
}

// work counts the work of a question with a name, whose bytes count as well.
func (h *Host) work(steps int, name string) error {
	if h.charge == nil {
		return nil
	}
	return h.charge(steps + len(name))
}

// Host returns the host for the expressions of a file in srcDir that is part of a document
// in docDir. Each is a directory or the URL of one; "" is the working directory. The document of a
// file in a mounted file system is in the directory of the file.
func (f *Files) Host(docDir, srcDir string) *Host {
	if _, _, ok := f.mounted(filepath.Join(srcDir, "x")); ok {
		docDir = srcDir
	}
	return &Host{files: f, docDir: f.Absolute(docDir), srcDir: f.Absolute(srcDir)}
}

// base returns base, or the directory of the document if base is empty.
func (h *Host) base(base string) string { return cmp.Or(base, h.docDir) }

// ReadFile is [Files.Open] with the directory of the document for an empty base.
func (h *Host) ReadFile(name, base string) (*source.File, error) {
	if err := h.work(openSteps, name); err != nil {
		return nil, err
	}
	f, err := h.files.OpenFor(h.by, name, h.base(base))
	if err != nil {
		_ = h.work(fileSteps, name) // failures are not kept
	}
	return f, h.files.DidYouMean(err, name, h.base(base), "")
}

// vaultName is what messages call a value that ansible-vault encrypted.
const vaultName = "the value"

// Unvault decrypts a text that ansible-vault encrypted. ok is false if the user gave no passwords for
// that. Codes: the codes of [crypto.Decrypter.Decrypt]; bad-value for a text that is no vault.
func (h *Host) Unvault(text string) (plain string, ok bool, err error) {
	f := h.files
	if !f.config.Decrypter.HasVaultPasswords() {
		return "", false, nil
	}
	text = strings.TrimSpace(text)
	if !crypto.IsVault(text) {
		return "", true, source.Errorf(source.Span{}, source.BadValue, "a value with the tag !vault is a text that ansible-vault encrypted: it begins with $ANSIBLE_VAULT")
	}
	f.inputs.uses(f.config.Decrypter)
	data, err := f.config.Decrypter.Decrypt(f.config.Context, vaultName, []byte(text), min(f.left(), maxText))
	if err != nil {
		return "", true, err
	}
	if !utf8.Valid(data) {
		return "", true, source.Errorf(source.Span{}, source.Decryption, "%s is not UTF-8 when it is decrypted", vaultName)
	}
	return string(data), true, nil
}

// Get reads a URL. Codes: the codes of [Files.Open].
func (h *Host) Get(url string) (*source.File, error) {
	if !hasScheme(url) {
		return nil, badURL(url)
	}
	return h.files.OpenFor(h.by, url, h.docDir)
}

// Abs returns the absolute path or URL of name, relative to base. The file need not exist.
// An empty name is base itself.
func (h *Host) Abs(name, base string) (string, error) {
	if err := h.work(pathSteps, name); err != nil {
		return "", err
	}
	if name == "" {
		return h.files.Absolute(h.base(base)), nil
	}
	return h.files.resolve(name, h.base(base))
}

// Dir returns the directory called name: "." of the document, "src" of the file with the
// expression, "tmp" for temporary files. It returns false for another name.
func (h *Host) Dir(name string) (string, bool) {
	switch name {
	case ".":
		return h.docDir, true
	case "src":
		return h.srcDir, true
	case "tmp":
		h.files.inputs.note(Input{Kind: EnvInput, Name: "TMPDIR"}, h.by)
		return h.files.tempDir(), true
	}
	return "", false
}

// Now returns the time at which the run began.
func (h *Host) Now() time.Time {
	h.files.inputs.note(Input{Kind: ClockInput, Name: ""}, h.by)
	return h.files.now
}

// Random returns 64 random bits.
func (h *Host) Random() uint64 {
	h.files.inputs.note(Input{Kind: RandomInput, Name: ""}, h.by)
	var b [8]byte
	rand.Read(b[:]) // never fails
	return binary.LittleEndian.Uint64(b[:])
}

// Executable returns the path of the running program, or "" if the system does not report
// it.
func (h *Host) Executable() string {
	h.files.inputs.note(Input{Kind: EnvInput, Name: "@executable"}, h.by)
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return filepath.Clean(path)
}

// Getenv returns the value of an environment variable, and false if it is unset or hidden.
func (h *Host) Getenv(name string) (string, bool) {
	text, ok := h.variable(name)
	if h.files.visible(name) {
		h.files.inputs.variable(name, text, ok, h.by)
	}
	return text, ok
}

// variable is Getenv without a note.
func (h *Host) variable(name string) (string, bool) {
	if h.work(variableSteps, name) != nil || !h.files.visible(name) {
		return "", false
	}
	return h.files.config.Getenv(name)
}

// Variables yields the environment variables whose names begin with a prefix, and their values. Unlike
// [Host.Getenv] it is for the user, not for a document: no right is needed. The passphrase is not among them.
func (f *Files) Variables(prefix string) iter.Seq2[string, string] {
	f.inputs.note(Input{Kind: EnvInput, Name: prefix + "*"}, Asker{})
	return func(yield func(name, text string) bool) {
		for _, line := range f.config.Environ() {
			name, _, _ := strings.Cut(line, "=")
			if len(name) <= len(prefix) || !hasPrefix(runtime.GOOS, name, prefix) || isPassphrase(name) {
				continue
			}
			if text, ok := f.config.Getenv(name); ok && !yield(name, text) {
				return
			}
		}
	}
}

// hasPrefix reports whether the name of a variable begins with a prefix. On Windows letter case does
// not count.
func hasPrefix(system, name, prefix string) bool {
	if system == "windows" {
		return strings.EqualFold(name[:len(prefix)], prefix)
	}
	return strings.HasPrefix(name, prefix)
}

// Environ returns the names of all visible variables, sorted.
func (h *Host) Environ() []string {
	if names := h.files.config.AllowEnv; len(names) > 0 {
		for _, name := range names {
			h.files.inputs.note(Input{Kind: EnvInput, Name: name}, h.by)
		}
	} else if !h.files.config.NoEnv && !h.files.config.AllowURL {
		h.files.inputs.note(Input{Kind: EnvInput, Name: allVariables}, h.by)
	}
	return h.variables()
}

// allVariables names all variables as an input.
const allVariables = "*"

// variables is Environ without a note.
func (h *Host) variables() []string {
	names := []string{}
	for _, line := range h.files.config.Environ() {
		name, _, _ := strings.Cut(line, "=")
		if name == "" {
			continue
		}
		if _, ok := h.variable(name); ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// visible reports whether an environment variable may be read (design: decisions, "Files,
// environment, programs"). With Config.AllowURL only the variables of Config.AllowEnv are
// visible, since documents could send the others away.
func (f *Files) visible(name string) bool {
	name = variable(runtime.GOOS, name)
	switch {
	case f.config.NoEnv, isPassphrase(name):
		return false
	case len(f.config.AllowEnv) == 0:
		return !f.config.AllowURL
	}
	return slices.ContainsFunc(f.config.AllowEnv, func(pattern string) bool {
		pattern = variable(runtime.GOOS, pattern)
		ok, err := path.Match(pattern, name)
		return ok || err != nil && pattern == name
	})
}

// isPassphrase reports whether a variable is the one with the passphrase of the run, which is not for documents.
func isPassphrase(name string) bool {
	return variable(runtime.GOOS, name) == crypto.PassphraseVariable
}

// variable returns the name of an environment variable in the form in which names are
// compared on a system: on Windows in upper case.
func variable(system, name string) string {
	if system == "windows" {
		return strings.ToUpper(name)
	}
	return name
}

const (
	programTime  = time.Minute
	programWait  = time.Second // for children of a killed program that keep its output open
	programNoise = 4 << 10     // bytes of standard error that messages may quote
)

// LookPath returns the full path of a program in PATH, or "" if there is none. A name with
// a separator in it is not looked up.
func (h *Host) LookPath(name string) string {
	if name == "" || strings.ContainsAny(name, "/\\\x00") {
		return ""
	}
	h.files.inputs.note(Input{Kind: ProgramInput, Name: name}, h.by)
	path, ok := h.files.config.Getenv("PATH")
	h.files.inputs.variable("PATH", path, ok, h.by)
	if h.work(programSteps*(1+strings.Count(path, string(filepath.ListSeparator))), name) != nil {
		return ""
	}
	return program.Find(path, name)
}

// Run runs a program in the directory of the document, with the visible variables and
// without standard input, and returns its standard output. The program is searched in PATH,
// or is a path relative to the directory of the document. No shell reads the arguments.
//
// Codes: forbidden, bad-value, timeout, limit, and access for a program that does not exist,
// fails, or prints text that is not UTF-8.
func (h *Host) Run(args []string) (string, error) {
	switch {
	case len(args) == 0 || args[0] == "":
		return "", source.Errorf(source.Span{}, source.BadValue, "no program to run")
	case !h.files.config.AllowExec:
		return "", source.Errorf(source.Span{}, source.Forbidden, "the program %s must not be run (--allow-exec)", args[0]).
			WithHint("--allow-exec would allow it")
	}
	if err := h.work(runSteps, ""); err != nil {
		return "", err
	}
	h.files.inputs.note(Input{Kind: ProgramInput, Name: args[0]}, h.by)
	var path string
	if strings.ContainsAny(args[0], `/\`) {
		path = Join(h.workDir(), args[0])
	} else {
		path = h.LookPath(args[0])
	}
	if path == "" {
		return "", source.Errorf(source.Span{}, source.Access, "program %s not found in PATH", args[0])
	}
	return h.run(path, args)
}

// workDir returns the directory in which programs run: the directory of the document, or the
// working directory if the document was read from a URL.
func (h *Host) workDir() string {
	if isURL(h.docDir) {
		return h.files.dir
	}
	return h.docDir
}

// run runs the program at path and returns its output.
func (h *Host) run(path string, args []string) (string, error) {
	ctx, cancel := context.WithTimeout(h.files.config.Context, programTime)
	defer cancel()
	out := &program.Output{Limit: min(h.files.left(), maxText), Full: cancel}
	noise := &program.Output{Limit: programNoise}
	cmd := program.Command(ctx, path, args[1:]...)
	cmd.Args[0] = args[0]
	cmd.Dir, cmd.Env = h.workDir(), h.environment()
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = out, noise, programWait
	err := cmd.Run()
	what := "the output of " + args[0]
	switch {
	case out.Over():
		return "", h.files.tooManyBytes(what)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", source.Errorf(source.Span{}, source.Timeout, "time is up while the program %s runs", args[0])
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", programError(args[0], err, noise.String())
	case !utf8.Valid(out.Bytes()):
		return "", source.Errorf(source.Span{}, source.Access, "%s is not valid UTF-8", what)
	}
	return out.String(), h.files.spend(len(out.Bytes()), what)
}

// environment returns the variables for a program: those that the document may read, since
// the program could print any other.
func (h *Host) environment() []string {
	env := []string{}
	for _, name := range h.variables() {
		if v, ok := h.variable(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return env
}

// programError reports that a program failed, with the first line of its standard error.
func programError(name string, err error, noise string) error {
	d := source.Errorf(source.Span{}, source.Access, "the program %s failed: %s", name, err)
	d.Cause = err
	if line, _, _ := strings.Cut(strings.TrimSpace(noise), "\n"); line != "" {
		d.Message += ": " + strings.ToValidUTF8(strings.TrimSpace(line), "\uFFFD")
	}
	return d
}
