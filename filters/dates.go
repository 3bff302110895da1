package filters

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/value"
)

// dateFilters follow Ansible. A date is a text, since values have no type for dates, and in UTC if it names no
// other zone: with the zone of the machine, results would depend on it.
func dateFilters() []Func {
	return family("dates",
		row("strftime", "Formats a time, in seconds since 1970, as UTC by the piped format. Without a time it formats the current time, if that is allowed.",
			"{{ '%Y-%m-%d %H:%M' | strftime(0) }}", `"1970-01-01 00:00"`,
			with((*Ctx).text, strftime), opt("second", Any, value.Null), opt("utc", Bool, value.True)),
		row("to_datetime", "Parses a date by a format. The result is the text YYYY-MM-DD HH:MM:SS, which sorts by time.",
			"{{ '02.01.2024' | to_datetime('%d.%m.%Y') }}", `"2024-01-02 00:00:00"`,
			with((*Ctx).text, toDatetime), opt("format", Text, value.String("%Y-%m-%d %H:%M:%S"))),
	)
}

// strftime formats a time in seconds since 1970, or the time of the evaluation.
func strftime(c *Ctx, format string, a Bound) (value.Value, error) {
	var t time.Time
	if second := a.Get("second"); !second.IsNull() {
		n, ok := floatOf(second)
		if !ok || math.IsNaN(n) || math.Abs(n) > 1e11 {
			return value.Null, errors.New("the time must be in seconds since 1970")
		}
		t = time.Unix(int64(math.Floor(n)), int64((n-math.Floor(n))*1e9))
	} else if c.Caller == nil {
		return value.Null, errors.New("needs a time in seconds: strftime(second)")
	} else {
		t = c.Caller.Now()
	}
	return c.formatTime(format, t.UTC())
}

// timeDirectives maps the directives of strftime that Go has a layout for to that layout.
var timeDirectives = [256]string{
	'Y': "2006", 'm': "01", 'd': "02", 'H': "15", 'M': "04", 'S': "05", 'y': "06", 'b': "Jan", 'h': "Jan", 'B': "January",
	'a': "Mon", 'A': "Monday", 'I': "03", 'p': "PM", 'j': "002", 'e': "_2", 'F': "2006-01-02", 'T': "15:04:05",
	'D': "01/02/06", 'R': "15:04", 'c': "Mon Jan _2 15:04:05 2006", 'x': "01/02/06", 'X': "15:04:05", 'Z': "MST", 'r': "03:04:05 PM", 'z': "-0700",
}

// formatTime is strftime(3) in the locale C. The limit is checked while the result grows: %c gives 24 bytes.
func (c *Ctx) formatTime(format string, t time.Time) (value.Value, error) {
	var b strings.Builder
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i == len(format)-1 {
			b.WriteByte(format[i])
			continue
		}
		i++
		if strings.HasPrefix(format[i:], ":z") {
			b.WriteString(t.Format("-07:00"))
			i++
			continue
		}
		s, err := timePart(format[i], t)
		if err == nil {
			err = c.fits(b.Len() + len(s))
		}
		if err != nil {
			return value.Null, err
		}
		b.WriteString(s)
	}
	return value.String(b.String()), nil
}

// timePart formats one directive. %U and %W count weeks from the first Sunday or Monday of the year; %G and %V
// are the year and week of ISO 8601.
func timePart(directive byte, t time.Time) (string, error) {
	if layout := timeDirectives[directive]; layout != "" {
		return t.Format(layout), nil
	}
	year, week := t.ISOWeek()
	switch directive {
	case '%':
		return "%", nil
	case 'n':
		return "\n", nil
	case 't':
		return "\t", nil
	case 'f':
		return fmt.Sprintf("%06d", t.Nanosecond()/1000), nil
	case 's':
		return strconv.FormatInt(t.Unix(), 10), nil
	case 'w':
		return strconv.Itoa(int(t.Weekday())), nil
	case 'u':
		return strconv.Itoa((int(t.Weekday())+6)%7 + 1), nil
	case 'V':
		return fmt.Sprintf("%02d", week), nil
	case 'G':
		return strconv.Itoa(year), nil
	case 'U':
		return fmt.Sprintf("%02d", (t.YearDay()+6-int(t.Weekday()))/7), nil
	case 'W':
		return fmt.Sprintf("%02d", (t.YearDay()+6-(int(t.Weekday())+6)%7)/7), nil
	}
	return "", fmt.Errorf("unknown directive %q in the format", "%"+string(rune(directive)))
}

