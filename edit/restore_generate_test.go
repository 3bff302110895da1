package edit_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/value"
)

// A docWriter generates documents with directives of all kinds, most of which expand
// without errors.
type docWriter struct {
	*rand.Rand
	b       strings.Builder
	maps    []string // pointers to maps that stand earlier in the document
	lists   []string
	listed  []string // pointers to maps that have a list "tags"
	names   []string // "+&" names
	yaml    []string // YAML anchors of maps
	scalars []string // YAML anchors of scalars
	next    int

	private bool // maps have +private
}

// commonFile is the file that documents include.
const commonFile = "log: info\nlimits: {cpu: 1, mem: 2}\nhosts: [m, n]\ntags: [p, q]\nsub:\n  deep: {x: 1, y: [1, 2]}\n  +../limits:\n"

// layeredText returns a text of one document, sometimes two, with line breaks of one kind.
func layeredText(r *rand.Rand) string {
	text := layeredDocument(r)
	if r.Intn(8) == 0 {
		text += "---\n" + layeredDocument(r)
	}
	if r.Intn(6) == 0 {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// layeredDocument returns a document of a few maps that refer to one another.
func layeredDocument(r *rand.Rand) string { return (&docWriter{Rand: r}).document() }

// document returns the text of a document.
func (w *docWriter) document() string {
	for i := range 3 + w.Intn(5) {
		if w.Intn(4) == 0 {
			w.b.WriteString("# about the next one\n")
		}
		key := fmt.Sprintf("k%d", i)
		switch w.Intn(8) {
		case 0:
			w.list(key)
		case 1:
			w.scalarEntry(key)
		case 2:
			w.blockMap(key)
		case 3:
			w.recordList(key)
		default:
			w.topMap(key)
		}
	}
	return w.b.String()
}

func (w *docWriter) scalar() string {
	all := []string{"1", "80", "0x51", "true", "text", "'quoted'", `"double"`, "1.5", "null", "2024-01-01", `"{{ k0 }}"`, "\"1\"", "!T tagged"}
	if len(w.scalars) > 0 && w.Intn(8) == 0 {
		return "*" + w.scalars[w.Intn(len(w.scalars))] + " "
	}
	return all[w.Intn(len(all))]
}

func (w *docWriter) pick(from []string) (string, bool) {
	if len(from) == 0 {
		return "", false
	}
	return from[w.Intn(len(from))], true
}

// anchor sometimes returns a new YAML anchor, after a space.
func (w *docWriter) anchor(names *[]string) string {
	if w.Intn(4) > 0 {
		return ""
	}
	w.next++
	*names = append(*names, fmt.Sprintf("y%d", w.next))
	return fmt.Sprintf(" &y%d", w.next)
}

func (w *docWriter) scalarEntry(key string) {
	var added []string
	anchor, v := w.anchor(&added), w.scalar()
	if strings.HasPrefix(v, "*") {
		anchor, added = "", nil
	}
	w.scalars = append(w.scalars, added...)
	fmt.Fprintf(&w.b, "%s:%s %s   # a comment\n", key, anchor, v)
}

// topMap writes a map of the document, in block style or on one line.
func (w *docWriter) topMap(key string) {
	entries := w.entries(2, "/"+key)
	anchor := w.anchor(&w.yaml)
	if w.Intn(3) == 0 {
		fmt.Fprintf(&w.b, "%s:%s {%s}\n", key, anchor, strings.Join(entries, ", "))
	} else {
		fmt.Fprintf(&w.b, "%s:%s\n", key, anchor)
		for _, e := range entries {
			fmt.Fprintf(&w.b, "  %s\n", e)
			if w.Intn(6) == 0 {
				w.b.WriteString("\n  # between\n")
			}
		}
	}
	w.maps = append(w.maps, "/"+key)
}

// blockMap writes maps in maps in block style, with relative directives and names.
func (w *docWriter) blockMap(key string) {
	fmt.Fprintf(&w.b, "%s:\n  near: {r: %s, tags: [p, s]}   # near\n", key, w.scalar())
	if w.Intn(2) == 0 {
		w.next++
		fmt.Fprintf(&w.b, "  +&: n%d\n", w.next)
		w.names = append(w.names, fmt.Sprintf("n%d", w.next))
	}
	fmt.Fprintf(&w.b, "  in:\n    # deep\n    deep:\n")
	for _, e := range w.entries(1, "/"+key+"/in/deep") {
		fmt.Fprintf(&w.b, "      %s\n", e)
	}
	if w.Intn(2) == 0 {
		w.b.WriteString("    +../near:\n")
	}
	if w.Intn(2) == 0 {
		fmt.Fprintf(&w.b, "    tags: %s\n", w.flowList())
	}
	w.maps = append(w.maps, "/"+key, "/"+key+"/in/deep", "/"+key+"/in", "/"+key+"/near")
	w.listed = append(w.listed, "/"+key+"/near")
}

// recordList writes a block list of maps with comments, some with references to others.
func (w *docWriter) recordList(key string) {
	fmt.Fprintf(&w.b, "%s:\n", key)
	for i := range 1 + w.Intn(4) {
		if w.Intn(3) == 0 {
			fmt.Fprintf(&w.b, "  # record %d\n", i)
		}
		fmt.Fprintf(&w.b, "  - %s: r%d   # its name\n", []string{"name", "id", "path"}[w.Intn(3)], i)
		if w.Intn(3) == 0 {
			w.b.WriteString("    own: {o: 1, l: [x]}\n    +./own:\n")
		}
		for _, e := range w.entries(1, fmt.Sprintf("/%s/%d", key, i)) {
			fmt.Fprintf(&w.b, "    %s\n", e)
		}
		if w.Intn(5) == 0 {
			w.b.WriteString("\n")
		}
	}
	w.lists = append(w.lists, "/"+key)
}

// entries returns the entries of a map in flow style.
func (w *docWriter) entries(depth int, at string) []string {
	var out []string
	if w.Intn(2) == 0 {
		out = append(out, w.directives()...)
		if w.Intn(4) == 0 {
			out = append(out, "+lists: {"+w.listRules()+"}")
		}
		if w.private && w.Intn(2) == 0 {
			out = append(out, "+private: "+[]string{"[a]", "[b, a]", `[c, "[xyz]"]`, "[]", "[tags]"}[w.Intn(5)])
		}
	}
	based := len(out) > 0 && strings.HasPrefix(out[0], "+")
	for _, k := range w.keys() {
		v := w.scalar()
		switch n := w.Intn(8); {
		case n == 0 && depth > 0:
			v = "{" + strings.Join(w.entries(depth-1, at+"/"+k), ", ") + "}"
			w.maps = append(w.maps, at+"/"+k)
		case n == 1 || k == "tags":
			v = w.flowList()
			w.lists = append(w.lists, at+"/"+k)
		case n == 2 && based:
			v = "{+%: " + []string{"whiteout", "nullout", "replace, w: 1"}[w.Intn(3)] + "}"
		}
		out = append(out, k+": "+v)
	}
	if len(out) == 0 {
		out = append(out, "z: 1")
	}
	if slices.ContainsFunc(out, func(e string) bool { return strings.HasPrefix(e, "tags: ") }) {
		w.listed = append(w.listed, at)
	}
	return out
}

// listRules returns one or two rules for lists.
func (w *docWriter) listRules() string {
	policies := []string{"union", "append", "replace", "by name", "by name"}
	rules := []string{[]string{"tags", "\"*\"", "a.tags", "y"}[w.Intn(4)] + ": " + policies[w.Intn(5)]}
	if w.Intn(3) == 0 {
		rules = append(rules, "c: "+policies[w.Intn(5)])
	}
	return strings.Join(rules, ", ")
}

func (w *docWriter) keys() []string {
	var keys []string
	for _, k := range []string{"a", "b", "c", "d", "tags"} {
		if w.Intn(2) == 0 {
			keys = append(keys, k)
		}
	}
	return keys
}

// directives returns the directives of a map.
func (w *docWriter) directives() []string {
	var out []string
	for range 1 + w.Intn(2) {
		switch w.Intn(9) {
		case 0:
			out = append(out, "+include: common.yaml")
		case 1:
			if y, ok := w.pick(w.yaml); ok {
				out = append(out, "<<: *"+y)
			}
		case 2:
			if y, ok := w.pick(w.yaml); ok {
				out = append(out, "+*"+y+": ")
			}
		case 3:
			out = append(out, "+?/nowhere: ")
		case 4:
			if n, ok := w.pick(w.names); ok {
				out = append(out, "+*"+n+"/in: ")
			}
		case 5:
			if m, ok := w.pick(w.listed); ok {
				out = append(out, "+"+m+": ")
			}
		default:
			if m, ok := w.pick(w.maps); ok {
				out = append(out, "+"+m+": "+[]string{"", "", "", "raw"}[w.Intn(4)])
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (w *docWriter) flowList() string {
	var items []string
	if w.Intn(8) == 0 {
		items = append(items, []string{"{+%: replace}", "{+%: merge}", "{+%: merge, v: 2}"}[w.Intn(3)])
	}
	for _, s := range []string{"p", "q", "r", "1", "{name: x, v: 1}", "{name: y}", "{name: x, +%: whiteout}"} {
		if w.Intn(2) == 0 {
			items = append(items, s)
		}
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// list writes a list of the document, with splices and items that refer to maps.
func (w *docWriter) list(key string) {
	fmt.Fprintf(&w.b, "%s:\n", key)
	for i := range 1 + w.Intn(4) {
		item := fmt.Sprintf("i%d", i)
		switch n := w.Intn(6); {
		case n == 0:
			if l, ok := w.pick(w.lists); ok {
				item = "{+" + l + ": }"
			}
		case n == 1:
			if m, ok := w.pick(w.maps); ok {
				item = "{+" + m + ": , name: n" + fmt.Sprint(i) + "}"
			}
		case n == 2:
			item = "{name: m" + fmt.Sprint(i) + ", v: " + w.scalar() + "}"
		case n == 3 && len(w.yaml) > 0:
			item = "*" + w.yaml[w.Intn(len(w.yaml))]
		}
		fmt.Fprintf(&w.b, "  - %s\n", item)
		if w.Intn(5) == 0 {
			w.b.WriteString("  # in the list\n")
		}
	}
	w.lists = append(w.lists, "/"+key)
}

// changed returns a document with one change somewhere.
func changed(r *rand.Rand, v value.Value) value.Value {
	switch {
	case v.Is(value.MapKind) && v.Map().Len() > 0 && r.Intn(5) > 0:
		return changedMap(r, v.Map())
	case v.Is(value.ListKind) && r.Intn(5) > 0:
		return changedList(r, v.List())
	}
	return newValue(r)
}

func newValue(r *rand.Rand) value.Value {
	m := value.NewMap(1)
	m.Set(value.K("fresh"), value.Int(int64(r.Intn(100))))
	all := []value.Value{
		value.Int(int64(r.Intn(1000))), value.String("new"), value.Null, value.Bool(false), value.Float(2.5),
		value.ListOf(value.String("p"), value.String("new")), value.ListOf(), value.FromMap(m), value.FromMap(value.NewMap(0)),
	}
	return all[r.Intn(len(all))]
}

// newNames returns the names of private keys.
func newNames(r *rand.Rand) value.Value {
	var names value.Slice
	for _, name := range []string{"a", "b", "new*"} {
		if r.Intn(2) == 0 {
			names = append(names, value.String(name))
		}
	}
	return value.FromList(names)
}

func changedMap(r *rand.Rand, m value.Map) value.Value {
	var keys []value.Key
	for k := range m.Keys() {
		keys = append(keys, k)
	}
	at := r.Intn(len(keys))
	what := r.Intn(10)
	if what == 9 {
		r.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	}
	out := value.NewMap(len(keys))
	for i, k := range keys {
		item, _, _ := m.Get(k)
		if i == at {
			switch what {
			case 0:
				continue
			case 1:
				k = value.K("renamed")
			case 2:
				out.Set(value.K("added"), newValue(r))
			case 3, 9:
			default:
				if item = changed(r, item); k == graph.PrivateKey {
					item = newNames(r)
				}
			}
		}
		out.Set(k, item)
	}
	if what == 3 {
		out.Set(value.K("last"), newValue(r))
	}
	return value.FromMap(out)
}

func changedList(r *rand.Rand, l value.List) value.Value {
	var items value.Slice
	for item := range value.Items(l) {
		items = append(items, item)
	}
	n := len(items)
	switch what := r.Intn(6); {
	case what == 0 || n == 0:
		items = append(items, newValue(r))
	case what == 1:
		at := r.Intn(n)
		items = slices.Delete(items, at, at+1)
	case what == 2:
		items = slices.Insert(items, r.Intn(n), value.Value(value.String("inserted")))
	case what == 3 && n > 1:
		items[0], items[n-1] = items[n-1], items[0]
	default:
		at := r.Intn(n)
		items[at] = changed(r, items[at])
	}
	return value.FromList(items)
}
