package fidelity

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
)

// A jsonReader builds a tree of a JSON text.
type jsonReader struct {
	text  string
	dec   *json.Decoder
	lines []int // where they begin
}

func readJSON(text string) (*Node, error) {
	r := jsonReader{text: text, dec: json.NewDecoder(strings.NewReader(text)), lines: []int{0}}
	r.dec.UseNumber()
	for i := range len(text) {
		if text[i] == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
	n, err := r.value()
	if err != nil {
		return nil, err
	}
	if _, err := r.dec.Token(); err != io.EOF {
		return nil, errors.New("more than one value")
	}
	return n, nil
}

func (r *jsonReader) value() (*Node, error) {
	t, err := r.dec.Token()
	if err != nil {
		return nil, err
	}
	return r.node(t)
}

// node returns the node that begins with a token.
func (r *jsonReader) node(t json.Token) (*Node, error) {
	n := &Node{Flow: true}
	n.line, n.col = r.place(t)
	switch t := t.(type) {
	case json.Delim:
		return n, r.fill(n, t)
	case string:
		n.Tag, n.Text, n.Style = "!!str", t, Quoted
	case json.Number:
		n.Tag, n.Text = "!!int", string(t)
		if strings.ContainsAny(n.Text, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Text = "!!bool", fmt.Sprint(t)
	default:
		n.Tag, n.Text = "!!null", "null"
	}
	return n, nil
}

// fill reads the entries or items behind a bracket.
func (r *jsonReader) fill(n *Node, open json.Delim) error {
	n.Kind = List
	if open == '{' {
		n.Kind = Map
	}
	for r.dec.More() {
		if n.Kind == Map {
			key, err := r.value()
			if err != nil {
				return err
			}
			n.Keys = append(n.Keys, key)
		}
		kid, err := r.value()
		if err != nil {
			return err
		}
		n.Kids = append(n.Kids, kid)
	}
	_, err := r.dec.Token()
	return err
}

// place returns where the token that was read last begins. Texts are found by their
// quote: one that stands behind an odd number of backslashes is not it.
func (r *jsonReader) place(t json.Token) (line, col int) {
	end := int(r.dec.InputOffset())
	at := end - 1
	switch t := t.(type) {
	case string:
		for at--; at > 0 && !(r.text[at] == '"' && evenBackslashes(r.text[:at])); at-- {
		}
	case json.Number:
		at = end - len(t)
	case bool:
		at = end - len(fmt.Sprint(t))
	case nil:
		at = end - len("null")
	}
	line = sort.SearchInts(r.lines, at+1) - 1
	return line, at - r.lines[line]
}

func evenBackslashes(before string) bool {
	return (len(before)-len(strings.TrimRight(before, `\`)))%2 == 0
}
