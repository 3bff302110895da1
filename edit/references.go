package edit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/internal/lint"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A reference is a key in a template, an expression or a pointer that names a renamed key.
type reference struct {
	lint.Reference
	renaming
	template bool // it is in a template file
}

// The names that can be written without quotes: in templates, paths and pointers.
var (
	plainName    = lazy.Regexp{Text: `^[A-Za-z_][A-Za-z0-9_]*$`}
	plainSegment = lazy.Regexp{Text: `^[A-Za-z_][A-Za-z0-9_./ -]*$`}
)

// aimsAt reports whether the last key of a reference may be the key of a renaming. A pattern that
// matches the new name as well needs no change.
func aimsAt(r lint.Reference, to renaming) bool {
	last, old := r.Keys[len(r.Keys)-1], to.path[len(to.path)-1].Text
	if r.Scope == lint.Pattern {
		name := graph.PrivateName{Text: last}
		return name.Matches(old) && !name.Matches(to.key)
	}
	return last == old
}

// newText returns the text of a reference with the new name, and false if it cannot be written
// like the old one.
func (r reference) newText() (string, bool) {
	old, text := r.path[len(r.path)-1].Text, r.At.Text()
	escape := strings.NewReplacer("~", "~0", "/", "~1").Replace
	switch r.Form {
	case expr.FormName:
		return r.key, text == old && plainName.Get().MatchString(r.key)
	case expr.FormSegment:
		return r.key, text == old && plainSegment.Get().MatchString(r.key) && strings.TrimSpace(r.key) == r.key
	case expr.FormPointer:
		return escape(r.key), text == escape(old) && plainSegment.Get().MatchString(r.key) && !strings.Contains(r.key, " ")
	case expr.FormDirective:
		if text == old {
			return r.key, r.Scope != lint.Pattern && plainSegment.Get().MatchString(r.key) && !(r.Scope == lint.FromMap && strings.Contains(r.key, "."))
		}
	}
	n := len(text) - 1
	if n < 1 || text[0] != text[n] || text[0] != '\'' && text[0] != '"' {
		return "", false
	}
	return text[:1] + r.key + text[n:], text[1:n] == old && plainSegment.Get().MatchString(r.key)
}

// A referenceSearch finds what refers to keys that are renamed.
type referenceSearch struct {
	session   *session
	project   *engine.Project
	renamings []renaming

	certain, possible []reference
	searched          bool
}

// newReferenceSearch returns a search that is done: its references are in certain and possible.
func newReferenceSearch(x *session, p *engine.Project, all []renaming) *referenceSearch {
	s := &referenceSearch{session: x, project: p, renamings: all}
	s.search()
	return s
}

// search compares all references of the documents with the renamed keys. A reference is
// possible if only an evaluation can tell what it names.
func (s *referenceSearch) search() {
	for i, d := range s.project.Documents() {
		var layers, included []*graph.Doc
		for _, layer := range d.Layers() {
			layers = append(layers, layer.Doc)
		}
		for _, in := range s.project.Includes() {
			if in.Doc != nil && !slices.Contains(included, in.Doc) && !slices.Contains(layers, in.Doc) {
				included = append(included, in.Doc)
			}
		}
		expanded, err := overlay.Expanded(d)
		if err != nil {
			continue
		}
		found, keys := lint.References(layers, included)
		for _, r := range found {
			for _, to := range s.renamings {
				if to.doc != i || !aimsAt(r, to) {
					continue
				}
				c := names(r, to.path, expanded)
				if c == certainly && r.Scope == lint.AnyDepth && !s.onlyKey(keys, r, i) {
					c = possibly
				}
				s.add(c, reference{r, to, false})
			}
		}
	}
	s.templateFiles()
}

// add adds a reference.
func (s *referenceSearch) add(c certainty, r reference) {
	switch c {
	case certainly:
		s.certain = append(s.certain, r)
	case possibly:
		s.possible = append(s.possible, r)
	}
}

