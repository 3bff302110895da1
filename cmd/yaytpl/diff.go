package main

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"github.com/yaytpl/yaytpl/value/align"
)

func (a *app) diffCommand() *cobra.Command {
	project := projectFlags{injects: true}
	var result resultFlags
	var why bool
	var base []string
	by := oneOf("identity", "identity", "position")
	c := &cobra.Command{
		Use:   "diff A B",
		Short: "compare two finished documents",
		Long: `Compares two finished documents path by path. The status is 5 if they differ. Formats other
than text print a list of {path, old, new}. A and B are FILEs or @TARGETs, --base is a layer below
both. With --why each change has the places that set the new value (set, merged, deleted), those of
the old one (was), and those of other values that the new one was computed from and that differ
(uses).`,
		Example: `  yaytpl diff old.yaml new.yaml
  + web.port: 80
  ~ web.host: "a" -> "b"
  - debug: true
  yaytpl diff --why main/site.yaml branch/site.yaml`,
		Args: exactly("A", "B"),
		RunE: func(c *cobra.Command, args []string) error {
			o := result.options("text")
			o.Redact = !o.Reveal
			layers := project.layerFiles() // A and B have the same layers above them
			if err := readableOnce(args, layers, layers, base, base); err != nil {
				return err
			}
			a.startProgress("comparing")
			compare, pairs := comparison(o, by.is("position"))
			d, err := project.diff(c.Context(), a, base, args[0], args[1], compare, pairs)
			if err != nil {
				return err
			}
			if why {
				if err := project.explainChanges(&d); err != nil {
					return err
				}
			}
			return a.reportDifference(d, o)
		},
	}
	c.ValidArgsFunction = a.completeTargets(&project)
	own := newFlagGroup("Flags")
	own.set.Var((*textList)(&base), "base", "`FILE` is a layer below A and B (repeatable)")
	own.set.BoolVar(&why, "why", false, "print the places in the files that made each change")
	own.set.Var(&by, "by", "how documents and items of lists are paired: by what they are, such as their names, or by position")
	return a.withFlags(c, project.groups(own, result.group("text"))...)
}

// comparison returns the functions that compare two values and pair documents. Without --reveal the
// result says of hidden values that they differ, but not their paths.
func comparison(o yaytpl.RenderOptions, byPosition bool) (comparer, pairer) {
	switch {
	case !byPosition:
		return func(a, b value.Value) ([]value.Change, error) { return align.Diff(a, b, !o.Reveal) }, pairDocuments
	case o.Reveal:
		return value.Diff, pairByPosition
	}
	return value.DiffMasked, pairByPosition
}

// reportDifference prints a difference, and returns errFindings if there is one.
func (a *app) reportDifference(d difference, o yaytpl.RenderOptions) error {
	if err := a.writeDifference(d, o); err != nil && a.stdout.failed == nil {
		return err // the end of the run reports an error of the stream
	}
	if len(d.changes) > 0 {
		return errFindings
	}
	return nil
}

// A difference lists the changes from one file to another.
type difference struct {
	project valueWriter // of the new file
	before  *yaytpl.Project
	after   *yaytpl.Project
	changes []change
	most    int // bytes of the lines
}

// A valueWriter writes values in the form of the options.
type valueWriter interface {
	WriteValue(w io.Writer, v value.Value, o yaytpl.RenderOptions) error
}

// A change is one changed path in one of the documents.
type change struct {
	value.Change
	doc string // "document 1 ", or "" for a single document
	at  documentPair
	why []reason
}

// A comparer compares two values, and a pairer pairs the documents of two streams.
type (
	comparer func(a, b value.Value) ([]value.Change, error)
	pairer   func(before, after []value.Value) []documentPair
)

// diff compares the documents of two files, each over the files of base.
func (f *projectFlags) diff(ctx context.Context, a *app, base []string, oldFile, newFile string, compare comparer, pairs pairer) (difference, error) {
	old, before, err := f.values(ctx, a, base, oldFile)
	if err != nil {
		return difference{}, err
	}
	p, after, err := f.values(ctx, a, base, newFile)
	if err != nil {
		return difference{}, err
	}
	d := difference{project: p, before: old, after: p, most: f.mostOutput()}
	d.changes, err = changesOf(before, after, compare, pairs)
	return d, err
}

// changesOf compares documents pairwise. Documents that only one side has are added or deleted as a whole.
func changesOf(before, after []value.Value, compare comparer, pairs pairer) (all []change, err error) {
	several := max(len(before), len(after)) > 1
	for _, at := range pairs(before, after) {
		var changes []value.Change
		number := at.old
		switch {
		case at.old < 0:
			number = at.now
			changes = []value.Change{{New: after[at.now], HasNew: true}}
		case at.now < 0:
			changes = []value.Change{{Old: before[at.old], HasOld: true}}
		default:
			if changes, err = compare(before[at.old], after[at.now]); err != nil {
				return nil, err
			}
		}
		name := ""
		if several {
			name = fmt.Sprintf("document %d ", number)
		}
		for _, c := range changes {
			all = append(all, change{Change: c, doc: name, at: at})
		}
	}
	return all, nil
}