// parseLayouts are the layouts for parsing, where leading zeros are optional.
var parseLayouts = [256]string{
	'Y': "2006", 'm': "1", 'd': "2", 'H': "15", 'M': "4", 'S': "5", 'y': "06", 'b': "Jan", 'B': "January", 'a': "Mon",
	'A': "Monday", 'I': "3", 'p': "PM", 'j': "002", 'z': "-0700", 'Z': "MST", 'r': "03:04:05 PM",
}

// toDatetime parses a date as strptime, and returns it as Python prints a datetime: with a fraction if it has
// one, with a zone if the format has %z.
func toDatetime(c *Ctx, s string, a Bound) (value.Value, error) {
	layout, err := parseLayout(a.Str("format"))
	if err != nil {
		return value.Null, err
	}
	t, err := time.Parse(layout, s)
	if err != nil {
		return value.Null, fmt.Errorf("%q does not have the form %q", s, a.Str("format"))
	}
	layout = "2006-01-02 15:04:05"
	if t.Nanosecond() != 0 {
		layout += ".000000"
	}
	if strings.Contains(a.Str("format"), "%z") {
		layout += "-07:00"
	}
	return value.String(t.Format(layout)), nil
}

// parseLayout translates a format of strptime to a layout of package time.
func parseLayout(format string) (string, error) {
	var b []byte
	for i := 0; i < len(format); i++ {
		if format[i] != '%' || i == len(format)-1 {
			b = append(b, format[i])
			continue
		}
		i++
		if format[i] == 'f' { // Go parses a fraction only with its point
			b = append(bytes.TrimSuffix(b, []byte(".")), ".999999"...)
			continue
		}
		layout := parseLayouts[format[i]]
		if layout == "" {
			return "", fmt.Errorf("unknown directive %q in the format", "%"+string(rune(format[i])))
		}
		b = append(b, layout...)
	}
	return string(b), nil
}

// momentMethods are the methods of Python's datetime. Here a datetime is a text such as
// to_datetime returns, 2024-01-02 00:00:05. The operator "-" calls __sub__.
func momentMethods() []Func {
	return family("methods",
		method("__sub__", "Returns the time from another date to this one as days, seconds and microseconds, with the method total_seconds.",
			"'2024-01-02 00:00:05'.__sub__('2024-01-01 00:00:00')", `{"days": 1, "seconds": 5, "microseconds": 0}`, []Param{req("other", Text)},
			func(_ *Ctx, s string, a Bound) (value.Value, error) {
				to, err := parseMoment(s)
				if err != nil {
					return value.Null, err
				}
				from, err := parseMoment(a.Str("other"))
				return newTimespan(to.UnixMicro() - from.UnixMicro()), err
			}),
		method("strftime", "Formats a date.", "'2024-01-02 00:00:00'.strftime('%d.%m.%Y')", `"02.01.2024"`, []Param{req("format", Text)},
			func(c *Ctx, s string, a Bound) (value.Value, error) {
				t, err := parseMoment(s)
				if err != nil {
					return value.Null, err
				}
				return c.formatTime(a.Str("format"), t)
			}),
		method("timestamp", "Returns the seconds from 1970 to a date, which is UTC.", "'1970-01-02 00:00:00'.timestamp()", "86400.0", nil,
			func(_ *Ctx, s string, _ Bound) (value.Value, error) {
				t, err := parseMoment(s)
				return value.Float(float64(t.UnixMicro()) / 1e6), err
			}),
	)
}

// parseMoment reads a date as toDatetime writes it.
func parseMoment(s string) (time.Time, error) {
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04:05-07:00"} { // time.Parse accepts fractions too
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is not a date such as to_datetime returns", s)
}

// A timespan is the time between two moments: a map with a method.
type timespan struct {
	*value.Dict
	micros int64
}

const microsOfDay = 24 * 60 * 60 * 1_000_000

// newTimespan splits micros as Python does: only days can be negative. -1 microsecond
// is -1 days, 86399 seconds and 999999 microseconds.
func newTimespan(micros int64) value.Value {
	rest := (micros%microsOfDay + microsOfDay) % microsOfDay
	m := value.NewMap(3)
	m.Set(value.K("days"), value.Int((micros-rest)/microsOfDay))
	m.Set(value.K("seconds"), value.Int(rest/1_000_000))
	m.Set(value.K("microseconds"), value.Int(rest%1_000_000))
	return value.FromMap(timespan{m, micros})
}

// CallMethod implements [value.Methods].
func (t timespan) CallMethod(name string, args value.Args) (value.Value, bool, error) {
	if name != "total_seconds" {
		return value.Null, false, nil
	}
	if len(args.Pos)+len(args.Named) > 0 {
		return value.Null, true, errors.New("total_seconds() takes no arguments")
	}
	return value.Float(float64(t.micros) / 1e6), true, nil
}
