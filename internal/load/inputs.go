package load

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/source"
)

// # Inputs
//
// Everything that a run reads is noted in one [Inputs], with the places that ask for it
// (spec: everyday, B9). For the file
//
//	+?include: local.yaml
//	user: {get_env: USER}
//	logo: "{{ lookup('file', 'logo.txt') }}"
//
// that includes a missing file the notes are
//
//	file    /srv/main.yaml     the command line
//	file    /srv/logo.txt      main.yaml:3:11
//	absent  /srv/local.yaml    main.yaml:1:12
//	env     USER               main.yaml:2:7
//
// A note is made when something is asked for, also if the answer is known already. The answer
// is kept as a function that returns its hash, so that only callers that want hashes pay for them.
//
// The rights of a run, such as its roots, are not inputs: they decide what may be read, and a refusal
// is an error. A program is one input, whatever it reads itself.

// An InputKind is a kind of inputs.
type InputKind string

// The kinds, in the order of lists.
const (
	FileInput    InputKind = "file"    // a file that was read, or a file or directory that is there
	AbsentInput  InputKind = "absent"  // a file that is not there
	GlobInput    InputKind = "glob"    // a pattern of files
	URLInput     InputKind = "url"     // a URL that was read
	EnvInput     InputKind = "env"     // an environment variable, set or not; APP_* are all with a prefix, * is all, @NAME a property of the machine
	ProgramInput InputKind = "program" // a program that was run, or searched in PATH
	ClockInput   InputKind = "clock"   // the time, or the load of the machine
	RandomInput  InputKind = "random"  // chance
)

var inputKinds = []InputKind{FileInput, AbsentInput, GlobInput, URLInput, EnvInput, ProgramInput, ClockInput, RandomInput}

// An Input is something that the result of a run depends on.
type Input struct {
	Kind InputKind

	// Name is an absolute path, an absolute pattern with slashes, a URL without its login, or the
	// name of a variable or program. "-" is standard input. The time and chance have none.
	Name string

	// At are the places that ask for it, in the order of files and lines. The command line and the
	// options of a program have none.
	At []source.Span

	// Secret reports that a secret decides the name: it is made of one, or written in an encrypted file.
	Secret bool

	// Of a file, for callers that wait until it changes:
	Looked   bool        // only whether it is there, and its type, was asked for
	Info     fs.FileInfo // its properties when it was read; nil if they are not known
	InMemory bool        // it was no file of the system, but a text or a file of a program

	stated bool // its properties were asked, such as its size
	answer
}

// An answer is the answer to a question. It is made of functions, so that only callers that ask pay for it.
type answer struct {
	sum   func() string // the hash of the answer
	again func() string // asks again, and returns the hash of the new answer
	glob  *glob         // of a pattern: its directory may have characters that patterns have, too
}

// Hash returns the SHA-256 of the answer as hexadecimal digits: of the bytes of a file as it is
// stored, of the document of a URL, of the value of a variable, of the names that match a pattern. It
// returns "" if the answer was only whether a file is there or a variable is set, and for other kinds.
func (i Input) Hash() string {
	if i.sum == nil {
		return ""
	}
	return i.sum()
}

// Changed reports whether a pattern now matches other names, or a file has another text, than when it was
// asked for. known is false if that cannot be told.
func (i Input) Changed() (changed, known bool) {
	if i.again == nil || i.stated {
		return false, false
	}
	return i.again() != i.Hash(), true
}

// Dirs returns the directories whose names decide what a pattern matches.
func (i Input) Dirs() []string {
	if i.glob == nil {
		return nil
	}
	return i.glob.dirs()
}

// An Asker is what asks for an input. The zero Asker is the user.
type Asker struct {
	At     source.Span
	Secret bool // a secret decides what it asks for
}

// AskerAt returns the asker of a place. What an encrypted file asks for is secret.
func AskerAt(at source.Span) Asker { return Asker{at, at.File != nil && at.File.Secret} }

// An Inputs has the notes of one or several runs. The zero value has none. It is safe for
// concurrent use.
type Inputs struct {
	mu         sync.Mutex
	notes      []note
	sorted     int             // of the notes that are in order, each once
	number     int             // of all notes so far
	looks      map[string]bool // paths of files whose properties were asked
	decrypters []*crypto.Decrypter
	joined     []*Inputs
}

// A note is a question: an input, without At and Secret, and what asks for it.
type note struct {
	*Input
	by     Asker
	number int  // of the notes before it
	stated bool // the properties of the file were asked, too
}

// better reports whether the answer of q tells more than another one to the same question, or as much and
// earlier: what has changed since then may have decided something.
func (q note) better(other note) bool {
	switch {
	case (q.sum != nil) != (other.sum != nil):
		return q.sum != nil
	case q.Looked != other.Looked:
		return other.Looked
	}
	return q.number < other.number
}

