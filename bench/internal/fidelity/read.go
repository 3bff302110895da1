package fidelity

import (
	"errors"
	"fmt"
	"io"
	"strings"

	"gopkg.in/yaml.v3"
)

const byteOrderMark = "\ufeff"

// A File is a text that can be edited.
type File struct {
	Text string
	JSON bool
	docs []*document
}

// Read reads a text. Files with directives (%YAML) or line breaks that only old YAML
// knows are left to others: their lines cannot be counted by "\n".
func Read(text string, json bool) (*File, error) {
	f := &File{Text: text, JSON: json}
	body := strings.TrimPrefix(text, byteOrderMark)
	if json {
		root, err := readJSON(body)
		if err != nil {
			return nil, err
		}
		f.docs = []*document{{root: root, end: strings.Count(body, "\n") + 1}}
	} else if err := f.readYAML(body); err != nil {
		return nil, err
	}
	for _, d := range f.docs {
		d.setAfter()
	}
	return f, nil
}

func (f *File) readYAML(body string) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the reader panics: %v", r)
		}
	}()
	if strings.ContainsAny(body, "\u0085\u2028\u2029") || strings.Count(body, "\r") != strings.Count(body, "\r\n") {
		return errors.New("line breaks of old YAML")
	}
	lines := strings.Split(body, "\n")
	r := yaml.NewDecoder(strings.NewReader(body))
	for {
		var n yaml.Node
		if err := r.Decode(&n); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if n.Kind != yaml.DocumentNode || len(n.Content) != 1 {
			return errors.New("an empty text")
		}
		root := shown(n.Content[0], lines)
		f.docs = append(f.docs, &document{root: root, end: documentEnd(lines, lastLine(root)+1)})
	}
}

// documentEnd returns the first line from a line on that is a marker, or that behind
// the last one.
func documentEnd(lines []string, from int) int {
	for i := from; i < len(lines); i++ {
		if strings.HasPrefix(lines[i], "---") || strings.HasPrefix(lines[i], "...") {
			return i
		}
	}
	return len(lines)
}

// lastLine returns the line where the last node of a tree begins.
func lastLine(n *Node) int {
	if len(n.Kids) > 0 {
		return max(n.line, lastLine(n.Kids[len(n.Kids)-1]))
	}
	return n.line
}

// shown returns a node of yaml.v3 as one of ours.
func shown(y *yaml.Node, lines []string) *Node {
	n := &Node{Text: y.Value, Anchor: y.Anchor}
	n.line = min(max(y.Line-1, 0), len(lines)-1) // what is not written may lie behind the last one
	n.col = byteColumn(lines[n.line], y.Column-1)
	n.Flow = y.Style&yaml.FlowStyle != 0
	switch y.Kind {
	case yaml.ScalarNode:
		n.Tag = y.ShortTag()
		n.Style = styleOf(y.Style)
	case yaml.AliasNode:
		n.Kind = Alias
	case yaml.SequenceNode:
		n.Kind = List
		for _, kid := range y.Content {
			n.Kids = append(n.Kids, shown(kid, lines))
		}
	case yaml.MappingNode:
		n.Kind = Map
		for i := 0; i+1 < len(y.Content); i += 2 {
			n.Keys = append(n.Keys, shown(y.Content[i], lines))
			n.Kids = append(n.Kids, shown(y.Content[i+1], lines))
		}
	}
	if n.Kind != Scalar && y.Style&yaml.TaggedStyle != 0 {
		n.Tag = y.ShortTag()
	}
	return n
}

func styleOf(s yaml.Style) Style {
	switch {
	case s&(yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return Block
	case s&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) != 0:
		return Quoted
	}
	return Plain
}

// byteColumn returns how many bytes some characters take.
func byteColumn(line string, chars int) int {
	for i := range line {
		if chars == 0 {
			return i
		}
		chars--
	}
	return len(line)
}
