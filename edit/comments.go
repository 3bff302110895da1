package edit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/engine"
	"github.com/yaytpl/yaytpl/internal/frontend"
	"github.com/yaytpl/yaytpl/internal/overlay"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/roundtrip"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Comments of an edited document are written back after its values (spec: everyday, A5). Three
// texts are compared: the document as it was opened, as it was edited, and as the new texts
// expand. A comment that differs from both of the others was written by the user and is not in
// the source yet:
//
//	opened          edited            new text        source
//	a: 1 # one      a: 1 # uno        a: 1 # one      a: 1 # one     --> # uno
//	                # two
//	                b: 2              # two
//	                                  b: 2                           nothing: b is new
//
// The entry of the source that has the value gets the comment. If the value is not written in a
// file that is edited, a warning names the comment.

// A commentChange is a comment that the user wrote or removed.
type commentChange struct {
	roundtrip.CommentEdit             // Path is the path in the expanded document
	at                    source.Span // of the key in the edited document
}

// writeComments writes the changed comments of all documents.
func (r *restoration) writeComments() error {
	if source.LanguageOf(r.changed.Name) == frontend.JSON {
		return nil
	}
	edited, err := roundtrip.Parse(r.changed, roundtrip.Syntax{})
	if err != nil || len(edited.Docs) != len(r.folds) {
		return nil
	}
	for i, f := range r.folds {
		was, ok := f.rendered(f.opened)
		if !ok || was == nil && !strings.Contains(r.changed.Text, "#") {
			continue
		}
		if err := f.writeComments(was, edited.Docs[i]); err != nil {
			return err
		}
	}
	return nil
}

// rendered returns a document of the source as it is shown to the user, parsed; nil without
// content. ok is false if it cannot be shown.
func (f *fold) rendered(d *engine.Document) (doc *yaml.Document, ok bool) {
	v, err := overlay.Expanded(d)
	if f.options.Evaluated && err == nil {
		d.Begin()
		v, err = d.Value()
	}
	var b bytes.Buffer
	o := yaml.EncodeOptions{Reveal: true}
	o.Head, o.Foot = d.Comments()
	o.Tag = d.Tag()
	if err != nil || yaml.Encode(&b, v, o) != nil {
		return nil, false
	}
	t, err := roundtrip.Parse(source.NewFile(f.changed.Name, b.String()), roundtrip.Syntax{})
	if err != nil || len(t.Docs) != 1 {
		return nil, err == nil
	}
	return t.Docs[0], true
}

// now returns the document of f with the current texts.
func (f *fold) now() (*engine.Document, error) {
	p, err := f.Project()
	if err != nil {
		return nil, err
	}
	return p.Only(f.doc.Index())
}

// writeComments writes the changed comments of one document: all at once or, if the result is
// not as intended, one by one.
func (f *fold) writeComments(was, edited *yaml.Document) error {
	d, err := f.now()
	if err != nil {
		return err
	}
	now, ok := f.rendered(d)
	if !ok {
		return nil
	}
	f.warnTags(edited, now)
	changes := f.changedComments(was, edited, now)
	if len(changes) == 0 {
		return nil
	}
	if f.tryComments(changes) {
		return nil
	}
	for i, c := range changes {
		if i < maxComments && f.tryComments([]commentChange{c}) {
			continue
		}
		if f.exposed != nil {
			return f.exposed
		}
		f.notKept(c)
	}
	return f.Err()
}

// maxComments bounds the comments that are tried one by one: each try opens the files again.
const maxComments = 100

// changedComments returns the comments in which the edited document differs from both others.
func (f *fold) changedComments(was, edited, now *yaml.Document) []commentChange {
	olds, news := commentsOf(was), commentsOf(now)
	var changes []commentChange
	eachPlace(edited, func(path value.Path, at source.Span, c yaml.Comments, _ *yaml.Node) {
		old, cur := olds[path.Pointer()], news[path.Pointer()]
		for part := roundtrip.HeadComment; part <= roundtrip.FootComment; part++ {
			text := tidy(partOf(c, part))
			if text == tidy(partOf(old, part)) || text == tidy(partOf(cur, part)) || text == "" && !f.options.Comments {
				continue
			}
			changes = append(changes, commentChange{roundtrip.CommentEdit{Path: slices.Clone(path), Part: part, Text: text}, at})
		}
	})
	return changes
}

