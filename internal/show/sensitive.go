package show

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// CallsSensitive reports whether the text of a template may call "sensitive": what it
// calls it with may stand in it, and is marked only once it is evaluated.
func CallsSensitive(text string) bool {
	return expr.IsTemplate(text) && strings.Contains(text, "sensitive")
}

// InsideSensitive reports whether keys of the source lead into what the function
// "sensitive" of an expression object is called with.
func InsideSensitive(keys value.Path) bool {
	object := slices.Index(keys, value.K("eval"))
	return object >= 0 && slices.Contains(keys[object:], value.K("sensitive"))
}
