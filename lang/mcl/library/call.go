package library

import (
	"github.com/yaytpl/yaytpl/expr"
	"github.com/yaytpl/yaytpl/value"
)

// text returns an argument of type str.
func (c *Call) text(i int) string { return c.Args[i].Str() }

// int returns an argument of type int.
func (c *Call) int(i int) int64 {
	n, _ := c.Args[i].Int()
	return n
}

// items returns the items of an argument that is a list.
func (c *Call) items(i int) ([]value.Value, error) { return value.ItemsOf(c.Args[i].List()) }

// result returns a value that was computed from the arguments as a whole, with their marks and, for a
// text or list, its work counted.
func (c *Call) result(v value.Value) (value.Value, error) {
	marks, err := c.Marks()
	if err != nil {
		return value.Null, err
	}
	n := len(v.Str()) / textSteps
	if v.Is(value.ListKind) {
		n = v.List().Len()
	}
	return v.Mark(marks), c.Step(n)
}

// textSteps is the number of bytes of a text that cost a step.
const textSteps = 64

// room fails if a text would have more than n bytes, before it is made.
func (c *Call) room(n int) error {
	if n > maxText || n < 0 {
		return &value.LimitError{What: "text", Max: maxText}
	}
	return c.Step(n / textSteps)
}

// Grow fails if a text of size bytes would have more than the limit with n more.
func (c *Call) Grow(size, n int) error {
	if size+n > maxText {
		return &value.LimitError{What: "text", Max: maxText}
	}
	return c.Step(n / textSteps)
}

// maxText bounds the size of a text that a function makes.
const maxText = 64 << 20

// textResult is result for a text.
func (c *Call) textResult(s string) (value.Value, error) { return c.result(value.String(s)) }

// truth is result for a truth value.
func (c *Call) truth(b bool) (value.Value, error) { return c.result(value.Bool(b)) }

// hidden reports whether there is an argument i that has marks, so that no message may quote it.
func (c *Call) hidden(i int) bool { return i < len(c.Args) && c.Args[i].Marks() != 0 }

// host returns the files, the environment and the programs for the call.
func (c *Call) host() expr.Host {
	secret := false
	for i := range c.Args {
		secret = secret || c.hidden(i)
	}
	return c.World.Ask(c.At, secret)
}

// quote returns an argument that is a text for a message.
func (c *Call) quote(i int) string {
	if c.hidden(i) {
		return "the text"
	}
	return `"` + value.Clip(c.text(i), 60) + `"`
}