// Note notes what the user, or a place, has asked of something that is not read by a [Files]. The name
// of a file is absolute.
func (n *Inputs) Note(kind InputKind, name string, at source.Span) {
	in := Input{Kind: kind, Name: name}
	if kind == FileInput {
		in.Info = infoOf(name)
	}
	n.note(in, AskerAt(at))
}

// NoteGlob is [Inputs.Note] for a pattern below an absolute directory.
func (n *Inputs) NoteGlob(dir, pattern string, at source.Span) {
	fixed, rest := doublestar.SplitPattern(pattern)
	g := glob{dir: filepath.Join(dir, filepath.FromSlash(fixed)), rest: rest}
	n.note(Input{Kind: GlobInput, Name: g.name(), answer: answer{glob: &g}}, AskerAt(at))
}

// sumAt returns the hash of a file that has a size, "" for another file.
func sumAt(path string, size int64) string {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() != size {
		return ""
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	return sumOf(data)()
}

// infoOf returns the properties of a file that was read or could not be read, nil if it is missing now.
func infoOf(path string) fs.FileInfo {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	return info
}

// note notes a question, with what is known of the answer.
func (n *Inputs) note(in Input, by Asker) { n.add(&in, by) }

// leastSorted is how many notes are collected before they are sorted, so that each is there once.
const leastSorted = 256

// add is note for an input that others have in common.
func (n *Inputs) add(in *Input, by Asker) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, note{Input: in, by: by, number: n.number})
	n.number++
	if len(n.notes) >= 2*max(n.sorted, leastSorted) {
		n.sort()
	}
}

// sort brings the notes into the order of compareNotes, each once, with the best answer to the question.
func (n *Inputs) sort() {
	if n.sorted == len(n.notes) {
		return
	}
	slices.SortFunc(n.notes, compareNotes)
	kept := n.notes[:0]
	for i := 0; i < len(n.notes); {
		best, end := n.notes[i], i+1
		for ; end < len(n.notes) && compareInputs(n.notes[end].Input, best.Input) == 0; end++ {
			if n.notes[end].better(best) {
				best = n.notes[end]
			}
		}
		for j, q := range n.notes[i:end] {
			q.Input, q.number = best.Input, best.number
			if j == 0 || q.by != kept[len(kept)-1].by {
				kept = append(kept, q)
			}
		}
		i = end
	}
	clear(n.notes[len(kept):])
	n.notes, n.sorted = kept, len(kept)
}

// compareNotes orders notes by kind and name, then by what asks.
func compareNotes(a, b note) int {
	return cmp.Or(compareInputs(a.Input, b.Input), a.by.compare(b.by))
}

// compareInputs orders inputs by kind and name.
func compareInputs(a, b *Input) int {
	if a.Kind != b.Kind {
		return cmp.Compare(slices.Index(inputKinds, a.Kind), slices.Index(inputKinds, b.Kind))
	}
	return strings.Compare(a.Name, b.Name)
}

// compare orders askers by place. That of the user is the first.
func (a Asker) compare(b Asker) int {
	if a == b {
		return 0
	}
	if none := a.At.IsZero(); none != b.At.IsZero() {
		if none {
			return -1
		}
		return 1
	}
	c := 0
	if !a.At.IsZero() {
		c = cmp.Or(comparePlaces(a.At, b.At), cmp.Compare(a.At.End, b.At.End))
	}
	switch {
	case c != 0 || a.Secret == b.Secret:
		return c
	case a.Secret:
		return 1
	}
	return -1
}

// find returns the index where a note is, or would be, in the sorted notes, and whether it is there.
func (n *Inputs) find(like note, compare func(a, b note) int) (int, bool) {
	n.sort()
	return slices.BinarySearchFunc(n.notes, like, compare)
}

// sumOf returns the function that returns the hash of data, which must not change.
func sumOf(data []byte) func() string {
	return sync.OnceValue(func() string {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	})
}

// variable notes the value of an environment variable.
func (n *Inputs) variable(name, text string, isSet bool, by Asker) {
	var sum func() string
	if isSet {
		sum = func() string { return sumOf([]byte(text))() }
	}
	n.note(Input{Kind: EnvInput, Name: name, answer: answer{sum: sum}}, by)
}

// uses notes that a decrypter reads keys and passphrases for the run.
func (n *Inputs) uses(d *crypto.Decrypter) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.decrypters, d) {
		n.decrypters = append(n.decrypters, d)
	}
}

// Decrypts reports whether something was decrypted for the run.
func (n *Inputs) Decrypts() bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return len(n.decrypters) > 0 || slices.ContainsFunc(n.joined, (*Inputs).Decrypts)
}

// Join makes the notes of others a part of n.
func (n *Inputs) Join(other *Inputs) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if other != n && !slices.Contains(n.joined, other) {
		n.joined = append(n.joined, other)
	}
}

