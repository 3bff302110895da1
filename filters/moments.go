package filters

import (
	"fmt"
	"time"

	"github.com/yaytpl/yaytpl/value"
)

// momentMethods are those that moments have in Python. Here they are texts, as
// to_datetime writes them. The first is called for one moment minus another.
func momentMethods() []Func {
	return []Func{
		method("__sub__", "The time from another moment to this one, as days, seconds and microseconds, with the method total_seconds.",
			"'2024-01-02 00:00:05'.__sub__('2024-01-01 00:00:00')", `{"days": 1, "seconds": 5, "microseconds": 0}`, []Param{req("other", Text)},
			func(_ *Ctx, s string, a Bound) (value.Value, error) {
				to, err := parseMoment(s)
				if err != nil {
					return value.Null, err
				}
				from, err := parseMoment(a.Str("other"))
				return newTimespan(to.UnixMicro() - from.UnixMicro()), err
			}),
		method("strftime", "A moment in another form.", "'2024-01-02 00:00:00'.strftime('%d.%m.%Y')", `"02.01.2024"`, []Param{req("format", Text)},
			func(c *Ctx, s string, a Bound) (value.Value, error) {
				t, err := parseMoment(s)
				if err != nil {
					return value.Null, err
				}
				return c.formatTime(a.Str("format"), t)
			}),
		method("timestamp", "The seconds from 1970 to a moment, taken as UTC.", "'1970-01-02 00:00:00'.timestamp()", "86400.0", nil,
			func(_ *Ctx, s string, _ Bound) (value.Value, error) {
				t, err := parseMoment(s)
				return value.Float(float64(t.UnixMicro()) / 1e6), err
			}),
	}
}

func parseMoment(s string) (time.Time, error) {
	for _, layout := range []string{time.DateTime, "2006-01-02 15:04:05-07:00"} { // fractions are read as well
		if t, err := time.Parse(layout, s); err == nil {
			return t, nil
		}
	}
	return time.Time{}, fmt.Errorf("%q is no moment as to_datetime makes it", s)
}

// A timespan is the time between two moments: a map with a method.
type timespan struct {
	*value.Dict
	micros int64
}

const microsOfDay = 24 * 60 * 60 * 1_000_000

// newTimespan counts the days so that what is left is not negative.
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
		return value.Null, true, fmt.Errorf("total_seconds() takes no arguments")
	}
	return value.Float(float64(t.micros) / 1e6), true, nil
}
