package docpath

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Next takes the first of steps, of which there must be one, from v, which stands at
// path. It returns what that leads to, its key, and how many steps it took.
//
// Codes: not-found, with keys that come near, and what evaluation finds.
func Next(v value.Value, steps []Step, path value.Path) (item value.Value, key value.Key, taken int, err error) {
	switch s := steps[0]; {
	case s.Match != "":
		item, key, err = matchItem(v, s, path)
		return item, key, 1, err
	case v.Is(value.ListKind):
		item, key, err = itemAt(v, s, path)
		return item, key, 1, err
	case v.Is(value.MapKind):
		return entryAt(v, steps, path)
	default:
		return value.Null, value.Key{}, 1, NotFound(path, s.Key).WithHint("%s is %s", placeName(path), value.Article(v.Kind()))
	}
}

func entryAt(v value.Value, steps []Step, path value.Path) (value.Value, value.Key, int, error) {
	for word, taken := range joined(v, steps) {
		for _, k := range value.KeysSpelt(word) {
			item, ok, err := v.Map().Get(k)
			if ok || err != nil {
				return item.Mark(v.Marks()), k, taken, err
			}
		}
	}
	missing := NotFound(path, steps[0].Key)
	if v.Marks() == 0 { // else the keys are not told
		missing.DidYouMean(steps[0].Key, value.KeyTexts(v.Map()))
	}
	if missing.Hint == "" && len(path) == 0 && strings.Contains(steps[0].Key, "/") {
		missing.WithHint(`a JSON pointer begins with "/"`)
	}
	return value.Null, value.Key{}, 1, missing
}

func itemAt(v value.Value, s Step, path value.Path) (value.Value, value.Key, error) {
	i, n := s.Number, v.List().Len()
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

// matchItem returns the one item of a list of maps whose key has the given text.
func matchItem(v value.Value, s Step, path value.Path) (value.Value, value.Key, error) {
	what := fmt.Sprintf("[%s=%s]", s.Match, s.Text)
	if !v.Is(value.ListKind) {
		return value.Null, value.Key{}, NotFound(path, what).WithHint("%s is %s, not a list", placeName(path), value.Article(v.Kind()))
	}
	found := -1
	for i := range v.List().Len() {
		item, err := v.List().At(i)
		if err != nil {
			return value.Null, value.Key{}, err
		}
		if !graph.Selects(item, s.Match, s.Text) {
			continue
		}
		if found >= 0 {
			return value.Null, value.Key{}, NotFound(path, what).WithHint("items %d and %d both match; exactly one must", found, i)
		}
		found = i
	}
	if found < 0 {
		return value.Null, value.Key{}, NotFound(path, what)
	}
	item, err := v.List().At(found)
	return item.Mark(v.Marks()), value.Index(found), err
}

// NotFound says that what stands at path has no such key.
func NotFound(path value.Path, key string) *source.Diagnostic {
	return source.Errorf(source.Span{}, source.NotFound, "no %q in %s", key, placeName(path))
}

// placeName returns how messages call a place.
func placeName(path value.Path) string {
	if len(path) == 0 {
		return "the document"
	}
	return path.String()
}

// ItemsToTake says how many items a list has and how they are chosen.
func ItemsToTake(n int) string {
	switch n {
	case 0:
		return "no items"
	case 1:
		return "one item, [0]"
	}
	return fmt.Sprintf("%d items, [0] to [%d]", n, n-1)
}
