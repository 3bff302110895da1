package docs_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page is a Markdown file. The first line of a fenced block contains its kind:
//
//	LANG file=NAME   a file in the directory of the examples below the same heading,
//	                 which is empty at first
//	console          commands after "$ ", each followed by its output and, if it
//	                 fails, by "(exit status N)"; with dir=PATH they run in that
//	                 directory of the repository; with with=PATH the files of that
//	                 directory are copied next to them
//	sh               commands of the go tool, in the root of a checkout
//	LANG from=PATH   a part of a file of the repository
//	text             a diagram or a grammar: not run
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
	group int // number of the last heading before it
}

const root = ".."

// pages reads README.md and the pages of docs.
func pages(t *testing.T) []*page {
	t.Helper()
	paths, err := filepath.Glob("*.md")
	if err != nil || len(paths) == 0 {
		t.Fatalf("missing pages: %v", err)
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

// parsePage finds the headings and fenced blocks of a page.
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
		return nil, fmt.Errorf("%s:%d: missing end of the fenced block", path, open.line)
	}
	return p, nil
}

// newFence parses the first line of a block, without its backquotes.
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

// at returns the position of a block, for messages.
func (p *page) at(f *fence) string { return fmt.Sprintf("%s:%d", p.path, f.line) }

func TestParsePage(t *testing.T) {
	p, err := parsePage("x.md", "# A\n```yaml file=a.yaml\na: 1\n```\n## B\n```console\n$ yaytpl version\n```\n")
	if err != nil || len(p.fences) != 2 {
		t.Fatalf("parsePage = %v fences, %v", p, err)
	}
	a, b := p.fences[0], p.fences[1]
	if a.attrs["file"] != "a.yaml" || a.text() != "a: 1\n" || a.line != 2 || a.group == b.group {
		t.Errorf("first block %+v, second %+v", a, b)
	}
	if _, err := parsePage("x.md", "```console\n$ yaytpl\n"); err == nil {
		t.Error("parsePage accepts a block without an end")
	}
}
