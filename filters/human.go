package filters

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/value"
)

func humanFilters() []Func {
	return []Func{
		{
			Name: "filesizeformat", Family: "human", Call: fileSize,
			Params:  []Param{opt("binary", Bool, value.False)},
			Doc:     "A number of bytes for people: 13 kB, 4.1 MB, or with binary 13 KiB.",
			Example: "{{ 13700 | filesizeformat }}", Result: `"13.7 kB"`,
		},
		{
			Name: "human_readable", Family: "human", Call: humanReadable,
			Params:  []Param{opt("isbits", Bool, value.False), opt("unit", Text, value.Null)},
			Doc:     "A number of bytes or bits with two decimals and a unit, in powers of 1024.",
			Example: "{{ 1536 | human_readable }}", Result: `"1.50 KB"`,
		},
		{
			Name: "human_to_bytes", Family: "human", Call: humanToBytes,
			Params:  []Param{opt("default_unit", Text, value.Null), opt("isbits", Bool, value.False)},
			Doc:     "The number of bytes, or bits, that a text such as '10 KB' says, in powers of 1024.",
			Example: "{{ '1.5 KB' | human_to_bytes }}", Result: "1536",
		},
	}
}

const sizeLetters = "BKMGTPEZY"

func fileSize(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	n, ok := floatOf(in)
	if !ok {
		return value.Null, fmt.Errorf("wants a number, got %s", value.Article(in.Kind()))
	}
	base, units := 1000.0, []string{"kB", "MB", "GB", "TB", "PB", "EB", "ZB", "YB"}
	if a.Bool("binary") {
		base, units = 1024, []string{"KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "ZiB", "YiB"}
	}
	switch {
	case n == 1:
		return value.String("1 Byte"), nil
	case n < base:
		return value.String(strconv.FormatFloat(math.Trunc(n), 'f', 0, 64) + " Bytes"), nil
	}
	i, unit := 0, base
	for i < len(units)-1 && n >= unit*base {
		unit *= base
		i++
	}
	return value.String(strconv.FormatFloat(n/unit, 'f', 1, 64) + " " + units[i]), nil
}

func humanReadable(_ *Ctx, in value.Value, a Bound) (value.Value, error) {
	n, ok := floatOf(in)
	if !ok {
		return value.Null, fmt.Errorf("wants a number, got %s", value.Article(in.Kind()))
	}
	i, err := readableUnit(n, strings.ToUpper(a.Str("unit")))
	if err != nil {
		return value.Null, err
	}
	name := sizeLetters[i:i+1] + "B"
	switch {
	case i == 0 && a.Bool("isbits"):
		name = "bits"
	case i == 0:
		name = "Bytes"
	case a.Bool("isbits"):
		name = sizeLetters[i:i+1] + "b"
	}
	return value.String(fmt.Sprintf("%.2f %s", n/math.Pow(1024, float64(i)), name)), nil
}

// readableUnit chooses the largest unit that n has one of, or the one asked for.
func readableUnit(n float64, unit string) (int, error) {
	if unit != "" {
		i := strings.IndexByte(sizeLetters, unit[0])
		if i < 0 {
			return 0, fmt.Errorf("unknown unit %q", unit)
		}
		return i, nil
	}
	i := 0
	for i < len(sizeLetters)-1 && n >= math.Pow(1024, float64(i+1)) {
		i++
	}
	return i, nil
}

var humanSize = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^([0-9]*\.?[0-9]+)\s*([A-Za-z]+)?\s*$`)
})

func humanToBytes(c *Ctx, in value.Value, a Bound) (value.Value, error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, err
	}
	m := humanSize().FindStringSubmatch(strings.TrimSpace(s))
	if m == nil {
		return value.Null, fmt.Errorf("cannot read %q as a size such as \"10 MB\"", s)
	}
	unit := m[2]
	if unit == "" {
		unit = a.Str("default_unit")
	}
	scale, err := sizeUnit(unit, a.Bool("isbits"))
	if err != nil {
		return value.Null, err
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	if math.IsInf(n*scale, 0) {
		return value.Null, errors.New("the number is too large")
	}
	return truncateFloat(math.RoundToEven(n * scale)), nil
}

// sizeUnit reads K, KB, kilobyte and the like; in bits Kb and kilobit.
func sizeUnit(unit string, bits bool) (float64, error) {
	if unit == "" {
		return 1, nil
	}
	i := strings.IndexByte(sizeLetters, strings.ToUpper(unit)[0])
	rest, letter, word := unit[1:], "B", "byte"
	if bits {
		letter, word = "b", "bit"
	}
	long := strings.HasSuffix(strings.TrimSuffix(strings.ToLower(unit), "s"), word)
	if i < 0 || !(rest == "" || i > 0 && rest == letter || long) || i == 0 && rest == "" && unit != letter {
		return 0, fmt.Errorf("unknown unit %q", unit)
	}
	return math.Pow(1024, float64(i)), nil
}
