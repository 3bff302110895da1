package docpath

import (
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Next follows the first of steps, of which there must be one, from v, the value at path.
// It returns the value below, its key, and the number of steps that make up the key: in
// {a.b: 1} the path a.b.c takes two steps at once.
//
// Codes: not-found, with similar keys as a hint. Errors of evaluation are returned as
// they are.
func Next(v value.Value, steps []Step, path value.Path) (item value.Value, key value.Key, taken int, err error) {
	switch s := steps[0]; {
	case s.Match != "":
		item, key, err = matchItem(v, s, path)
		return item, key, 1, err
	case v.Is(value.ListKind):
		item, key, err = itemAt(v, steps, path)
		return item, key, 1, err
	case v.Is(value.MapKind):
		return entryAt(v, steps, path)
	default:
		return value.Null, value.Key{}, 1, NotFound(path, s.Key).WithHint("%s is %s", placeName(path), value.Article(v.Kind()))
	}
}

func entryAt(v value.Value, steps []Step, path value.Path) (value.Value, value.Key, int, error) {
	item, key, taken, err := Entry(v, steps)
	if taken > 0 {
		return item, key, taken, err
	}
	first, _ := wholeStep(steps)
	if v.Marks() == 0 && HasQualified(v, steps) {
		first.Key = joinedText(steps[:joinable(steps)])
	}
	missing := NotFound(path, first.Key)
	if first.Star {
		return value.Null, value.Key{}, 1, missing.WithHint("all entries: query FILE '%s'", queryOf(path, steps))
	}
	if v.Marks() == 0 { // the keys of a secret map are secret
		missing.DidYouMean(first.Key, value.KeyTexts(v.Map()))
	}
	if missing.Hint == "" && len(path) == 0 && strings.Contains(first.Key, "/") {
		missing.WithHint(`a JSON pointer begins with "/"`)
	}
	return value.Null, value.Key{}, 1, missing
}

// Entry returns the entry of a map that the first steps name, and the number of these steps, 0 if
// there is no such entry.
func Entry(v value.Value, steps []Step) (item value.Value, key value.Key, taken int, err error) {
	if at := steps[0].at; at != nil {
		item, ok, err := v.Map().Get(*at)
		if ok || err != nil {
			return item.Mark(v.Marks()), *at, 1, err
		}
	}
	for word, taken := range joined(v, steps) {
		get := value.Map.Get
		if taken < len(steps) {
			get = value.Through
		}
		for _, k := range value.KeysSpelt(word) {
			item, ok, err := get(v.Map(), k)
			if ok || err != nil {
				return item.Mark(v.Marks()), k, taken, err
			}
		}
	}
	return value.Null, value.Key{}, 0, nil
}

// fewSteps is the most steps that are joined without looking at the keys of the map first.
const fewSteps = 8

// joined yields the keys of v that the first steps may be, longest first, each with the
// number of its steps: a.b.c yields "a.b.c" 3, "a.b" 2, "a" 1, and a::b yields "a::b" 2, "a" 1. If
// there are many steps, it skips keys that are longer than every key of v.
func joined(v value.Value, steps []Step) iter.Seq2[string, int] {
	return func(yield func(key string, taken int) bool) {
		all := steps[:joinable(steps)]
		fit := all
		if len(all) > fewSteps {
			fit = fitting(v, all)
		}
		text := joinedText(fit)
		for n := len(fit); n > 0; n-- {
			if endsKey(all, n) && !yield(text, n) {
				return
			}
			text = text[:max(0, len(text)-len(all[n-1].Key)-len(all[n-1].Sep))]
		}
	}
}

// joinable returns how many of the first steps may be one key; it is at least 1.
func joinable(steps []Step) int {
	n := 1
	for n < len(steps) && steps[n].Sep != "" && !steps[n].Start {
		n++
	}
	return n
}

// endsKey reports whether a key may end after n of steps. A segment is only divided at its dots
// below a key with "::", as in profile::web.port.
func endsKey(steps []Step, n int) bool {
	if n == len(steps) || !steps[n].Glued || steps[0].Glued {
		return true
	}
	return slices.ContainsFunc(steps[1:n], func(s Step) bool { return s.Sep == "::" })
}

// fitting returns the first of steps, at least one, that joined are no longer than the
// longest key of the map v.
func fitting(v value.Value, steps []Step) []Step {
	longest := 0
	if v.Is(value.MapKind) {
		for k := range v.Map().Keys() {
			longest = max(longest, len(k.Text))
		}
	}
	n, length := 1, len(steps[0].Key)
	for n < len(steps) && length+len(steps[n].Sep)+len(steps[n].Key) <= longest {
		length += len(steps[n].Sep) + len(steps[n].Key)
		n++
	}
	return steps[:n]
}

// joinedText joins the keys of steps with the text between them.
func joinedText(steps []Step) string {
	if len(steps) == 1 {
		return steps[0].Key
	}
	var b strings.Builder
	for i, s := range steps {
		if i > 0 {
			b.WriteString(s.Sep)
		}
		b.WriteString(s.Key)
	}
	return b.String()
}

func itemAt(v value.Value, steps []Step, path value.Path) (value.Value, value.Key, error) {
	s := steps[0]
	i, n := s.Number, v.List().Len()
	if s.Star {
		return value.Null, value.Key{}, NotFound(path, s.Key).WithHint("all items: query FILE '%s'", queryOf(path, steps))
	}
	if !s.Index {
		var err error
		if i, err = strconv.Atoi(s.Key); err != nil {
			return value.Null, value.Key{}, NotFound(path, s.Key).WithHint("%s is a list: it has %s", placeName(path), ItemsToTake(n))
		}
	}
	if i < 0 {
		i += n
	}
	if i < 0 || i >= n {
		return value.Null, value.Key{}, NotFound(path, s.Key).WithHint("the list has %s", ItemsToTake(n))
	}
	item, err := v.List().At(i)
	return item.Mark(v.Marks()), value.Index(i), err
}

// matchItem returns the one item of a list of maps that has the given text under a key.
func matchItem(v value.Value, s Step, path value.Path) (value.Value, value.Key, error) {
	step := fmt.Sprintf("[%s=%s]", s.Match, s.Text)
	if !v.Is(value.ListKind) {
		return value.Null, value.Key{}, NotFound(path, step).WithHint("%s is %s, not a list", placeName(path), value.Article(v.Kind()))
	}
	found, err := Selected(v.List(), s)
	switch {
	case err != nil:
		return value.Null, value.Key{}, err
	case len(found) == 0:
		missing := NotFound(path, step)
		if v.Marks() == 0 {
			missing.DidYouMean(s.Text, slices.Values(selectable(v.List(), s.Match)))
		}
		return value.Null, value.Key{}, missing
	case len(found) > 1:
		return value.Null, value.Key{}, NotFound(path, step).WithHint("items %d and %d both match; exactly one must", found[0], found[1])
	}
	item, err := v.List().At(found[0])
	return item.Mark(v.Marks() | matchMarks(v.List(), s)), value.Index(found[0]), err
}

// matchMarks returns the marks of the entries that [Match=Text] compares: they choose the item.
func matchMarks(l value.List, s Step) value.Marks {
	var marks value.Marks
	for i := range l.Len() {
		if item, err := l.At(i); err == nil && item.Is(value.MapKind) {
			if entry, ok, err := item.Map().Get(value.K(s.Match)); ok && err == nil {
				marks |= entry.Marks()
			}
		}
	}
	return marks
}

// selectable returns the texts that [key=...] selects in the first items of a list, without secrets.
func selectable(l value.List, key string) []string {
	var texts []string
	for i := range min(l.Len(), 1000) {
		item, err := l.At(i)
		if err != nil || !item.Is(value.MapKind) || item.Marks() != 0 {
			continue
		}
		if v, ok, err := item.Map().Get(value.K(key)); ok && err == nil && v.Marks() == 0 {
			if k, isKey := value.KeyOf(v); isKey {
				texts = append(texts, k.Text)
			}
		}
	}
	return texts
}

// Selected returns the indexes of the first two items that [Match=Text] selects.
func Selected(l value.List, s Step) ([]int, error) {
	var found []int
	for i := 0; i < l.Len() && len(found) < 2; i++ {
		item, err := l.At(i)
		if err != nil {
			return nil, err
		}
		if graph.Selects(item, s.Match, s.Text) {
			found = append(found, i)
		}
	}
	return found, nil
}

// queryOf returns the path of a query that matches steps below path, the first of which is "*":
// ::l::*::a for l.*.a. It ends before a step that a query spells in another way.
func queryOf(path value.Path, steps []Step) string {
	var b strings.Builder
	for _, k := range path {
		b.WriteString("::" + k.Text)
	}
	for _, s := range steps {
		switch {
		case s.Star:
			b.WriteString("::*")
		case s.Match != "" && plain(s.Match) && plain(s.Text):
			b.WriteString("::[" + s.Match + "=" + s.Text + "]")
		case s.Match == "" && plain(s.Key):
			b.WriteString("::" + s.Key)
		default:
			return b.String()
		}
	}
	return b.String()
}

// plain reports whether a text is in the path of a query as it is.
func plain(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool {
		return r != '_' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
}

// NotFound returns the error for a missing key of the value at path.
func NotFound(path value.Path, key string) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.NotFound, "no %q in %s", key, placeName(path))
}

