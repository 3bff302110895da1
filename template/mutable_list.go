package template

import (
	"errors"
	"fmt"
	"slices"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// A list is a list that the template may change.
type list struct {
	items value.Slice
	run   *run
}

// Len returns the number of items.
func (l *list) Len() int { return len(l.items) }

// At returns item i.
func (l *list) At(i int) (value.Value, error) {
	if i < 0 || i >= len(l.items) {
		return value.Null, errors.New("the list became shorter while it was read")
	}
	return l.items[i], nil
}

var listMethods = map[string]changer[*list]{
	"append":  {1, 1, (*list).append},
	"extend":  {1, 1, (*list).extend},
	"insert":  {2, 2, (*list).insert},
	"pop":     {0, 1, (*list).pop},
	"remove":  {1, 1, (*list).remove},
	"clear":   {0, 0, (*list).clear},
	"reverse": {0, 0, (*list).reverse},
	"sort":    {0, 0, (*list).sort},
}

// CallMethod calls the methods that change the list.
func (l *list) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	return callChanger(listMethods, l, name, args)
}

// moved counts the work of moving n items.
func (l *list) moved(n int) error { return l.run.base.Env.Step(n / movesInStep) }

// movesInStep is how many items can be moved in the time of a step.
const movesInStep = 16

func (l *list) append(args value.Args) (value.Value, error) {
	l.items = append(l.items, l.run.own(args.Pos[0]))
	return value.Null, nil
}

func (l *list) extend(args value.Args) (value.Value, error) {
	more := args.Pos[0]
	if err := expr.Raise(more); err != nil {
		return value.Null, err
	}
	l.run.out.decidedBy(more.Marks()) // it shows in the length of the list
	switch more.Kind() {
	case value.ListKind, value.MapKind, value.StringKind:
	default:
		return value.Null, fmt.Errorf("extend() needs a list, not %s", value.Article(more.Kind()))
	}
	items, err := l.run.items(more, source.Span{})
	if err != nil {
		return value.Null, err
	}
	for item, err := range value.Items(items) {
		if err == nil {
			err = l.run.grown(len(l.items))
		}
		if err != nil {
			return value.Null, err
		}
		l.items = append(l.items, l.run.own(item))
	}
	return value.Null, nil
}

func (l *list) insert(args value.Args) (value.Value, error) {
	i, ok := args.Pos[0].Int()
	if !ok {
		return value.Null, errors.New("insert() needs an integer as its first argument")
	}
	n := int64(len(l.items))
	if i < 0 {
		i = max(i+n, 0)
	}
	i = min(i, n)
	l.items = slices.Insert(l.items, int(i), l.run.own(args.Pos[1]))
	return value.Null, l.moved(int(n - i))
}

func (l *list) pop(args value.Args) (value.Value, error) {
	i, ok := int64(-1), true
	if len(args.Pos) > 0 {
		i, ok = args.Pos[0].Int()
	}
	n := int64(len(l.items))
	if i < 0 {
		i += n
	}
	if !ok || i < 0 || i >= n {
		return value.Null, fmt.Errorf("pop() needs an index into a list of %s", countOf(len(l.items)))
	}
	v := l.items[i]
	l.items = slices.Delete(l.items, int(i), int(i)+1)
	return v, l.moved(int(n - i))
}

func (l *list) remove(args value.Args) (value.Value, error) {
	if err := l.run.base.Env.Step(len(l.items)); err != nil {
		return value.Null, err
	}
	for i, item := range l.items {
		if eq, err := value.EqualCharged(item, args.Pos[0], l.run.base.Env.Step); err != nil {
			return value.Null, err
		} else if eq {
			l.items = slices.Delete(l.items, i, i+1)
			return value.Null, nil
		}
	}
	return value.Null, errors.New("remove() did not find the item in the list")
}

func (l *list) clear(value.Args) (value.Value, error) {
	l.items = nil
	return value.Null, nil
}

func (l *list) reverse(value.Args) (value.Value, error) {
	slices.Reverse(l.items)
	return value.Null, l.moved(len(l.items))
}

func (l *list) sort(args value.Args) (value.Value, error) {
	down := false
	for _, a := range args.Named {
		if a.Name != "reverse" {
			return value.Null, fmt.Errorf("sort() takes no keyword argument %q; use the filter \"sort\"", a.Name)
		}
		down = value.Truthy(a.Value)
	}
	if err := l.run.base.Env.Step(len(l.items)); err != nil {
		return value.Null, err
	}
	var failed error
	slices.SortStableFunc(l.items, func(a, b value.Value) int {
		if failed != nil {
			return 0
		}
		c := 0
		if failed = l.run.base.Env.Step(1); failed == nil {
			c, failed = value.CompareCharged(a, b, l.run.base.Env.Step)
		}
		if down {
			return -c
		}
		return c
	})
	return value.Null, failed
}