// eachPlace calls visit for a document, with an empty path, and for each entry and item, with its comments and value.
func eachPlace(d *yaml.Document, visit func(path value.Path, at source.Span, c yaml.Comments, n *yaml.Node)) {
	if d == nil {
		return
	}
	visit(nil, d.At.Sub(0, 0), yaml.Comments{Head: d.Head, Foot: d.Foot}, d.Root)
	var walk func(n *yaml.Node, path value.Path, depth int)
	walk = func(n *yaml.Node, path value.Path, depth int) {
		if n == nil || depth > value.MaxNesting {
			return
		}
		for i := range n.Entries {
			e := &n.Entries[i]
			at := path.With(e.Key)
			visit(at, e.KeyAt, *e.Comments, e.Value)
			walk(e.Value, at, depth+1)
		}
		for i, item := range n.Items {
			at := path.With(value.Index(i))
			visit(at, item.At.Sub(0, 0), item.Comments, item)
			walk(item, at, depth+1)
		}
	}
	walk(d.Root, nil, 0)
}

// commentsOf returns the comments of a document by path.
func commentsOf(d *yaml.Document) map[string]yaml.Comments {
	all := map[string]yaml.Comments{}
	eachPlace(d, func(path value.Path, _ source.Span, c yaml.Comments, _ *yaml.Node) {
		if c != (yaml.Comments{}) {
			all[path.Pointer()] = c
		}
	})
	return all
}

// warnTags warns of the tags of lists and maps in the edited document that the new texts do not have: only values and
// comments are written to them. The text of an encrypted document is not quoted.
func (f *fold) warnTags(edited, now *yaml.Document) {
	if f.changed.Secret {
		return
	}
	has := map[string]string{}
	eachPlace(now, func(path value.Path, _ source.Span, _ yaml.Comments, n *yaml.Node) {
		if tag := ownTag(n); tag != "" {
			has[path.Pointer()] = tag
		}
	})
	eachPlace(edited, func(path value.Path, at source.Span, _ yaml.Comments, n *yaml.Node) {
		tag, old := ownTag(n), has[path.Pointer()]
		if n == nil || n.Aliased().Kind == yaml.ScalarNode || tag == old {
			return
		}
		what := "the tag " + tag
		if tag == "" {
			what = "the removal of the tag " + old
		}
		w := source.Warnf(at, source.Suspicious, "%s at %s was not kept: the tags of lists and maps stay as they are in %s", what, path, f.Name)
		f.warnings = append(f.warnings, w.WithHint("change the tag in the file"))
	})
}

// ownTag returns the tag of a list or map, "" for others.
func ownTag(n *yaml.Node) string {
	if n == nil || n.Aliased().Tag == "" {
		return ""
	}
	if note := n.Annotation(); note != nil {
		return note.Tag
	}
	return ""
}

// partOf returns the head, line or foot comment.
func partOf(c yaml.Comments, part roundtrip.CommentPart) string {
	switch part {
	case roundtrip.HeadComment:
		return c.Head
	case roundtrip.LineComment:
		return c.Line
	}
	return c.Foot
}