// placeName returns the name of a path in messages.
func placeName(path value.Path) string {
	if len(path) == 0 {
		return "the document"
	}
	return path.String()
}

// ItemsToTake returns the number of items of a list and their indexes for a message, such
// as "3 items, [0] to [2]".
func ItemsToTake(n int) string {
	switch n {
	case 0:
		return "no items"
	case 1:
		return "one item, [0]"
	}
	return fmt.Sprintf("%d items, [0] to [%d]", n, n-1)
}

// Literal returns the path in which each step is one key. It is used for places that do
// not exist yet, where no key of the document decides otherwise.
func Literal(steps []Step) value.Path {
	var p value.Path
	for _, s := range Whole(steps) {
		if s.Index {
			p = append(p, value.Index(s.Number))
		} else {
			p = append(p, value.K(s.Key))
		}
	}
	return p
}

// Constant returns the steps as the keys that are written. It returns false if the key of
// a step depends on the document: an index from the end, or [name=web].
func Constant(steps []Step) (keys []value.Key, ok bool) {
	for _, s := range Whole(steps) {
		if s.Match != "" || s.Index && s.Number < 0 {
			return nil, false
		}
		keys = append(keys, value.K(s.Key))
	}
	return keys, true
}

// IsSplit reports whether some of the steps may be one key with dots or "::".
func IsSplit(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Sep != "" && !s.Start })
}

// JoinKnown joins the steps that together are a key of v or of a map below it: in
// {x.y: {z: 1}} the path x.y.z has the steps "x.y" and "z".
func JoinKnown(v value.Value, steps []Step) []Step {
	var known []Step
	for len(steps) > 0 {
		if !v.Is(value.MapKind) {
			return append(known, Whole(steps)...)
		}
		next, n := wholeStep(steps)
		var below value.Value
		for key, taken := range joined(v, steps) {
			if item, ok, err := v.Map().Get(value.K(key)); ok && err == nil {
				below, n = item, taken
				next = steps[0]
				if next.Key, next.Exact = key, next.Exact || n > 1; n > 1 {
					next.Index = false
				}
				break
			}
		}
		known = append(known, next)
		v, steps = below, steps[n:]
	}
	return known
}
