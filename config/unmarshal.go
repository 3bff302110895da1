package config

import (
	"reflect"
	"strings"

	"github.com/yaytpl/yaytpl/internal/godata"
	"github.com/yaytpl/yaytpl/internal/yamlnode"
	langyaml "github.com/yaytpl/yaytpl/lang/yaml"
	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
	"gopkg.in/yaml.v3"
)

// legacyUnmarshaler is the interface of yaml.v2 that yaml.v3 calls, too.
type legacyUnmarshaler interface {
	UnmarshalYAML(unmarshal func(any) error) error
}

// unmarshals reports whether a variable decodes itself from YAML.
func unmarshals(v reflect.Value) bool {
	if !v.CanAddr() || v.Kind() == reflect.Pointer || v.Kind() == reflect.Interface {
		return false
	}
	switch v.Addr().Interface().(type) {
	case yaml.Unmarshaler, legacyUnmarshaler:
		return true
	}
	return false
}

// unmarshal evaluates x and has the library decode it into v, a yaml.Node or a variable with a method
// UnmarshalYAML. All nodes have the place of x, so that errors of the method name its line.
//
// Code: bad-value for an error of the method.
func (x lookup) unmarshal(v reflect.Value) error {
	if err := x.force(); err != nil {
		return err
	}
	plain, err := godata.Plain(x.val, x.eval)
	if err != nil {
		return err
	}
	var text strings.Builder
	if err := langyaml.Encode(&text, plain, langyaml.EncodeOptions{Reveal: true}); err != nil {
		return err
	}
	doc, err := yamlnode.FromText("", text.String())
	if err != nil {
		return err
	}
	n := doc.Content[0]
	line, column := 0, 0
	if at := x.span(); !at.IsZero() {
		line, column = at.File.Position(int(at.Start))
	}
	moveTo(n, line, column)
	if v.Type() == reflect.TypeFor[yaml.Node]() {
		v.Set(reflect.ValueOf(*n))
		return nil
	}
	if err := n.Decode(v.Addr().Interface()); err != nil {
		d := source.Errorf(source.Span{}, source.BadValue, "%s, %s, cannot be decoded as %s", x.name(), describe(x.val), v.Type())
		if marks, _ := value.DeepMarks(plain); marks == 0 { // else the error may quote a secret
			d.Message += ": " + strings.ReplaceAll(err.Error(), "\n", "")
			d.Cause = err
		}
		return d
	}
	return nil
}

// moveTo gives nodes a place.
func moveTo(n *yaml.Node, line, column int) {
	n.Line, n.Column = line, column
	for _, kid := range n.Content {
		moveTo(kid, line, column)
	}
}