// tidy returns a comment without the blanks around its lines.
func tidy(comment string) string {
	lines := strings.Split(comment, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimSpace(line)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// tryComments writes comments and accepts the texts if the document has the same values and
// these comments.
func (f *fold) tryComments(changes []commentChange) bool {
	d, err := f.now()
	if err != nil {
		return false
	}
	type target struct {
		path, lang string
		doc        int
	}
	edits := map[target][]roundtrip.CommentEdit{}
	var order []target
	for _, c := range changes {
		at, ok := f.commented(d, c.Path)
		if !ok {
			return false
		}
		to := target{at.path, at.lang, at.doc}
		if edits[to] == nil {
			order = append(order, to)
		}
		e := c.CommentEdit
		e.Path = at.at
		edits[to] = append(edits[to], e)
	}
	if len(order) != 1 {
		return false // one by one
	}
	t, refused, err := f.Comment(order[0].path, order[0].lang, order[0].doc, edits[order[0]])
	if err != nil || len(refused) > 0 {
		return false
	}
	p, err := f.Open(t)
	if err != nil || len(p.Documents()) != len(f.folds) {
		return false
	}
	for i, after := range p.Documents() {
		before, err := f.folds[i].now()
		if err != nil {
			return false
		}
		old, oldErr := overlay.Expanded(before)
		v, err := overlay.Expanded(after)
		if err != nil || oldErr != nil || !value.IsSame(old, v) {
			return false
		}
	}
	after, err := p.Only(f.doc.Index())
	if err != nil {
		return false
	}
	shown, ok := f.rendered(after)
	if !ok {
		return false
	}
	has := commentsOf(shown)
	for _, c := range changes {
		if tidy(partOf(has[c.Path.Pointer()], c.Part)) != c.Text {
			return false
		}
	}
	f.exposed = f.accept(t, p)
	return f.exposed == nil
}

// commented returns the place in a file of the entry or item at a path of the document.
func (f *fold) commented(d *engine.Document, path value.Path) (definition, bool) {
	main := definition{path: f.Path, lang: f.Lang, doc: d.Index(), at: path}
	switch {
	case f.isYay():
		return main, false
	case len(path) == 0:
		return main, true
	}
	docs, err := f.Parse(f.Path, f.Lang)
	if v, bad := overlay.Expanded(d); err == nil && bad == nil && d.Index() < len(docs) && isOwn(docs[d.Index()].Root, v, path) {
		return main, true
	}
	facts, err := factsAt(d, path)
	if err != nil {
		return main, false
	}
	for _, fact := range facts {
		b := newBatch(f.session, d.Project())
		own := b.isMain(fact.At.File) && len(fact.Includes)+len(fact.Through) == 0
		if !fact.Defines() || !own && f.eo.To != Source {
			continue
		}
		at, err := b.definition(fact, path)
		return at, err == nil && at.node != nil && len(at.at) > 0 && at.at[len(at.at)-1] == path[len(path)-1]
	}
	return main, false
}

// isOwn reports whether the tree n of the named file has the place at a path of the document v
// itself. A list that joins an older one has other indexes.
func isOwn(n *yaml.Node, v value.Value, path value.Path) bool {
	for i, k := range path {
		if n == nil {
			return false
		}
		if n.Kind == yaml.SeqNode {
			if list, ok := lookup(v, path[:i]); !ok || !list.Is(value.ListKind) || list.List().Len() != len(n.Items) {
				return false
			}
		}
		n = childOf(n, k)
	}
	return n != nil
}

// notKept warns that a comment could not be written, unless the user removed it.
func (f *fold) notKept(c commentChange) {
	if c.Text == "" {
		return
	}
	what := "the comment"
	if line, _, _ := strings.Cut(c.Text, "\n"); !f.changed.Secret {
		what = fmt.Sprintf("the comment %q", source.Cut(line, 60))
	}
	w := source.Warnf(c.at, source.Suspicious, "%s at %s was not kept: %s has no place for it", what, c.Path, f.Name)
	elsewhere := false
	if d, err := f.now(); err == nil {
		if facts, err := factsAt(d, c.Path); err == nil {
			for _, fact := range facts {
				if fact.Role == graph.Sets && !fact.At.IsZero() {
					w.Note(fact.At, "the value is written here")
					elsewhere = fact.At.File.Path != f.Path
					break
				}
			}
		}
	}
	switch {
	case f.isYay():
		w.WithHint("documents do not show comments of Yay files: write it into the file, on a line above the key")
	case f.eo.To != Source && elsewhere:
		w.WithHint("--to=source writes it where the value is written")
	}
	f.warnings = append(f.warnings, w)
}
