package main

import (
	"encoding/json"
	"fmt"
	"math/big"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// An outcome is what a reader made of a text.
type outcome string

// The outcomes. Right is: the expected data, or for an invalid text an error.
const (
	right     outcome = "right"
	otherData outcome = "other data"
	refused   outcome = "valid, refused"
	accepted  outcome = "invalid, accepted"
	read      outcome = "read" // a valid text for which the suite has no data
	panicked  outcome = "panic"
	placeless outcome = "refused without a place"
)

// A result is an outcome and its details: the message of the reader, or the data that it read.
type result struct {
	outcome outcome
	message string
	data    []any
}

// readAll reads the texts with all readers. The results are by text, then by reader.
func readAll(texts []text, readers []reader) [][]result {
	results := make([][]result, len(texts))
	for i, t := range texts {
		for _, r := range readers {
			res := t.judge(r.read)
			if r.name == programs.Ours && res.message != "" && !placed.MatchString(res.message) {
				res.outcome = placeless
			}
			results[i] = append(results[i], res)
		}
	}
	return results
}

// judge reads the text and compares the data.
func (t text) judge(readDocuments func(string) ([]any, error)) result {
	docs, err := readDocuments(t.text)
	for i := range docs {
		docs[i] = plainData(docs[i])
	}
	want := make([]any, len(t.data))
	for i := range want {
		want[i] = plainData(t.data[i])
	}
	switch {
	case err != nil && strings.HasPrefix(err.Error(), panicPrefix):
		return result{panicked, err.Error(), nil}
	case err != nil && t.invalid:
		return result{right, err.Error(), nil}
	case err != nil:
		return result{refused, err.Error(), nil}
	case t.invalid:
		return result{accepted, "", docs}
	case !t.hasData:
		return result{read, "", docs}
	case len(docs) == 0 && len(want) == 0 || reflect.DeepEqual(docs, want):
		return result{right, "", docs}
	}
	return result{otherData, "", docs}
}

// plainData returns decoded data in types that reflect.DeepEqual can compare: nil, bool, string,
// []any, map[string]any, and *big.Rat as its text for a number. Keys become text.
func plainData(x any) any {
	switch x := x.(type) {
	case nil, bool, string:
		return x
	case json.Number:
		return numberText(x.String())
	case float64:
		return numberText(strconv.FormatFloat(x, 'g', -1, 64))
	case time.Time: // of a date, which is text in YAML 1.2
		if x.Equal(x.Truncate(24 * time.Hour)) {
			return x.Format(time.DateOnly)
		}
		return x.Format(time.RFC3339Nano)
	case []byte:
		return string(x)
	}
	v := reflect.ValueOf(x)
	switch {
	case v.CanInt() || v.CanUint():
		return numberText(fmt.Sprint(x))
	case v.Kind() == reflect.Slice:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = plainData(v.Index(i).Interface())
		}
		return out
	case v.Kind() == reflect.Map:
		out := make(map[string]any, v.Len())
		for _, k := range v.MapKeys() {
			out[keyText(k.Interface())] = plainData(v.MapIndex(k).Interface())
		}
		return out
	}
	return fmt.Sprintf("%T %v", x, x)
}

// A number is the value of a number, such as "3/2".
type number string

func numberText(s string) any {
	if r, ok := new(big.Rat).SetString(s); ok {
		return number(r.String())
	}
	return number(s)
}

// keyText returns the text of a key: an empty text for null, as in the data of the suite.
func keyText(k any) string {
	if k == nil {
		return ""
	}
	return fmt.Sprint(k)
}

// placed matches a message of yaytpl: its first line has the file, line and column.
var placed = regexp.MustCompile(`^in\.yaml:[1-9][0-9]*:[1-9][0-9]*: error: .+ \[[a-z-]+\]\n`)
