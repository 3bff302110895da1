package yay

import (
	"iter"
	"math"
	"math/big"
	"strings"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// bytesPerStep is how much text a function can go through in the time of a step.
const bytesPerStep = 64

// texts returns the arguments, scalars, as texts.
func (c *builtinCall) texts() ([]string, error) {
	out := make([]string, len(c.args))
	for i := range c.args {
		s, err := c.text(i)
		if err != nil {
			return nil, err
		}
		out[i] = s
		if err := c.step(1 + len(s)/bytesPerStep); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func replaceText(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	text, before, after := t[0], t[1], t[2]
	size := len(text) + strings.Count(text, before)*(len(after)-len(before))
	if size > c.in.MaxText() {
		return value.Null, tooLong(c.node.At, c.in.MaxText())
	}
	return c.made(strings.ReplaceAll(text, before, after)), nil
}

func stringOf(c *builtinCall) (value.Value, error) {
	if c.args[0].Is(value.StringKind) {
		return c.args[0], nil
	}
	s, err := c.text(0)
	return c.made(s), err
}

func lowerCase(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	return c.made(strings.ToLower(t[0])), nil
}

func upperCase(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	return c.made(strings.ToUpper(t[0])), nil
}

func integerOf(c *builtinCall) (value.Value, error) {
	v := c.args[0]
	if !v.Is(value.FloatKind) {
		i, err := asInteger(v, c.at(0))
		return i.WithoutSource().Mark(c.marks()), err
	}
	f := v.Float()
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return value.Null, wrongType(c.at(0), "a finite number", v)
	}
	i, _ := big.NewFloat(f).Int(nil)
	return value.BigInt(i).Mark(c.marks()), nil
}

func floatOf(c *builtinCall) (value.Value, error) {
	v, err := asNumber(c.args[0], c.at(0))
	if err != nil {
		return value.Null, err
	}
	f := v.Float()
	if v.Is(value.IntKind) && math.IsInf(f, 0) {
		return value.Null, source.Errorf(c.at(0), source.BadValue, "the integer is too large for a float")
	}
	return value.Float(f).Mark(c.marks()), nil
}

func joinItems(c *builtinCall) (value.Value, error) {
	if !c.args[0].Is(value.ListKind) && !c.args[0].Is(value.MapKind) {
		return value.Null, wrongType(c.at(0), "a list", c.args[0]).WithHint("join(list, separator)")
	}
	between := value.String("")
	if len(c.args) == 2 {
		between = c.args[1]
		if _, err := c.text(1); err != nil {
			return value.Null, err
		}
	}
	t := textJoin{max: c.in.MaxText()}
	first := true
	err := c.each(0, func(item value.Value) error {
		if !first {
			if err := t.add(between, c.node.At); err != nil {
				return err
			}
		}
		first = false
		return t.add(item, c.at(0))
	})
	return t.value().Mark(c.args[0].Marks()), err
}

func splitText(c *builtinCall) (value.Value, error) {
	t, err := c.texts()
	if err != nil {
		return value.Null, err
	}
	var pieces iter.Seq[string]
	switch {
	case len(t) == 1:
		pieces = strings.FieldsSeq(t[0])
	case t[1] == "":
		return value.Null, source.Errorf(c.at(1), source.WrongType, "expected a string that is not empty as the separator")
	default:
		pieces = strings.SplitSeq(t[0], t[1])
	}
	most := c.in.MaxText() / bytesPerPiece
	items := value.Slice{}
	for p := range pieces {
		if len(items) == most {
			return value.Null, source.Errorf(c.node.At, source.Limit, "a list would have more than %d items", most)
		}
		if err := c.step(1); err != nil {
			return value.Null, err
		}
		items = append(items, c.made(p))
	}
	return value.FromList(items).Mark(c.marks()), nil
}

// bytesPerPiece is what a piece of a text counts against the longest text.
const bytesPerPiece = 32
