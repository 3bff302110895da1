package docpath

import (
	"errors"
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A pattern is a path that may name several places: it has a "*" without quotes, which is
// every entry of a map or item of a list, or a step [name=web], which is every item with that
// entry (spec: everyday, A5). Exact carries a pattern out:
//
//	pattern   services.*.image
//	document  {services: {web: {image: a}, db: {image: b}}}
//	Exact     services.web.image, services.db.image

// IsPattern reports whether a path may name several places.
func IsPattern(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Star || s.Match != "" })
}

// HasStar reports whether a path has a "*" that matches every entry or item.
func HasStar(steps []Step) bool {
	return slices.ContainsFunc(steps, func(s Step) bool { return s.Star })
}

// Exact returns the paths of v that a pattern matches, in the order of the document. They
// have keys and indexes in the place of all steps up to the last "*" or [name=web]; the steps
// after it are not looked up. Without a match the error says where the path ends.
//
// Codes: not-found; errors of evaluation are returned as they are.
func Exact(v value.Value, steps []Step) ([][]Step, error) {
	var found [][]Step
	var missing error
	var walk func(v value.Value, steps []Step, path value.Path) error
	walk = func(v value.Value, steps []Step, path value.Path) error {
		for IsPattern(steps) {
			items, err := matches(v, steps, path)
			if err != nil {
				return err
			}
			if items != nil {
				some := false
				err := items(func(item value.Value, k value.Key) error {
					some = true
					return walk(item, steps[1:], append(slices.Clip(path), k))
				})
				if !some && missing == nil {
					missing = noMatch(v, steps[0], path)
				}
				return err
			}
			next, key, taken, err := Next(v, steps, path)
			if err != nil {
				if !errors.Is(err, source.ErrMissing) {
					return err
				}
				if missing == nil {
					missing = err
				}
				return nil
			}
			v, path, steps = next, append(slices.Clip(path), key), steps[taken:]
		}
		found = append(found, append(Known(path), steps...))
		return nil
	}
	err := walk(v, steps, nil)
	if len(found) == 0 && err == nil {
		err = missing
	}
	return found, err
}

// An itemWalk calls visit for entries or items, until it returns an error.
type itemWalk func(visit func(item value.Value, k value.Key) error) error

// matches returns the entries or items of v that the first step matches, nil if the first
// step names one place: a key with dots wins over the "*" in it.
func matches(v value.Value, steps []Step, path value.Path) (itemWalk, error) {
	s := steps[0]
	switch {
	case s.Match != "":
		if !v.Is(value.ListKind) {
			_, _, err := matchItem(v, s, path)
			return nil, err
		}
		return func(visit func(value.Value, value.Key) error) error {
			return eachItem(v, func(item value.Value, k value.Key) error {
				if !graph.Selects(item, s.Match, s.Text) {
					return nil
				}
				return visit(item, k)
			})
		}, nil
	case !s.Star:
		return nil, nil
	case v.Is(value.ListKind):
		return func(visit func(value.Value, value.Key) error) error { return eachItem(v, visit) }, nil
	case !v.Is(value.MapKind):
		return func(func(value.Value, value.Key) error) error { return nil }, nil
	}
	if _, _, taken, _ := Entry(v, steps); taken > 1 {
		return nil, nil
	}
	return func(visit func(value.Value, value.Key) error) error {
		for k := range v.Map().Keys() {
			item, ok, err := v.Map().Get(k)
			if err == nil && ok {
				err = visit(item.Mark(v.Marks()), k)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}, nil
}

// eachItem visits the items of a list.
func eachItem(v value.Value, visit func(value.Value, value.Key) error) error {
	for i := range v.List().Len() {
		item, err := v.List().At(i)
		if err == nil {
			err = visit(item.Mark(v.Marks()), value.Index(i))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// noMatch is the error of a step that no entry or item of v matches.
func noMatch(v value.Value, s Step, path value.Path) error {
	switch {
	case s.Match != "":
		_, _, err := matchItem(v, s, path)
		return err
	case v.Is(value.MapKind) || v.Is(value.ListKind):
		return source.Errorf(source.Span{}, source.NotFound, "%s is empty", placeName(path))
	}
	return source.Errorf(source.Span{}, source.NotFound, "%s is %s", placeName(path), value.Article(v.Kind()))
}

// Known returns the steps of a path of existing keys.
func Known(path value.Path) []Step {
	steps := make([]Step, len(path))
	for i, k := range path {
		steps[i] = keyOrIndex(k.Text)
		steps[i].at = &path[i]
	}
	return steps
}

// Known returns the key of a step of an existing place, and false for other steps.
func (s Step) Known() (value.Key, bool) {
	if s.at == nil {
		return value.Key{}, false
	}
	return *s.at, true
}

// Written returns the steps of a path as a text, whether or not the place exists.
func Written(steps []Step) string {
	var b strings.Builder
	for _, s := range Whole(steps) {
		var part string
		switch {
		case s.Match != "":
			part = "[" + s.Match + "=" + s.Text + "]"
		case s.at != nil:
			part = value.Path{*s.at}.String()
		case s.Item:
			part = "[" + s.Key + "]"
		default:
			part = value.Path{value.K(s.Key)}.String()
		}
		if b.Len() > 0 && part[0] != '[' {
			b.WriteByte('.')
		}
		b.WriteString(part)
	}
	if b.Len() == 0 {
		return "."
	}
	return b.String()
}
