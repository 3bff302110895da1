package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// A choice is a flag that takes one of a few words.
type choice struct {
	value string
	words []string
}

func oneOf(value string, words ...string) choice { return choice{value, words} }

func (c *choice) String() string        { return c.value }
func (c *choice) Type() string          { return strings.Join(c.words, "|") }
func (c *choice) is(word string) bool   { return c.value == word }
func (c *choice) Set(word string) error { return c.set(strings.TrimSpace(word)) }

func (c *choice) set(word string) error {
	for _, w := range c.words {
		if w == word {
			c.value = word
			return nil
		}
	}
	return fmt.Errorf("it takes %s", listed(c.words))
}

// listed joins words for a sentence: "a, b or c".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// A count is a flag that takes a whole number above zero, for bytes with a unit:
// 10M. Zero is "not given".
type count struct {
	n     int
	units bool
}

func (c *count) Type() string {
	if c.units {
		return "BYTES"
	}
	return "N"
}

func (c *count) String() string {
	if c.n == 0 {
		return ""
	}
	return strconv.Itoa(c.n)
}

// Set reads a number such as 1000, and with units 64k, 10M, 2GB, 1GiB.
func (c *count) Set(s string) error {
	digits, factor := s, 1
	if c.units {
		digits, factor = cutUnit(s)
	}
	n, err := strconv.Atoi(digits)
	if err != nil || n <= 0 || n > math.MaxInt/factor {
		if c.units {
			return fmt.Errorf("it takes a size such as 1000, 64k, 10M or 2G")
		}
		return fmt.Errorf("it takes a whole number above zero")
	}
	c.n = n * factor
	return nil
}

func cutUnit(s string) (digits string, factor int) {
	digits = strings.TrimRight(s, "BbiI")
	if digits == "" {
		return s, 1
	}
	last := len(digits) - 1
	switch digits[last] {
	case 'k', 'K':
		return digits[:last], 1 << 10
	case 'm', 'M':
		return digits[:last], 1 << 20
	case 'g', 'G':
		return digits[:last], 1 << 30
	}
	return digits, 1
}

// A duration is a flag that takes a time span: 500ms, 2m, or plain seconds.
type duration struct{ d time.Duration }

func (d *duration) Type() string { return "TIME" }

func (d *duration) String() string {
	if d.d == 0 {
		return ""
	}
	return d.d.String()
}

// Set reads a duration, which must not be negative.
func (d *duration) Set(s string) error {
	span, err := time.ParseDuration(s)
	if seconds, bad := strconv.ParseFloat(s, 64); bad == nil && math.Abs(seconds) < 1e9 {
		span, err = time.Duration(seconds*float64(time.Second)), nil
	}
	if err != nil || span < 0 {
		return fmt.Errorf("it takes a time such as 500ms, 30s or 2m")
	}
	d.d = span
	return nil
}

// A docNumber is a flag that takes the number of a document, counted from 0.
type docNumber struct {
	n   int
	set bool
}

func (d *docNumber) Type() string { return "N" }

func (d *docNumber) String() string {
	if !d.set {
		return ""
	}
	return strconv.Itoa(d.n)
}

// Set reads a number that is not negative.
func (d *docNumber) Set(s string) error {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return fmt.Errorf("it takes the number of a document, counted from 0")
	}
	d.n, d.set = n, true
	return nil
}
