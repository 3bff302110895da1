package system_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/graph"
	"github.com/yaytpl/yaytpl/source"
)

// TestEncryptedIncludes: errors of includes in an encrypted file quote no name from it.
func TestEncryptedIncludes(t *testing.T) {
	for _, tt := range []struct {
		text string
		code source.Code
	}{
		{"+include: package://hunter/a.yaml\n", source.MissingInclude},
		{"+include:\n  file: a.yaml\n  repository: hunter\n", source.MissingInclude},
		{"+include: hunter.yaml\n", source.MissingInclude},
		{"+include: file://hunter/a.yaml\n", source.MissingInclude},
		{"+include: ../../../hunter.yaml\n", source.Forbidden},
		{"+include: https://hunter/a.yaml\n", source.Forbidden},
		{"+include: ftp://hunter/a.yaml\n", source.Access},
		{"+include: hunter\n", source.Access},
		{"+include: hunter2.yaml\n", source.BadInclude},
		{"+include: hunter3.yaml\n", source.Limit},
		{"a: \"{% include 'hunter.j2' %}\"\n", source.MissingInclude},
		{"a: \"{% extends 'hunter.j2' %}\"\n", source.MissingInclude},
		{"a: \"{% from 'hunter.j2' import x %}\"\n", source.MissingInclude},
		{"a: \"{% import '../../hunter.j2' as y %}\"\n", source.Forbidden},
		{"include 'hunter.yay'\n", source.NotFound},
		{"include 'package://hunter/a.yay'\n", source.NotFound},
	} {
		name := "s.yaml.gpg"
		if tt.code == source.NotFound {
			name = "s.yay.gpg"
		}
		dir := tree(t, map[string]string{
			name: sealed(t, tt.text), "hunter/x": "", "hunter2.yaml": "a: 1\n---\na: 2\n", "hunter3.yaml": "a: " + strings.Repeat("x", 5000),
		})
		o := yaytpl.Options{Dir: dir, Decrypter: crypto.New(annsKeys(t)), Limits: graph.Limits{Bytes: 4000}}
		p, err := yaytpl.Open(t.Context(), []string{name}, o)
		if err == nil {
			err = p.Render(io.Discard, yaytpl.RenderOptions{})
		}
		var d *source.Diagnostic
		if !errors.As(err, &d) || d.Code != tt.code || d.At.File == nil {
			t.Errorf("%q: %v, want code %s", tt.text, err, tt.code)
			continue
		}
		if said := fmt.Sprintf("%v %+v %s %v", err, d.Notes, d.Hint, d.Cause); strings.Contains(said, "hunter") {
			t.Errorf("%q: the error quotes the file: %s", tt.text, said)
		}
	}
}
