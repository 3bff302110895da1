//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// compare checks that the data of an output file equals the reference, except for the order of
// keys. It returns the reference, which is the data of this output if reference is nil.
func compare(reference any, name string, f form) (any, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return reference, err
	}
	got, err := decode(data, f)
	if err != nil {
		return reference, err
	}
	if reference == nil {
		return got, nil
	}
	return reference, difference("", reference, got)
}

func decode(data []byte, f form) (any, error) {
	if f == jsonForm {
		var v any
		d := json.NewDecoder(bytes.NewReader(data))
		d.UseNumber()
		err := d.Decode(&v)
		return numbers(v), err
	}
	var n yaml.Node
	if err := yaml.Unmarshal(data, &n); err != nil {
		return nil, err
	}
	if len(n.Content) == 0 {
		return nil, errors.New("the output is empty")
	}
	return plain(n.Content[0]), nil
}

// numbers converts all numbers of v to float64, so that 1 equals 1.0.
func numbers(v any) any {
	switch v := v.(type) {
	case json.Number:
		n, _ := v.Float64()
		return n
	case []any:
		for i := range v {
			v[i] = numbers(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = numbers(v[k])
		}
	}
	return v
}

// plain converts a node to the types of encoding/json. yaml.v3 could decode the node, but its
// decoder compares every key of a map with every other one, which takes too long for large maps.
func plain(n *yaml.Node) any {
	switch n.Kind {
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			m[n.Content[i].Value] = plain(n.Content[i+1])
		}
		return m
	case yaml.SequenceNode:
		l := make([]any, len(n.Content))
		for i, item := range n.Content {
			l[i] = plain(item)
		}
		return l
	case yaml.AliasNode:
		return plain(n.Alias)
	}
	switch n.ShortTag() {
	case "!!null":
		return nil
	case "!!bool":
		return n.Value == "true"
	case "!!int", "!!float":
		if f, err := strconv.ParseFloat(n.Value, 64); err == nil {
			return f
		}
	}
	return n.Value
}

// difference returns an error that names the first path where got differs from want, or nil.
func difference(path string, want, got any) error {
	switch want := want.(type) {
	case map[string]any:
		have, ok := got.(map[string]any)
		if !ok || len(have) != len(want) {
			return fmt.Errorf("%s: want %d keys, got %.60s", path, len(want), fmt.Sprint(got))
		}
		for k := range want {
			if _, ok := have[k]; !ok {
				return fmt.Errorf("%s/%s is missing", path, k)
			}
			if err := difference(path+"/"+k, want[k], have[k]); err != nil {
				return err
			}
		}
		return nil
	case []any:
		have, ok := got.([]any)
		if !ok || len(have) != len(want) {
			return fmt.Errorf("%s: want %d items, got %.60s", path, len(want), fmt.Sprint(got))
		}
		for i := range want {
			if err := difference(fmt.Sprint(path, "/", i), want[i], have[i]); err != nil {
				return err
			}
		}
		return nil
	}
	if want != got {
		return fmt.Errorf("%s: want %.40q, got %.40q", path, fmt.Sprint(want), fmt.Sprint(got))
	}
	return nil
}

// changedLines returns the number of added lines or of removed lines, whichever is larger. Lines
// that only moved do not count.
func changedLines(input, output string) (int, error) {
	before, err := os.ReadFile(input)
	if err != nil {
		return 0, err
	}
	after, err := os.ReadFile(output)
	if err != nil {
		return 0, err
	}
	have := map[string]int{}
	for line := range strings.Lines(string(before)) {
		have[line]++
	}
	added := 0
	for line := range strings.Lines(string(after)) {
		if have[line] == 0 {
			added++
			continue
		}
		have[line]--
	}
	removed := 0
	for _, n := range have {
		removed += n
	}
	return max(added, removed), nil
}