// Has reports whether there is an input of a kind and name.
func (n *Inputs) Has(kind InputKind, name string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	if _, ok := n.find(note{Input: &Input{Kind: kind, Name: name}}, func(a, b note) int { return compareInputs(a.Input, b.Input) }); ok {
		return true
	}
	for _, d := range n.decrypters {
		for _, r := range d.Reads() {
			if r.Kind == string(kind) && r.Name == name {
				return true
			}
		}
	}
	return slices.ContainsFunc(n.joined, func(other *Inputs) bool { return other.Has(kind, name) })
}

// All returns the inputs that were noted so far, by kind and name.
func (n *Inputs) All() []Input {
	notes := n.collect(nil)
	slices.SortFunc(notes, compareNotes)
	all := make([]Input, 0, len(notes))
	places := make([]source.Span, 0, len(notes)) // of all inputs
	for i, q := range notes {
		if i == 0 || compareInputs(q.Input, notes[i-1].Input) != 0 {
			all = append(all, Input{Kind: q.Kind, Name: q.Name, Secret: true, Looked: true})
		}
		in := &all[len(all)-1]
		in.learn(*q.Input)
		in.stated = in.stated || q.stated
		in.Secret = in.Secret && q.by.Secret
		if k := len(in.At); !q.by.At.IsZero() && (k == 0 || comparePlaces(in.At[k-1], q.by.At) != 0) {
			places = append(places, q.by.At)
			in.At = places[len(places)-k-1 : len(places) : len(places)]
		}
	}
	return all
}

// collect adds the notes to others.
func (n *Inputs) collect(all []note) []note {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.sort()
	for _, q := range n.notes {
		if q.Kind == EnvInput && q.Name != allVariables {
			if _, asked := n.find(note{Input: &Input{Kind: EnvInput, Name: allVariables}, by: q.by}, compareNotes); asked {
				continue // asking for all variables is followed by asking for each
			}
		}
		q.stated = q.Kind == FileInput && n.looks[q.Name]
		all = append(all, q)
	}
	for _, d := range n.decrypters {
		for _, r := range d.Reads() {
			in := &Input{Kind: InputKind(r.Kind), Name: r.Name}
			all = append(all, note{Input: in, stated: in.Kind == FileInput && n.looks[in.Name]})
		}
	}
	for _, other := range n.joined {
		all = other.collect(all)
	}
	return all
}

// learn adds what another run knows of the answer.
func (i *Input) learn(other Input) {
	i.Looked = i.Looked && other.Looked
	i.InMemory = i.InMemory || other.InMemory
	if i.Info == nil {
		i.Info = other.Info
	}
	if i.sum == nil {
		i.answer = other.answer
	}
}

// comparePlaces orders places by file, then by where they begin.
func comparePlaces(a, b source.Span) int {
	return cmp.Or(strings.Compare(a.File.Name, b.File.Name), cmp.Compare(a.Start, b.Start))
}

// looked notes that a file was looked for at an absolute path, by whether it is missing.
func (f *Files) looked(path string, isMissing bool, by Asker) {
	kind := FileInput
	if isMissing {
		kind = AbsentInput
	}
	f.inputs.note(Input{Kind: kind, Name: path, Looked: true}, by)
}

// stated notes that the properties of a file were asked: not only whether it is there.
func (f *Files) stated(path string) {
	n := f.inputs
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.looks == nil {
		n.looks = map[string]bool{}
	}
	n.looks[path] = true
}

// opened notes that a file was opened at an absolute path, with the error of that, and returns the file. An
// entry with an error exceeds a limit.
func (f *Files) opened(path string, e *entry, err error, by Asker) (*source.File, error) {
	switch {
	case e != nil:
		f.inputs.add(e.input, by)
		return e.file, err
	case errors.Is(err, fs.ErrNotExist):
		f.inputs.note(Input{Kind: AbsentInput, Name: path}, by)
	default:
		f.inputs.note(Input{Kind: FileInput, Name: path, Info: infoOf(path)}, by)
	}
	return nil, err
}

// fileInput returns the input that a file is which was read at an absolute path.
func fileInput(path string, file *source.File) *Input {
	in := &Input{Kind: FileInput, Name: path, Info: file.Info, InMemory: file.Info == nil, answer: answer{sum: file.Sum}}
	if !in.InMemory {
		in.again = func() string { return sumAt(path, file.Info.Size()) }
	}
	return in
}

// Inputs returns the notes of the run.
func (f *Files) Inputs() *Inputs { return f.inputs }

// NoteHome notes that a name depends on the home directory of the user.
func (f *Files) NoteHome(by Asker) { f.inputs.note(Input{Kind: EnvInput, Name: "HOME"}, by) }
