package workspace

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/pattern"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A Target is a stack of layers with a name.
type Target struct {
	Name   string
	Files  []string            // paths of the project, the oldest layer first
	Define []yaytpl.Assignment // layers above the files

	Out      string // a file, or a directory; "" without one
	Each     string // the path of a list or map of which each item is a document, or ""
	FileName string // a template for the names of files, or ""

	From string      // the file that the pattern of a target with for matches, or ""
	At   source.Span // of the name in the project file

	workspace *Workspace
}

// A rule is a target as the project file has it: with for, one for each file that matches.
type rule struct {
	name     string
	at       source.Span
	files    []placed
	define   []definition
	out      placed
	each     string
	fileName string

	pattern   *pattern.Pattern // of for, or nil
	patternAt source.Span
}

// A placed is a text with its place.
type placed struct {
	text string
	at   source.Span
}

// A definition is an entry of define.
type definition struct {
	path  string
	value value.Value
	at    source.Span
}

// Targets returns all targets in the order of the project file, the targets of a for by the name of their file.
//
// Codes: bad-project for two targets of one name and for a path that leads out of the project; access,
// limit.
func (w *Workspace) Targets() ([]Target, error) {
	return w.expanded(func(string) bool { return true })
}

// Empty reports whether the project file has no targets.
func (w *Workspace) Empty() bool { return len(w.rules) == 0 }

// expanded returns the targets of the rules that wanted accepts: it gets the name of a rule, possibly
// with placeholders.
func (w *Workspace) expanded(wanted func(name string) bool) ([]Target, error) {
	var all []Target
	byName := map[string]int{}
	for i := range w.rules {
		r := &w.rules[i]
		if !wanted(r.name) {
			continue
		}
		list, err := w.targetsOf(r)
		if err != nil {
			return nil, err
		}
		for _, t := range list {
			if old, twice := byName[t.Name]; twice {
				return nil, sameName(all[old], t, r)
			}
			if len(all) == maxTargets {
				return nil, source.Errorf(r.at, source.Limit, "a project has at most %d targets", maxTargets)
			}
			byName[t.Name] = len(all)
			all = append(all, t)
		}
	}
	return all, nil
}

// sameName is the error of two targets with one name.
func sameName(a, b Target, r *rule) error {
	origin := func(t Target) string { return cmp.Or(t.From, "the target at "+t.At.String()) }
	at := r.at
	if r.pattern != nil {
		at = r.patternAt
	}
	d := source.Errorf(at, source.BadProject, "%s and %s both give the target %q", origin(a), origin(b), b.Name)
	if r.pattern != nil {
		d.WithHint("the name of a target needs every {word} in which the files of its for differ")
	}
	return d
}

// targetsOf returns the targets of a rule.
func (w *Workspace) targetsOf(r *rule) ([]Target, error) {
	if r.pattern == nil {
		return []Target{w.target(r, nil)}, nil
	}
	files, err := w.files(r.pattern.Files)
	switch {
	case errors.Is(err, pattern.ErrTooMany):
		return nil, source.Errorf(r.patternAt, source.Limit, "the pattern looks at more than %d files, or hundreds of directories deep", pattern.MaxListed)
	case err != nil:
		return nil, source.AsDiagnostic(err, r.patternAt, source.Access).Located(r.patternAt)
	}
	var list []Target
	for _, file := range files {
		values, ok := r.pattern.Values(file)
		if !ok {
			continue
		}
		t := w.target(r, values)
		t.From = file
		if err := t.checkPaths(r); err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// checkPaths returns an error for a path or a name that the placeholders lead astray.
func (t Target) checkPaths(r *rule) error {
	for _, p := range slices.Concat([]string{t.Name, t.Out}, t.Files) {
		if err := checkPath(p); p != "" && err != nil {
			return source.Errorf(r.patternAt, source.BadProject, "%s gives the path %q: %v", t.From, p, err)
		}
	}
	return nil
}

// target returns the target of a rule for texts of its placeholders.
func (w *Workspace) target(r *rule, values map[string]string) Target {
	t := Target{
		Name: substitute(r.name, values), Out: substitute(r.out.text, values),
		Each: r.each, FileName: r.fileName, At: r.at, workspace: w,
	}
	if t.Out != "" {
		t.Out = path.Clean(t.Out)
	}
	for _, f := range r.files {
		t.Files = append(t.Files, substitute(f.text, values))
	}
	for _, d := range r.define {
		data := d.value
		if values != nil {
			data = substituteIn(data, values)
		}
		t.Define = append(t.Define, yaytpl.Assignment{Path: d.path, Data: &data, At: d.at, Layer: "define of @" + t.Name})
	}
	return t
}

// words yields the placeholders in a text.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := range len(text) {
			if text[i] != '{' || i > 0 && text[i-1] == '{' {
				continue
			}
			if word := pattern.Word(text[i:]); word != "" && !yield(word) {
				return
			}
		}
	}
}

