package filters

import (
	"errors"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

// loremWords are the words of the traditional text of printers.
var loremWords = lazy.Value[[]string]{Make: func() []string {
	return strings.Fields(`lorem ipsum dolor sit amet consectetur adipiscing elit sed do eiusmod tempor
		incididunt ut labore et dolore magna aliqua enim ad minim veniam quis nostrud exercitation ullamco laboris
		nisi aliquip ex ea commodo consequat duis aute irure in reprehenderit voluptate velit esse cillum eu fugiat
		nulla pariatur excepteur sint occaecat cupidatat non proident sunt culpa qui officia deserunt mollit anim id est laborum`)
}}

// lipsum returns paragraphs of random words, with commas and full stops as in Jinja.
func lipsum(c *Ctx, _ value.Value, a Bound) (value.Value, error) {
	n, low, high := a.Int("n"), a.Int("min"), a.Int("max")
	if low >= high || low < 0 {
		return value.Null, errors.New(`"min" must be less than "max" and not negative`)
	}
	const wordBytes = 16
	if err := c.reserveProduct(max(n, 0), min(high, maxInt/wordBytes)*wordBytes); err != nil {
		return value.Null, err
	}
	r, words := c.unseeded(), loremWords.Get()
	var paragraphs []string
	for range n {
		var p []string
		comma, stop, begins, last := 0, 0, true, ""
		for i := range low + r.IntN(high-low) {
			at := r.IntN(len(words))
			word := words[at]
			if word == last {
				word = words[(at+1)%len(words)]
			}
			last = word
			if begins {
				word, begins = strings.ToUpper(word[:1])+word[1:], false
			}
			if i-3-r.IntN(5) > comma {
				comma, stop, word = i, stop+2, word+","
			}
			if i-10-r.IntN(10) > stop {
				comma, stop, begins, word = i, i, true, word+"."
			}
			p = append(p, word)
		}
		text := strings.TrimRight(strings.Join(p, " "), ",.") + "."
		if a.Bool("html") {
			text = "<p>" + text + "</p>"
		}
		paragraphs = append(paragraphs, text)
	}
	return c.join(paragraphs, pick(a.Bool("html"), "\n", "\n\n"))
}