// templateFiles finds the references in template files, which are known after an evaluation of
// the documents that include them. A bare name may be a variable of the including template: a
// renaming that fails with it is tried without it.
func (s *referenceSearch) templateFiles() {
	if !slices.ContainsFunc(s.project.Documents(), mayIncludeTemplates) {
		return
	}
	p, err := s.session.OpenPure()
	if err != nil {
		return
	}
	for i, d := range p.Documents() {
		if v, err := d.Value(); err == nil {
			_ = value.Walk(v, func(value.Position, value.Value, error) error { return nil })
		}
		expanded, err := overlay.Expanded(d)
		if err != nil {
			continue
		}
		languages, err := d.Runtimes()
		if err != nil {
			continue
		}
		languages.FileMentions(func(m expr.Mention) {
			r := lint.Reference{Mention: m, Included: true}
			for _, to := range s.renamings {
				if to.doc == i && aimsAt(r, to) {
					s.add(names(r, to.path, expanded), reference{r, to, true})
				}
			}
		})
	}
}

// mayIncludeTemplates reports whether a file of the document has a statement.
func mayIncludeTemplates(d *engine.Document) bool {
	for _, l := range d.Layers() {
		if strings.Contains(l.Doc.File.Text, "{%") || strings.Contains(l.Doc.File.Text, "nclude") {
			return true
		}
	}
	return false
}

// certainty says whether a reference names a key.
type certainty uint8

const (
	never certainty = iota
	possibly
	certainly
)

// names says whether a reference names the key at a path of the expanded document.
func names(r lint.Reference, path value.Path, expanded value.Value) certainty {
	below := func(base value.Path) certainty {
		if len(base)+len(r.Keys) != len(path) || !path.HasPrefix(base) || !endsIn(path, r.Keys) {
			return never
		}
		if slices.Contains(r.Keys, expr.AnyKey) {
			return possibly
		}
		return certainly
	}
	has := func(base value.Path) bool {
		_, there, err := value.Find(expanded, base.With(value.K(r.Keys[0])))
		return there && err == nil
	}
	switch {
	case r.Scope == lint.Pattern:
		if r.Included || len(path) > 0 && slices.Equal(path[:len(path)-1], r.Self) {
			return certainly
		}
		return never
	case r.Scope != lint.InPlace:
		return namesList(r, path)
	case r.Form == expr.FormDirective && r.Included:
		return possibly
	case r.From == expr.RootDoc:
		return below(nil)
	case r.From == expr.RootName && (!r.Included || has(nil)):
		return below(nil)
	case r.From == expr.RootSelf && !r.Included:
		return below(r.Self)
	case r.From == expr.RootNearest && !r.Included:
		for n := len(r.Self); n >= 0; n-- {
			if has(r.Self[:n]) {
				return below(r.Self[:n])
			}
		}
		return never
	case endsIn(path, r.Keys):
		return possibly
	}
	return never
}

// namesList says whether a reference in +lists names the key at a path.
func namesList(r lint.Reference, path value.Path) certainty {
	keys, base := r.Keys, path
	if r.Scope == lint.ItemField {
		n := len(path) - 1
		if n < 1 || path[n-1].Kind != value.IntKind {
			return never
		}
		base, keys = path[:n-1], keys[:len(keys)-1]
	}
	if !r.Included {
		if !base.HasPrefix(r.Self) {
			return never
		}
		base = base[len(r.Self):]
	}
	base = slices.DeleteFunc(slices.Clone(base), func(k value.Key) bool { return k.Kind == value.IntKind })
	anyDepth := len(base) > 0 && base[len(base)-1].Text == strings.Join(keys, ".")
	switch {
	case r.Scope == lint.ItemField && (anyDepth || endsIn(base, keys)):
		return possibly
	case r.Scope == lint.AnyDepth && anyDepth, r.Scope == lint.FromMap && len(base) == len(keys) && endsIn(base, keys):
		if r.Included {
			return possibly
		}
		return certainly
	}
	return never
}

// onlyKey reports whether all keys with the name of a rule for lists, below its map, are renamed.
func (s *referenceSearch) onlyKey(keys []lint.Definition, r lint.Reference, doc int) bool {
	return !slices.ContainsFunc(keys, func(k lint.Definition) bool {
		if len(k.Path) == 0 || k.Path[len(k.Path)-1].Text != r.Keys[0] {
			return false
		}
		return k.Included || k.Path.HasPrefix(r.Self) && !slices.ContainsFunc(s.renamings, func(to renaming) bool {
			return to.doc == doc && slices.Equal(to.path, k.Path)
		})
	})
}

// endsIn reports whether the last keys of a path have these texts.
func endsIn(path value.Path, keys []string) bool {
	from := len(path) - len(keys)
	if from < 0 {
		return false
	}
	for i, k := range keys {
		if k != expr.AnyKey && k != path[from+i].Text {
			return false
		}
	}
	return true
}