// A documentPair is the number of a document in each of two streams, -1 for none.
type documentPair struct{ old, now int }

// pairByPosition pairs the first documents, the second ones, and so on.
func pairByPosition(before, after []value.Value) []documentPair {
	pairs := make([]documentPair, max(len(before), len(after)))
	for i := range pairs {
		pairs[i] = documentPair{i, i}
		if i >= len(before) {
			pairs[i].old = -1
		} else if i >= len(after) {
			pairs[i].now = -1
		}
	}
	return pairs
}

// pairDocuments pairs documents by apiVersion, kind, namespace and name if all have kind and name, and
// else by position (spec: everyday, B5). Documents with the same four pair in their order.
func pairDocuments(before, after []value.Value) []documentPair {
	old, ok := identities(before)
	if !ok {
		return pairByPosition(before, after)
	}
	now, ok := identities(after)
	if !ok {
		return pairByPosition(before, after)
	}
	places := map[[4]string][]int{}
	for j, id := range now {
		places[id] = append(places[id], j)
	}
	var pairs []documentPair
	taken := make([]bool, len(after))
	for i, id := range old {
		pair := documentPair{i, -1}
		if free := places[id]; len(free) > 0 {
			pair.now, places[id] = free[0], free[1:]
			taken[pair.now] = true
		}
		pairs = append(pairs, pair)
	}
	for j := range after {
		if !taken[j] {
			pairs = append(pairs, documentPair{-1, j})
		}
	}
	return pairs
}

// identities returns apiVersion, kind, namespace and name of documents, and false if one has no kind or
// name, or they are hidden.
func identities(docs []value.Value) ([][4]string, bool) {
	ids := make([][4]string, len(docs))
	for i, d := range docs {
		for n, path := range [4][]string{{"apiVersion"}, {"kind"}, {"metadata", "namespace"}, {"metadata", "name"}} {
			v := d
			for _, k := range path {
				if !v.Is(value.MapKind) || v.Marks() != 0 {
					return nil, false
				}
				var err error
				if v, _, err = v.Map().Get(value.K(k)); err != nil {
					return nil, false
				}
			}
			if v.Marks() != 0 || (n == 1 || n == 3) && !v.Is(value.StringKind) {
				return nil, false
			}
			ids[i][n] = v.Str()
		}
	}
	return ids, true
}

// values returns the finished documents of a file or target over others.
func (f *projectFlags) values(ctx context.Context, a *app, base []string, file string) (*yaytpl.Project, []value.Value, error) {
	all, err := f.workspace.each(a, append(slices.Clip(base), file))
	if err != nil {
		return nil, nil, err
	}
	p, err := f.openStack(ctx, a, all[len(base)].Over(all[:len(base)]...))
	if err != nil {
		return nil, nil, err
	}
	values, err := f.documentValues(p)
	return p, values, err
}

// documentValues returns the finished documents of a project, or the one that --doc names.
func (f *projectFlags) documentValues(p *yaytpl.Project) ([]value.Value, error) {
	docs, err := f.documents(p)
	if err != nil {
		return nil, err
	}
	var values []value.Value
	for _, d := range docs {
		v, err := d.Value()
		if err == nil {
			err = d.Force(v)
		}
		if err != nil {
			return nil, err
		}
		values = append(values, v)
	}
	return values, nil
}

// A reason is a place that a change comes from.
type reason struct {
	role string // set, merged or deleted; was: of the old value; uses: of another value
	at   source.Span
	path string // of uses
}

// text returns a reason as a line below the change.
func (r reason) text() string {
	return strings.TrimRight(fmt.Sprintf("  %-8s %s   %s", r.role, r.at.String(), r.path), " ")
}

// reasons returns the reasons of a change as a list of maps with role, at and path.
func (c change) reasons() value.Value {
	var items []value.Value
	for _, r := range c.why {
		m := value.NewMap(3)
		m.Set(value.K("role"), value.String(r.role))
		m.Set(value.K("at"), value.String(r.at.String()))
		if r.path != "" {
			m.Set(value.K("path"), value.String(r.path))
		}
		items = append(items, value.FromMap(m))
	}
	return value.ListOf(items...)
}

