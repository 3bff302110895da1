package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page is one Markdown file. Its fences say in their first line what they are:
//
//	yaml file=NAME   a file (so is any language with file=); a heading begins with
//	                 an empty directory
//	console          commands after "$ ", each followed by all that it prints and,
//	                 if it fails, by "(exit status N)"; with dir=PATH they run in a
//	                 directory of the repository, with with=PATH beside copies of
//	                 its files
//	sh               commands of the go tool in a checkout, from its root
//	LANG from=PATH   a part of a file of the repository
//	text             a diagram or a grammar: nothing to try
type page struct {
	path   string // from the root of the repository
	lines  []string
	fences []*fence
}

// A fence is a fenced block.
type fence struct {
	line  int // of its first line of content, from 0
	lang  string
	attrs map[string]string
	body  []string
	group int // number of the heading that it stands under
}

const root = ".."

// pages reads README.md and the pages of docs.
func pages(t *testing.T) []*page {
	t.Helper()
	paths, err := filepath.Glob("*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	all := []*page{readPage(t, "README.md")}
	for _, path := range paths {
		all = append(all, readPage(t, "docs/"+path))
	}
	return all
}

func readPage(t *testing.T, path string) *page {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	p, err := parsePage(path, string(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func parsePage(path, text string) (*page, error) {
	p := &page{path: path, lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	var open *fence
	group := 0
	for i, line := range p.lines {
		info, isFence := strings.CutPrefix(line, "```")
		switch {
		case open != nil && line == "```":
			p.fences = append(p.fences, open)
			open = nil
		case open != nil:
			open.body = append(open.body, line)
		case isFence:
			open = newFence(info, i+1, group)
		case strings.HasPrefix(line, "#"):
			group++
		}
	}
	if open != nil {
		return nil, fmt.Errorf("%s:%d: the fence has no end", path, open.line)
	}
	return p, nil
}

func newFence(info string, line, group int) *fence {
	f := &fence{line: line, group: group, attrs: map[string]string{}}
	for i, word := range strings.Fields(info) {
		if i == 0 {
			f.lang = word
			continue
		}
		key, val, _ := strings.Cut(word, "=")
		f.attrs[key] = val
	}
	return f
}

func (f *fence) text() string { return strings.Join(f.body, "\n") + "\n" }

func (p *page) at(f *fence) string { return fmt.Sprintf("%s:%d", p.path, f.line) }

func TestParsePage(t *testing.T) {
	p, err := parsePage("x.md", "# A\n```yaml file=a.yaml\na: 1\n```\n## B\n```console\n$ yaytpl version\n```\n")
	if err != nil || len(p.fences) != 2 {
		t.Fatalf("parsePage = %v fences, %v", p, err)
	}
	a, b := p.fences[0], p.fences[1]
	if a.attrs["file"] != "a.yaml" || a.text() != "a: 1\n" || a.line != 2 || a.group == b.group {
		t.Errorf("first fence = %+v, second %+v", a, b)
	}
	if _, err := parsePage("x.md", "```console\n$ yaytpl\n"); err == nil {
		t.Error("an open fence is accepted")
	}
}
