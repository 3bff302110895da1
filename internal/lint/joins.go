package lint

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// maxJoins bounds the findings about the layers of one document.
const maxJoins = 1000

// Joins returns warnings about layers of a document that join in a way that was probably not
// meant, sorted by place, each kind once for a place (spec: everyday, A3 and B8). The documents of the
// layers, and of the files that they include, say which keys are read. Keys that only a newer layer has
// are reported if all is set, or else if an older one is at most two changes away.
//
// It returns an error if a limit is exceeded.
func Joins(e *graph.Eval, layers, included []*graph.Doc, all bool) ([]*source.Diagnostic, error) {
	type finding struct {
		code source.Code
		at   source.Span
	}
	seen := map[finding]bool{}
	var found []*source.Diagnostic
	var read *readKeys
	err := e.Joins(func(j graph.Join) bool {
		if j.Kind == graph.NewKey {
			if !all && !nearlyOld(j) {
				return true
			}
			if read == nil {
				read = keysRead(layers, included)
			}
			if read.has(j.Field) {
				return true
			}
		}
		d := aboutJoin(j)
		if f := (finding{d.Code, d.At}); !seen[f] {
			seen[f] = true
			found = append(found, d)
		}
		return len(found) < maxJoins
	})
	slices.SortStableFunc(found, func(a, b *source.Diagnostic) int {
		return cmp.Or(cmp.Compare(fileName(a.At), fileName(b.At)), cmp.Compare(a.At.Start, b.At.Start))
	})
	if len(found) == maxJoins {
		found[maxJoins-1].Note(source.Span{}, "there may be more: only the first %d are reported", maxJoins)
	}
	return found, err
}

func fileName(at source.Span) string {
	if at.File == nil {
		return ""
	}
	return at.File.Name
}

// aboutJoin returns the warning about a join.
func aboutJoin(j graph.Join) *source.Diagnostic {
	place := j.Path.String()
	if len(j.Path) == 0 {
		place = "of the document"
	}
	warn := func(code source.Code, format string, args ...any) *source.Diagnostic {
		d := source.Warnf(j.Newer.At, code, format, args...)
		d.Includes = j.Newer.Includes
		return d
	}
	older := func(d *source.Diagnostic, what string) *source.Diagnostic {
		if j.Older.At.IsZero() {
			return d
		}
		return d.Note(j.Older.At, "%s", what)
	}
	switch j.Kind {
	case graph.NotPrivate:
		d := warn(source.Suspicious, "%q is private, but no key of %s", j.Field, strings.TrimPrefix(place, "of "))
		return d.DidYouMean(j.Field, slices.Values(j.Names))
	case graph.NewKey:
		d := older(warn(source.UnknownKey, "the older layers have no key %q%s", j.Field, in(j.Path)), "the older map")
		return d.DidYouMean(j.Field, slices.Values(j.Names))
	case graph.NullIgnored:
		return older(warn(source.NullIgnored, "null adds nothing to the map %s", place), "the map").
			WithHint("{+%%: nullout} makes it null, {+%%: whiteout} removes it")
	case graph.Repeats:
		d := warn(source.ListRepeat, "%s is not repeated: the older list %s has it", quoted(j.Newer.Val, "this item"), place)
		d = older(d, "the item of the older list")
		if len(j.Path) == 0 {
			return d.WithHint("{+%%: replace} as the first item drops the older list")
		}
		return d.WithHint("+lists: {%s: append} keeps repeats, %s: replace drops the older list", listKey(j.Path), listKey(j.Path))
	case graph.Twins:
		d := warn(source.ListTwin, "two items of %s have the %s %s", strings.TrimPrefix(place, "of "), j.Field, quoted(j.Newer.Val, "of this one"))
		if j.Rule != "" {
			d.Message += fmt.Sprintf(", and no %q, by which the list joins", j.Rule)
		}
		return older(d, "the older item").WithHint("+lists: {%s: by %s} joins them", listKey(j.Path), j.Field)
	case graph.Unmatched:
		return aboutWhiteout(j, older(warn(source.WhiteoutUnmatched, "this whiteout removes no item of %s", strings.TrimPrefix(place, "of ")), "the older list"))
	}
	d := older(warn(source.KindChange, "%s overrides %s: %s", j.Newer.Shape, j.Older.Shape, place), "the older value")
	return hintKind(d, j)
}