// substitute replaces the placeholders in a text that have a value.
func substitute(text string, values map[string]string) string {
	if len(values) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '{' && (i == 0 || text[i-1] != '{') {
			word := pattern.Word(text[i:])
			if v, ok := values[word]; ok {
				b.WriteString(v)
				i += len(word) + 1
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// substituteIn replaces the placeholders in the texts of a value, but not in its keys.
func substituteIn(v value.Value, values map[string]string) value.Value {
	switch v.Kind() {
	case value.StringKind:
		if text := substitute(v.Str(), values); text != v.Str() {
			return value.String(text)
		}
	case value.ListKind:
		var items value.Slice
		for item := range value.Items(v.List()) {
			items = append(items, substituteIn(item, values))
		}
		return value.FromList(items)
	case value.MapKind:
		m := value.NewMap(v.Map().Len())
		for k := range v.Map().Keys() {
			item, _, _ := v.Map().Get(k) // plain data cannot fail
			m.Set(k, substituteIn(item, values))
		}
		return value.FromMap(m)
	}
	return v
}

// IsTarget reports whether a word of a command line names targets, such as "@prod" and "@nodes/*".
// "./@prod" is a file.
func IsTarget(word string) bool { return strings.HasPrefix(word, "@") }

// IsPattern reports whether a word may name several targets.
func IsPattern(word string) bool { return IsTarget(word) && strings.Contains(word, "*") }

// Select returns the targets that words such as "@prod" and "@nodes/*" name, in the order of the
// project, each once. "*" is any text.
//
// Codes: not-found with near names for a word that names no target, also where there is no project;
// the codes of [Workspace.Targets].
func (s *Search) Select(words ...string) ([]Target, error) {
	if s.Workspace == nil {
		d := source.Errorf(source.Span{}, source.NotFound, "unknown target %s: there is no project file", words[0])
		if s.ended != "" {
			return nil, d.WithHint("%s", s.ended)
		}
		return nil, d.WithHint("for a file write ./%s", words[0])
	}
	return s.Workspace.Select(words...)
}

// Select is [Search.Select] for a project that was found.
func (w *Workspace) Select(words ...string) ([]Target, error) {
	var names []string
	for _, word := range words {
		names = append(names, strings.TrimPrefix(word, "@"))
	}
	all, err := w.expanded(func(rule string) bool {
		return slices.ContainsFunc(names, func(name string) bool { return mayName(rule, name) })
	})
	w.noteGlobs(names)
	if err != nil {
		return nil, err
	}
	chosen := make([]bool, len(all))
	for i, name := range names {
		found := false
		for j, t := range all {
			if matchesName(name, t.Name) {
				chosen[j], found = true, true
			}
		}
		if !found {
			return nil, w.unknown(words[i], name)
		}
	}
	var list []Target
	for i, t := range all {
		if chosen[i] {
			list = append(list, t)
		}
	}
	return list, nil
}

// noteGlobs notes the patterns of files that decide which targets the names select.
func (w *Workspace) noteGlobs(names []string) {
	for _, r := range w.rules {
		if r.pattern == nil || !slices.ContainsFunc(names, func(name string) bool { return strings.Contains(name, "*") && mayName(r.name, name) }) {
			continue
		}
		any := map[string]string{}
		for _, word := range r.pattern.Words() {
			any[word] = "*"
		}
		w.globs.NoteGlob(w.Dir, substitute(r.pattern.String(), any), r.patternAt)
	}
}

// unknown is the error of a word that names no target.
func (w *Workspace) unknown(word, name string) error {
	d := source.Errorf(source.Span{}, source.NotFound, "unknown target %s in %s", word, w.File.Name)
	if strings.Contains(name, "*") {
		d.Message = "no target of " + w.File.Name + " matches " + word
	}
	all, err := w.Targets()
	if err != nil {
		return err
	}
	var names []string
	for _, t := range all {
		names = append(names, t.Name)
	}
	if len(names) == 0 {
		return d.WithHint("%s has no targets", w.File.Name)
	}
	list := strings.Join(names[:min(len(names), listed)], ", ")
	if len(names) > listed {
		list += " and others"
	}
	return d.WithHint("the targets are %s; for a file write ./%s", list, word).DidYouMean(name, slices.Values(names))
}

// listed is how many targets a hint lists.
const listed = 10

// mayName reports whether a rule may give a target of a name, which may be a pattern. If the name of
// the rule has placeholders, it may unless the texts before its first one differ.
func mayName(rule, name string) bool {
	fixed := rule
	for word := range words(rule) {
		fixed, _, _ = strings.Cut(rule, "{"+word+"}")
		break
	}
	before, _, isPattern := strings.Cut(name, "*")
	switch {
	case fixed == rule && !isPattern:
		return rule == name
	case fixed == rule:
		return matchesName(name, rule)
	case isPattern:
		return strings.HasPrefix(before, fixed) || strings.HasPrefix(fixed, before)
	}
	return strings.HasPrefix(name, fixed)
}

// matchesName reports whether a name matches a pattern, in which "*" is any text.
func matchesName(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	last := len(parts) - 1
	for _, part := range parts[1:last] {
		i := strings.Index(name, part)
		if i < 0 {
			return false
		}
		name = name[i+len(part):]
	}
	return strings.HasSuffix(name, parts[last])
}

// A Stack is files that are layers of one project, with other layers between them.
type Stack struct {
	Files  []string // for [yaytpl.Open], the oldest first
	Target *Target  // that it comes from, or nil

	definitions []layer // by after
}

// A layer has assignments that override the first so many files of a stack.
type layer struct {
	after       int
	assignments []yaytpl.Assignment
}

// Above returns the layers between the files, for the field of this name of [yaytpl.Options].
func (s Stack) Above() map[int][]yaytpl.Assignment {
	if len(s.definitions) == 0 {
		return nil
	}
	above := map[int][]yaytpl.Assignment{}
	for _, l := range s.definitions {
		above[l.after] = l.assignments
	}
	return above
}

// Stack returns the layers of the target, with files below and over them.
func (t *Target) Stack(below, over []string) Stack {
	s := Stack{Files: make([]string, 0, len(below)+len(t.Files)+len(over)), Target: t}
	s.Files = append(s.Files, below...)
	for _, f := range t.Files {
		s.Files = append(s.Files, t.workspace.Name(f))
	}
	if len(t.Define) > 0 {
		s.definitions = []layer{{len(s.Files), t.Define}}
	}
	s.Files = append(s.Files, over...)
	return s
}

// OutName returns the name of Out for [yaytpl.Destination], "" without one.
func (t *Target) OutName() string {
	if t.Out == "" {
		return ""
	}
	return t.workspace.Name(t.Out)
}

// Over returns the layers of s over the layers of other stacks, the lowest first.
func (s Stack) Over(others ...Stack) Stack {
	var all Stack
	for _, o := range append(slices.Clip(others), s) {
		for _, l := range o.definitions {
			all.definitions = append(all.definitions, layer{len(all.Files) + l.after, l.assignments})
		}
		all.Files = slices.Concat(all.Files, o.Files)
	}
	all.Target = s.Target
	return all
}

// Open opens the stack as a project.
//
// Codes: the codes of [yaytpl.Open].
func (s Stack) Open(ctx context.Context, o yaytpl.Options) (*yaytpl.Project, error) {
	o.Above, o.Alone = s.Above(), o.Alone && len(s.Files) == 1
	return yaytpl.Open(ctx, s.Files, o)
}

// Open opens the target as a project, with the settings of its workspace and of o.
//
// Codes: the codes of [yaytpl.Open].
func (t *Target) Open(ctx context.Context, o yaytpl.Options) (*yaytpl.Project, error) {
	return t.Stack(nil, nil).Open(ctx, t.workspace.Options(o))
}
