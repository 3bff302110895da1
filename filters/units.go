package filters

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/value"
)

func humanFilters() []Func {
	return family("human",
		row("filesizeformat", "Formats a number of bytes for people: 13 kB, 4.1 MB, or with binary 13 KiB.",
			"{{ 13700 | filesizeformat }}", `"13.7 kB"`, with((*Ctx).float, fileSize), opt("binary", Bool, value.False)),
		row("human_readable", "Formats a number of bytes or bits with two decimals and a unit, in powers of 1024.",
			"{{ 1536 | human_readable }}", `"1.50 KB"`,
			with((*Ctx).float, humanReadable), opt("isbits", Bool, value.False), opt("unit", Text, value.Null)),
		row("human_to_bytes", "Parses a size such as '10 KB' to a number of bytes or bits, in powers of 1024.",
			"{{ '1.5 KB' | human_to_bytes }}", "1536",
			with((*Ctx).digits, humanToBytes), opt("default_unit", Text, value.Null), opt("isbits", Bool, value.False)),
	)
}

const sizeLetters = "BKMGTPEZY"

func fileSize(_ *Ctx, n float64, a Bound) (value.Value, error) {
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

func humanReadable(_ *Ctx, n float64, a Bound) (value.Value, error) {
	i := 0 // index of the requested unit, or of the largest one that n is at least one of
	if unit := strings.ToUpper(a.Str("unit")); unit != "" {
		i = strings.IndexByte(sizeLetters, unit[0])
		if i < 0 || len(unit) > 2 || len(unit) == 2 && unit[1] != 'B' {
			return value.Null, fmt.Errorf("unknown unit %q", unit)
		}
	} else {
		for i < len(sizeLetters)-1 && n >= math.Pow(1024, float64(i+1)) {
			i++
		}
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

var humanSize = lazy.Regexp{Text: `^([0-9]*\.?[0-9]+)\s*([A-Za-z]+)?\s*$`}

func humanToBytes(c *Ctx, s string, a Bound) (value.Value, error) {
	m := humanSize.Get().FindStringSubmatch(strings.TrimSpace(s))
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

// sizeUnit returns the factor of a unit such as K, KB or kilobyte; in bits Kb or kilobit.
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

func scalarFilters() []Func {
	params := []Param{opt("unit", Text, value.Null), opt("round", Any, value.Null)}
	return family("scalar",
		row("scalar", "Writes a number with a unit, such as '5 mb', in the usual spelling, or converts it to another unit. round is a number of decimals, or ceil, floor, round.",
			"{{ '5 mb' | scalar('kB') }}", `"5000 kB"`,
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				n, unit, err := c.scalar(in, a, func(u unit) string { return u.name })
				if err != nil {
					return value.Null, err
				}
				s, err := value.Text(n)
				return value.String(s + " " + unit), err
			}, params...),
		row("scalar_value", "Converts a number with a unit to a number in another unit, by default in bytes, seconds, Hz or bits per second.",
			"{{ '1.5 KiB' | scalar_value }}", "1536",
			func(c *Ctx, in value.Value, a Bound) (value.Value, error) {
				n, _, err := c.scalar(in, a, func(u unit) string { return u.base })
				return n, err
			}, params...),
	)
}

// A unit is a unit of a dimension, such as time, which the base unit identifies.
type unit struct {
	name, base string
	scale      float64
}

var units = []unit{
	{"B", "B", 1}, {"kB", "B", 1e3}, {"KiB", "B", 1 << 10}, {"MB", "B", 1e6}, {"MiB", "B", 1 << 20}, {"GB", "B", 1e9},
	{"GiB", "B", 1 << 30}, {"TB", "B", 1e12}, {"TiB", "B", 1 << 40}, {"PB", "B", 1e15}, {"PiB", "B", 1 << 50},
	{"d", "s", 86400}, {"h", "s", 3600}, {"m", "s", 60}, {"s", "s", 1}, {"ms", "s", 1e-3}, {"us", "s", 1e-6}, {"ns", "s", 1e-9},
	{"Hz", "Hz", 1}, {"kHz", "Hz", 1e3}, {"MHz", "Hz", 1e6}, {"GHz", "Hz", 1e9},
	{"bps", "bps", 1}, {"Kbps", "bps", 1e3}, {"Kibps", "bps", 1 << 10}, {"Mbps", "bps", 1e6}, {"Mibps", "bps", 1 << 20},
	{"Gbps", "bps", 1e9}, {"Gibps", "bps", 1 << 30}, {"Tbps", "bps", 1e12}, {"Tibps", "bps", 1 << 40},
}

// findUnit returns a unit by its name, in any letter case.
func findUnit(name string) (unit, error) {
	for _, u := range units {
		if strings.EqualFold(u.name, name) {
			return u, nil
		}
	}
	return unit{}, fmt.Errorf("unknown unit %q", name)
}

var scalarText = lazy.Regexp{Text: `^\s*([-+]?[0-9]*\.?[0-9]+(?:[eE][-+]?[0-9]+)?)\s*([A-Za-z]+)\s*$`}

// scalar parses a number with a unit and converts it to the argument unit, or by default
// to the unit that usual chooses.
func (c *Ctx) scalar(in value.Value, a Bound, usual func(unit) string) (number value.Value, name string, err error) {
	s, err := c.text(in)
	if err != nil {
		return value.Null, "", err
	}
	m := scalarText.Get().FindStringSubmatch(s)
	if m == nil {
		return value.Null, "", fmt.Errorf("cannot read %q as a number with a unit, such as \"5 MB\"", s)
	}
	n, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return value.Null, "", fmt.Errorf("the number %s is too large", m[1])
	}
	from, err := findUnit(m[2])
	if err != nil {
		return value.Null, "", err
	}
	name = usual(from)
	if !a.Get("unit").IsNull() {
		name = a.Str("unit")
	}
	to, err := findUnit(name)
	if err != nil {
		return value.Null, "", err
	}
	if to.base != from.base {
		return value.Null, "", fmt.Errorf("cannot convert %s to %s", from.name, to.name)
	}
	if to != from {
		n = n * from.scale / to.scale
	}
	number, err = roundScalar(n, a.Get("round"))
	return number, to.name, err
}

func roundScalar(n float64, how value.Value) (value.Value, error) {
	if digits, ok := value.AsNumber(how).Int(); ok {
		if digits < -300 || digits > 300 {
			return value.Null, fmt.Errorf("cannot round to %d decimals", digits)
		}
		n = roundFloat(n, int(digits))
	} else {
		switch how.Str() {
		case "ceil":
			n = math.Ceil(n)
		case "floor":
			n = math.Floor(n)
		case "round":
			n = math.RoundToEven(n)
		case "":
		default:
			return value.Null, fmt.Errorf("round must be a number of decimals, or ceil, floor or round, not %q", how.Str())
		}
	}
	if n == math.Trunc(n) && math.Abs(n) < 1<<62 {
		return value.Int(int64(n)), nil
	}
	return value.Float(n), nil
}
