package graph

import (
	"strconv"

	"github.com/yaytpl/yaytpl/value"
)

// keysSpelt returns the keys that a pointer segment may mean, text first.
func keysSpelt(seg string) []value.Key {
	keys := []value.Key{value.K(seg)}
	switch seg {
	case "true", "false":
		return append(keys, value.Key{Text: seg, Kind: value.BoolKind})
	case "null":
		return append(keys, value.Key{Text: seg, Kind: value.NullKind})
	}
	if _, err := strconv.ParseInt(seg, 10, 64); err == nil {
		return append(keys, value.Key{Text: seg, Kind: value.IntKind})
	}
	if _, err := strconv.ParseFloat(seg, 64); err == nil {
		return append(keys, value.Key{Text: seg, Kind: value.FloatKind})
	}
	return keys
}

// parseIndex reads a list index: decimal digits, perhaps with a minus sign.
func parseIndex(seg string) (int, error) { return strconv.Atoi(seg) }