// explainChanges adds the reasons of all changes.
func (f *projectFlags) explainChanges(d *difference) error {
	before, err := f.documents(d.before)
	if err != nil {
		return err
	}
	after, err := f.documents(d.after)
	if err != nil {
		return err
	}
	for i := range d.changes {
		c := &d.changes[i]
		old, now, path := c.at.old, c.at.now, c.Path
		if c.NewPath != nil {
			path = c.NewPath
		}
		if n := len(c.Path); n > 0 && c.Path[n-1].Kind == value.IntKind { // another item may have the index
			if !c.HasOld {
				old = -1
			} else if !c.HasNew {
				now = -1
			}
		}
		c.why = whyChanged(explained(before, old, c.Path), explained(after, now, path))
	}
	return nil
}

// explained returns the explanation of a value, an empty one of a value that is not there.
func explained(docs []*yaytpl.Document, i int, path value.Path) *yaytpl.Explanation {
	if i >= 0 && i < len(docs) {
		if x, err := docs[i].Explain(cmp.Or(path.Pointer(), ".")); err == nil {
			return x
		}
	}
	return &yaytpl.Explanation{}
}

// whyChanged returns the reasons of a change between two values.
func whyChanged(before, after *yaytpl.Explanation) []reason {
	why, was := []reason{}, []reason{}
	used := map[string]value.Value{}
	for _, f := range before.Facts {
		switch role := string(f.Role); role {
		case "set", "merged":
			was = append(was, reason{role: "was", at: f.At})
		case "uses":
			used[f.Path.String()] = f.Val
		}
	}
	for _, f := range after.Facts {
		switch role := string(f.Role); role {
		case "set", "merged", "deleted", "either":
			why = append(why, reason{role: role, at: f.At})
		case "uses":
			path := f.Path.String()
			if old, ok := used[path]; ok {
				if same, err := value.Equal(old, f.Val); same && err == nil {
					continue
				}
			}
			why = append(why, reason{role: role, at: f.At, path: path})
		}
	}
	return slices.DeleteFunc(append(why, was...), func(r reason) bool { return r.at.IsZero() })
}

// The colours of a difference.
const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = "\x1b[0m"
)

func (a *app) writeDifference(d difference, o yaytpl.RenderOptions) error {
	if o.Form != "text" {
		return d.project.WriteValue(a.stdout, d.list(), o)
	}
	written := 0
	for _, c := range d.changes {
		line, color := d.text(c, o)
		for _, r := range c.why {
			written += len(r.text()) + 1
		}
		if written += len(line) + 1; written > d.most {
			return source.Errorf(source.Span{}, source.Limit, "the output is longer than the limit of %d bytes (--max-bytes)", d.most)
		}
		line = source.Escaped(line)
		if a.colored(a.out) {
			line = color + line + plain
		}
		for _, r := range c.why {
			line += "\n" + source.Escaped(r.text())
		}
		if _, err := a.stdout.WriteString(line + "\n"); err != nil {
			return err
		}
	}
	return nil
}

// text returns a change as one line, and its colour.
func (d difference) text(c change, o yaytpl.RenderOptions) (line, color string) {
	place := c.doc + c.Path.String()
	switch {
	case !c.HasOld:
		return "+ " + place + ": " + d.oneLine(c.New, o), green
	case !c.HasNew:
		return "- " + place + ": " + d.oneLine(c.Old, o), red
	}
	before, after := d.oneLine(c.Old, o), d.oneLine(c.New, o)
	line = "~ " + place + ": " + before + " -> " + after
	if before == after {
		line += " (changed)" // in hidden values
	}
	return line, yellow
}

// oneLine returns a value as compact JSON, or as text if JSON cannot represent it, as .inf. Of a value
// that is longer than the limit of output it returns the kind and the size.
func (d difference) oneLine(v value.Value, o yaytpl.RenderOptions) string {
	o.Compact, o.DropTags = true, true
	for _, o.Form = range []string{"json", "text"} {
		var b bytes.Buffer
		if d.project.WriteValue(&b, v, o) == nil {
			return strings.TrimRight(b.String(), "\n")
		}
	}
	switch v.Kind() {
	case value.ListKind:
		return fmt.Sprintf("{list of %d items, too long to be shown}", v.List().Len())
	case value.MapKind:
		return fmt.Sprintf("{map of %d keys, too long to be shown}", v.Map().Len())
	}
	return fmt.Sprintf("{%s, too long to be shown}", v.Kind())
}

// list returns the changes as a list of maps with the keys path, old and new. An added path
// has no key old, a deleted one no key new.
func (d difference) list() value.Value {
	items := make([]value.Value, len(d.changes))
	for i, c := range d.changes {
		m := value.NewMap(3)
		m.Set(value.K("path"), value.String(c.doc+c.Path.String()))
		if c.HasOld {
			m.Set(value.K("old"), c.Old)
		}
		if c.HasNew {
			m.Set(value.K("new"), c.New)
		}
		if c.why != nil {
			m.Set(value.K("why"), c.reasons())
		}
		items[i] = value.FromMap(m)
	}
	return value.ListOf(items...)
}
