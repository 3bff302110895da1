package yaytpl

import (
	"slices"
	"strings"

	"github.com/yaytpl/yaytpl/template"
	"github.com/yaytpl/yaytpl/value"
)

// What "sensitive" is called with is marked once it is evaluated. Those who show the
// source itself have to see that it is called.

// callsSensitive reports whether the text of a template may call "sensitive": what it
// calls it with may stand in it.
func callsSensitive(text string) bool {
	return template.IsTemplate(text) && strings.Contains(text, "sensitive")
}

// insideSensitive reports whether keys of the source lead into what the function
// "sensitive" of an expression object is called with.
func insideSensitive(keys value.Path) bool {
	object := slices.Index(keys, value.K("eval"))
	return object >= 0 && slices.Contains(keys[object:], value.K("sensitive"))
}
