package hiera

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Puppet reads data files by YAML 1.1, of which people use "yes" and 0644. These are the
// texts without quotes and tags that its reader takes for something else than YAML 1.2 does:
//
//	yes, on    true    no, off    false    0644   420    0b11   3    1_000, 1,000   1000
//	1:30       5400    08         "08"     1e3    "1e3"  .5     0.5  5.             5.0
//
// Source: the class ScalarScanner of Ruby's library Psych 4.
var (
	intText      = lazy.Regexp{Text: `^(?:[-+]?0[0-7_,]+|[-+]?(?:0|[1-9](?:[0-9]|,[0-9]|_[0-9])*)|[-+]?0[xX][0-9a-fA-F_,]+|[-+]?0b[01_,]+)$`}
	floatText    = lazy.Regexp{Text: `^[-+]?(?:[0-9][0-9_,]*)?\.[0-9]*(?:[eE][+-][0-9]+)?$`}
	base60Int    = lazy.Regexp{Text: `^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}$`}
	base60Float  = lazy.Regexp{Text: `^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9]){1,2}\.[0-9_]*$`}
	truthTexts   = lazy.Regexp{Text: `^(?i:yes|true|on)$`}
	falseTexts   = lazy.Regexp{Text: `^(?i:no|false|off)$`}
	nullTexts    = lazy.Regexp{Text: `^(?i:null|~|)$`}
	specialFloat = lazy.Regexp{Text: `^[-+]?\.(?i:inf)$|^\.(?i:nan)$`}
)

// scalar returns the data of a scalar as Puppet reads it. Tags of no known type are dropped.
func scalar(n *yaml.Node) value.Value {
	if src := n.Value.Source(); src != nil && src.Tag != "" && n.Value.Is(value.StringKind) {
		if v, ok := plainScalar(n.Value.Str()); ok {
			return v
		}
		return value.String(n.Value.Str())
	}
	if n.Style != yaml.Plain || n.Tag != "" || n.At.File == nil || source.LanguageOf(n.At.File.Name) == "json" {
		return n.Value
	}
	s := n.At.File.Text[n.At.Start:n.At.End]
	if s == "" || strings.ContainsAny(s, "\n\r") {
		return n.Value
	}
	if v, ok := plainScalar(s); ok {
		return v
	}
	if n.Value.Is(value.StringKind) {
		return n.Value
	}
	return value.String(s) // a number only in YAML 1.2
}

// key returns the key of an entry as Puppet reads it: :name is name, 0644 is 420.
func key(e *yaml.Entry) value.Key {
	n := e.KeyNode()
	if n.Kind != yaml.ScalarNode || n.Style != yaml.Plain || e.IsMerge() {
		return e.Key
	}
	if text, ok := strings.CutPrefix(e.Key.Text, ":"); ok && text != "" && e.Key.Kind == value.StringKind {
		return value.K(text)
	}
	if k, ok := value.KeyOf(scalar(n)); ok {
		return k
	}
	return e.Key
}

// plainScalar returns the data of a text without quotes, false if it is a text.
func plainScalar(s string) (value.Value, bool) {
	if s == "" {
		return value.Null, false
	}
	switch c := s[0]; {
	case truthTexts.Get().MatchString(s):
		return value.True, true
	case falseTexts.Get().MatchString(s):
		return value.False, true
	case nullTexts.Get().MatchString(s):
		return value.Null, true
	case c != '-' && c != '+' && c != '.' && (c < '0' || c > '9'):
		return value.Null, false
	}
	digits := strings.NewReplacer("_", "", ",", "").Replace(s)
	switch {
	case specialFloat.Get().MatchString(s):
		f, err := strconv.ParseFloat(strings.Replace(strings.ToLower(s), ".", "", 1), 64)
		return value.Float(f), err == nil
	case intText.Get().MatchString(s):
		n, ok := new(big.Int).SetString(strings.TrimPrefix(digits, "+"), 0)
		if !ok {
			return value.Null, false // such as 08
		}
		return value.BigInt(n), true
	case floatText.Get().MatchString(s) && strings.ContainsAny(s, "0123456789"):
		f, err := strconv.ParseFloat(digits, 64)
		return value.Float(f), err == nil
	case base60Int.Get().MatchString(s):
		return value.BigInt(base60Whole(s)), true
	case base60Float.Get().MatchString(s):
		return value.Float(base60(s)), true
	}
	return value.Null, false
}

// base60Whole returns the seconds of hours:minutes:seconds without a fraction. Of two parts the first are hours.
func base60Whole(s string) *big.Int {
	sum, weight := new(big.Int), big.NewInt(3600)
	for part := range strings.SplitSeq(strings.ReplaceAll(s, "_", ""), ":") {
		n, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return sum
		}
		sum.Add(sum, n.Mul(n, weight))
		weight = new(big.Int).Div(weight, big.NewInt(60))
	}
	return sum
}

// base60 returns the seconds of hours:minutes:seconds. Of two parts the first are hours.
func base60(s string) float64 {
	sum, weight := 0.0, 3600.0
	parts := strings.Split(strings.ReplaceAll(s, "_", ""), ":")
	for _, part := range parts {
		f, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return sum
		}
		sum += f * weight
		weight /= 60
	}
	return sum
}
