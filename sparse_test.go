package yaytpl_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/value"
)

// bigServices is a YAML text that is long enough to be looked up in.
func bigServices(end string) string {
	var b strings.Builder
	b.WriteString("# all\nservices:\n")
	for i := range 2000 {
		fmt.Fprintf(&b, "  # number %[1]d\n  s%[1]d:\n    port: %[1]d # of http\n    # who may\n    allow: [a, {b: '0%[1]d'}]\n    script: |+\n      run # it\n\n    labels:\n      # first\n      x.y: 1.50\n      z: {}\n\n", i)
	}
	return b.String() + end
}

// askedOf returns what a project says to paths, of the right document and of a wrong one.
func askedOf(t *testing.T, text string, sparse bool, paths []string) string {
	t.Helper()
	dir := tree(t, map[string]string{"big.yaml": text})
	p, err := yaytpl.Open(context.Background(), []string{"big.yaml"}, yaytpl.Options{Dir: dir, Sparse: sparse})
	if err != nil {
		return err.Error()
	}
	var out bytes.Buffer
	for _, path := range paths {
		v, err := p.Documents()[0].Get(path)
		if err == nil {
			err = p.WriteValue(&out, v, yaytpl.RenderOptions{})
		}
		fmt.Fprintln(&out, path, err)
		if err != nil && (strings.Contains(err.Error(), "[syntax]") || strings.Contains(err.Error(), "[duplicate-key]")) {
			return err.Error()
		}
		found, err := p.Documents()[0].Query("::" + strings.ReplaceAll(strings.NewReplacer("[", ".", "]", "").Replace(path), ".", "::"))
		for _, v := range found {
			if err == nil {
				err = p.WriteValue(&out, v, yaytpl.RenderOptions{})
			}
		}
		fmt.Fprintln(&out, len(found), err)
	}
	return out.String()
}

// Looking up places of a text gives what the parsed document gives.
func TestSparseLookups(t *testing.T) {
	paths := []string{
		"services.s1999.port", "services.s1999.allow", "services.s1999.allow[1].b", "services.s7.script", "services.s7.labels",
		"services.s7.labels.z", `services.s7.labels.x.y`, "services.s7", "services.nowhere", "services.s7.port.deeper", "end", "end.a", "services.s7.allow[9]",
	}
	for _, end := range []string{"", "end:\n  a: 1\n", "end: {a: '{{ services.s3.port }}'}\n", "end: {+/services/s3: }\n", "end: &x 1\n", "end: [\n", "end: 1\nend: 2\n"} {
		text := bigServices(end)
		got, want := askedOf(t, text, true, paths), askedOf(t, text, false, paths)
		if got != want {
			t.Errorf("with %q at the end:\n%s\nwant\n%s", end, got, want)
		}
	}
}

// A text that was looked up in can still be asked for everything.
func TestSparseThenWhole(t *testing.T) {
	dir := tree(t, map[string]string{"big.yaml": bigServices("")})
	p, err := yaytpl.Open(context.Background(), []string{"big.yaml"}, yaytpl.Options{Dir: dir, Sparse: true})
	if err != nil {
		t.Fatal(err)
	}
	d := p.Documents()[0]
	if v, err := d.Get("services.s12.port"); err != nil || !v.Is(value.IntKind) {
		t.Errorf("got %v, %v", v, err)
	}
	if all, err := d.Query("::services::*::port"); err != nil || len(all) != 2000 {
		t.Errorf("%d ports, %v", len(all), err)
	}
	if d.Empty() {
		t.Error("the document is not empty")
	}
}