// all returns the certain references, and the possible ones in values that read a renamed key.
// Of a pointer no evaluation tells what it reads.
func (s *referenceSearch) all() (certain, possible []reference) {
	if s.searched || len(s.possible) == 0 {
		return s.certain, s.possible
	}
	s.searched = true
	readers := s.readers()
	s.possible = slices.DeleteFunc(s.possible, func(r reference) bool {
		return r.Form != expr.FormPointer && r.Form != expr.FormDirective && !slices.ContainsFunc(readers, func(at source.Span) bool { return at.Contains(r.At) })
	})
	return s.certain, s.possible
}

// readers returns the places of the values that read a renamed key. Values that cannot be
// computed without permissions are left out.
func (s *referenceSearch) readers() []source.Span {
	p, err := s.session.OpenPure()
	if err != nil {
		return nil
	}
	var all []source.Span
	for i, d := range p.Documents() {
		e, err := d.Eval()
		if err != nil {
			continue
		}
		froms := map[string]value.Path{}
		e.OnRead = func(from, to *graph.Cell) {
			for _, r := range s.renamings {
				if r.doc == i && slices.Equal(to.Path(), r.path) {
					froms[from.Path().String()] = from.Path()
				}
			}
		}
		if v, err := d.Value(); err == nil {
			_ = value.Walk(v, func(value.Position, value.Value, error) error { return nil })
		}
		e.OnRead = nil
		for _, from := range froms {
			facts, _ := factsAt(d, from)
			for _, f := range facts {
				if f.Role == graph.Sets && !f.At.IsZero() {
					all = append(all, f.At)
				}
			}
		}
	}
	return all
}

// warnings returns a warning for each reference to a renamed key.
func (s *referenceSearch) warnings() []*source.Diagnostic {
	certain, possible := s.all()
	return warningsOf(slices.Concat(certain, possible), "--references renames it as well")
}

// left returns a warning for each reference that was not renamed, though it may be one.
func (s *referenceSearch) left(renamed []reference) []*source.Diagnostic {
	certain, possible := s.all()
	all := slices.DeleteFunc(slices.Concat(certain, possible), func(r reference) bool {
		return slices.ContainsFunc(renamed, func(o reference) bool { return o.At == r.At }) ||
			!r.template && r.Form != expr.FormDirective
	})
	return warningsOf(all, "the renamed document needs no change here; see whether it should be renamed")
}

// warningsOf returns a warning for each place of references.
func warningsOf(refs []reference, hint string) []*source.Diagnostic {
	var found []*source.Diagnostic
	for _, r := range refs {
		d := source.Warnf(r.At, source.Reference, "this refers to %s, which is now called %q", r.path, r.key).WithHint("%s", hint)
		if r.Scope == lint.Pattern {
			d.Message = fmt.Sprintf("this makes %s private, and does not match its new name %q", r.path, r.key)
			d.Hint = ""
		}
		if !slices.ContainsFunc(found, func(o *source.Diagnostic) bool { return o.At == d.At }) {
			found = append(found, d)
		}
	}
	slices.SortStableFunc(found, func(a, b *source.Diagnostic) int {
		if a.At.File != b.At.File {
			return strings.Compare(a.At.File.Name, b.At.File.Name)
		}
		return int(a.At.Start) - int(b.At.Start)
	})
	return found
}

// suggest adds to the error of a renaming the references that were found, and the flag, unless another key has the
// new name, which no flag helps.
func (s *referenceSearch) suggest(err error) error {
	var d *source.Diagnostic
	if errors.As(err, &d) && d.Code == source.DuplicateKey {
		return err
	}
	err = s.explain(err)
	if !errors.As(err, &d) || len(s.warnings()) == 0 {
		return err
	}
	named, hint := *d, "--references renames what refers to it as well"
	if d.Hint != "" {
		hint = d.Hint + "; " + hint
	}
	return named.WithHint("%s", hint)
}

// explain adds to an error the references that were found.
func (s *referenceSearch) explain(err error) error {
	var d *source.Diagnostic
	if !errors.As(err, &d) || len(d.Notes) > 0 {
		return err
	}
	noted := *d
	for _, w := range s.warnings()[:min(len(s.warnings()), maxListed)] {
		noted.Note(w.At, "this refers to the key")
	}
	return &noted
}
