package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// # Records
//
// A result that is kept for later runs is right as long as each of its inputs gives the same answer. A
// Record is one input with its answer as a text that can be stored. For the file above these are
//
//	file    /srv/main.yaml     sha256:5f70bf18...
//	file    /srv/logo.txt      sha256:9a271f2a...
//	absent  /srv/local.yaml    absent
//	env     USER               sha256:1c4b9f9e...
//
// Answers of a program, a server, the clock and chance cannot be compared without asking again, so that
// a result with such an input is not kept.

// A Record is an input with what its answer was.
type Record struct {
	Kind  InputKind `json:"kind"`
	Name  string    `json:"name"` // of a pattern: its directory, globSeparator and the pattern in it
	State string    `json:"state"`
}

// globSeparator is in no path.
const globSeparator = "\x00"

// Records returns the inputs of a run that began at a time as records. The error says which input cannot
// be one, for people.
func (f *Files) Records(inputs []Input, began time.Time) ([]Record, error) {
	records := make([]Record, 0, len(inputs))
	for _, in := range inputs {
		r := Record{Kind: in.Kind, Name: in.Name}
		if in.glob != nil {
			r.Name = in.glob.dir + globSeparator + in.glob.rest
		}
		hashed := in.Hash() != "" && (in.Kind == FileInput || in.Kind == GlobInput)
		switch {
		case in.Secret:
			return nil, errors.New("a secret decides what is read")
		case hashed:
			r.State = contentPrefix + in.Hash()
		case in.Kind != FileInput:
			r.State = f.state(r)
		}
		if in.Kind == FileInput && (in.stated || !hashed) {
			state, changed := f.properties(in.Name)
			if !changed.Before(began.Add(-timeGranularity)) {
				return nil, fmt.Errorf("%s has just changed", in.Name)
			}
			r.State += state
		}
		if gone := strings.HasSuffix(r.State, absentState); in.Kind == AbsentInput && !gone || in.Kind == FileInput && r.State == absentState {
			return nil, fmt.Errorf("%s has just changed", in.Name)
		}
		if r.State == "" || !f.keeps(in) {
			return nil, notKept(in)
		}
		records = append(records, r)
	}
	return records, nil
}

// timeGranularity is the longest time that a file system may take a change for older than it is.
const timeGranularity = 2 * time.Second

// keeps reports whether an input can be asked again: a stream is read only once. A name that is not UTF-8
// would be another one in JSON.
func (f *Files) keeps(in Input) bool {
	if in.Kind != FileInput {
		return utf8.ValidString(in.Name)
	}
	_, _, isMounted := f.mounted(in.Name)
	_, isOverlaid := f.overlay[in.Name]
	return in.Name != "-" && !isPipe(in.Name) && !isMounted && !isOverlaid && utf8.ValidString(in.Name)
}

func notKept(in Input) error {
	what := map[InputKind]string{
		URLInput: "the URL " + in.Name, ProgramInput: "the program " + in.Name, ClockInput: "the time", RandomInput: "chance", EnvInput: "the machine",
	}[in.Kind]
	return errors.New("it depends on " + cmp.Or(what, in.Name))
}

// Same reports whether all inputs of records still give the same answers. Nothing is noted.
func (f *Files) Same(records []Record) bool {
	return !slices.ContainsFunc(records, func(r Record) bool { return r.State != f.state(r) })
}

// state returns the answer to an input now, "" if it cannot be known.
func (f *Files) state(r Record) string {
	switch r.Kind {
	case FileInput, AbsentInput:
		state := ""
		hash, isRead := strings.CutPrefix(r.State, contentPrefix)
		if isRead {
			state = f.content(r.Name)
		}
		if !isRead || len(hash) > 2*sha256.Size {
			properties, _ := f.properties(r.Name)
			state += properties
		}
		return state
	case GlobInput:
		return f.matches(r.Name)
	case EnvInput:
		return f.environment(r.Name)
	}
	return ""
}

// contentPrefix begins the state of a file that was read.
const contentPrefix = "sha256:"

// content returns the state of the bytes of a file.
func (f *Files) content(path string) string {
	var data []byte
	err := f.reach(path, func(p sandboxFile) (err error) { data, _, err = p.read(f.config.MaxBytes); return err })
	if err != nil {
		return ""
	}
	return contentPrefix + sumOf(data)()
}

// absentState is the state of a file that is missing.
const absentState = "absent"

// properties returns the state of a file of which only properties were asked, such as whether it is
// there, and when it, or the file that a link leads to, changed last. It is "absent" without a file, and
// "" if the file cannot be reached.
//
//	-rw-r--r-- 120 1795000000000000000
//	Lrwxrwxrwx 8 1795000000000000000 -rw-r--r-- 120 1795000000000000000
func (f *Files) properties(path string) (state string, changed time.Time) {
	for _, follow := range []bool{false, true} {
		var info fs.FileInfo
		err := f.reach(path, func(p sandboxFile) (err error) { info, err = p.stat(follow); return err })
		switch {
		case missing(err):
			return state + absentState, changed
		case err != nil:
			return "", changed
		}
		state += fmt.Sprintf(" %v %d %d", info.Mode(), info.Size(), info.ModTime().UnixNano())
		if info.ModTime().After(changed) {
			changed = info.ModTime()
		}
		if info.Mode()&fs.ModeSymlink == 0 {
			break
		}
	}
	return state, changed
}

// reach calls do with the place of an absolute path, below the roots if it is there.
func (f *Files) reach(path string, do func(sandboxFile) error) error {
	err := within(f.roots, path, do)
	if errors.Is(err, errOutside) {
		return anywhere(path, do) // the user named it
	}
	return err
}

// matches returns the state of the files that the pattern of a record matches.
func (f *Files) matches(name string) string {
	dir, rest, ok := strings.Cut(name, globSeparator)
	if !ok {
		return ""
	}
	paths, err := f.Host("", "").paths(glob{dir: dir, rest: rest})
	if err != nil {
		return ""
	}
	return contentPrefix + sumOfPaths(paths, nil)
}

// environment returns the state of a variable, of those with a prefix ("APP_*"), or of all ("*"). A
// property of the machine ("@hostname") and other patterns have none.
func (f *Files) environment(name string) string {
	prefix, isPrefix := strings.CutSuffix(name, "*")
	if strings.HasPrefix(name, "@") || strings.ContainsAny(prefix, "*?[") {
		return ""
	}
	names := []string{name}
	if isPrefix {
		names = nil
		for _, line := range f.config.Environ() {
			n, _, _ := strings.Cut(line, "=")
			if len(n) >= len(prefix) && hasPrefix(runtime.GOOS, n, prefix) {
				names = append(names, n)
			}
		}
		slices.Sort(names)
	}
	sum := sha256.New()
	for _, n := range names {
		text, ok := f.config.Getenv(n)
		fmt.Fprintf(sum, "%q %t %q\n", n, ok, text)
	}
	return contentPrefix + hex.EncodeToString(sum.Sum(nil))
}

// Roots returns the absolute directories below which documents may read files.
func (f *Files) Roots() []string { return slices.Clone(f.roots) }