// nearlyOld reports whether a new key is at most two changes away from an older one.
func nearlyOld(j graph.Join) bool {
	near := source.Suggest(j.Field, slices.Values(j.Names))
	return near != "" && source.Changes(j.Field, near, 2) >= 0
}

// in returns the map around the last key of a path, for messages.
func in(p value.Path) string {
	if len(p) < 2 {
		return ""
	}
	return " in " + p[:len(p)-1].String()
}

// aboutWhiteout adds the hint about a whiteout in a list.
func aboutWhiteout(j graph.Join, d *source.Diagnostic) *source.Diagnostic {
	switch {
	case !j.Ruled:
		return d.WithHint("+lists: {%s: by %s} makes it remove the item with its %s", listKey(j.Path),
			cmp.Or(j.Field, "name"), cmp.Or(j.Field, "name"))
	case j.Newer.Val.Marks() != 0:
		return d
	}
	k, _ := value.KeyOf(j.Newer.Val)
	return d.DidYouMean(k.Text, slices.Values(j.Names))
}

// hintKind adds the hint about a value over one of another kind.
func hintKind(d *source.Diagnostic, j graph.Join) *source.Diagnostic {
	text := j.Newer.Val.Is(value.StringKind) && j.Newer.Val.Marks() == 0
	switch {
	case text && j.Older.Shape == "a number" && value.SpellsNumber(j.Newer.Val.Str()):
		return d.WithHint("without quotes it is a number")
	case text && j.Older.Shape == "a boolean" && (j.Newer.Val.Str() == "true" || j.Newer.Val.Str() == "false"):
		return d.WithHint("without quotes it is a boolean")
	case j.Newer.Shape == "a map":
		return d.WithHint("+%%: replace in the map says that it is meant")
	case j.Newer.Shape == "a list":
		return d.WithHint("{+%%: replace} as its first item says that it is meant")
	}
	return d
}

// quoted returns a scalar in quotes, or other words for a secret one.
func quoted(v value.Value, secret string) string {
	k, ok := value.KeyOf(v)
	if v.Marks() != 0 || !ok {
		return secret
	}
	return strconv.Quote(k.Text)
}

// plainKey matches the keys of lists that need no quotes.
var plainKey = lazy.Regexp{Text: `^[A-Za-z_][A-Za-z0-9_-]*$`}

// listKey returns the key by which a rule names a list: the key of the list, or "*" if the list is an item of
// another list.
func listKey(p value.Path) string {
	if len(p) == 0 || p[len(p)-1].Kind != value.StringKind {
		return `"*"`
	}
	if key := p[len(p)-1].Text; plainKey.Get().MatchString(key) {
		return key
	}
	return strconv.Quote(p[len(p)-1].Text)
}

// readKeys are the keys that templates, expressions, pointers and directives name.
type readKeys struct {
	named    map[string]bool
	patterns []string // of +private
}

// keysRead returns the keys that are named in documents.
func keysRead(layers, included []*graph.Doc) *readKeys {
	r := &readKeys{named: map[string]bool{}}
	found, _ := References(layers, included)
	for _, ref := range found {
		if key := ref.Keys[len(ref.Keys)-1]; ref.Scope == Pattern {
			r.patterns = append(r.patterns, key)
		} else {
			r.named[key] = true
		}
	}
	return r
}

// has reports whether a key is named.
func (r *readKeys) has(key string) bool {
	return r.named[key] || slices.ContainsFunc(r.patterns, func(pattern string) bool {
		ok, _ := path.Match(pattern, key)
		return ok
	})
}
