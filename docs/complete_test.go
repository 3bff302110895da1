package docs_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl"
)

// text returns the text of a file of the repository.
func text(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// help returns the output of a command that prints help.
func help(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(command, args...).Output()
	if err != nil {
		t.Fatalf("yaytpl %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

var (
	commandLine = regexp.MustCompile(`(?m)^  ([a-z]+) .*  `)
	flagName    = regexp.MustCompile(`(?m)^ +(?:-[a-zA-Z], )?(--[a-z-]+)`)
)

// commandPages returns the pages about the command as one text.
func commandPages(t *testing.T) string {
	t.Helper()
	paths, err := filepath.Glob("command*.md")
	if err != nil || len(paths) < 2 {
		t.Fatalf("pages of the command: %v, %v", paths, err)
	}
	var all strings.Builder
	for _, path := range paths {
		all.WriteString(text(t, "docs/"+path))
	}
	return all.String()
}

// TestCommands checks that the pages of the command have a heading for every command, and contain all
// flags of the command.
func TestCommands(t *testing.T) {
	page := commandPages(t)
	overview, _, _ := strings.Cut(help(t, "help"), "Topics")
	commands := commandLine.FindAllStringSubmatch(overview, -1)
	if len(commands) < 5 {
		t.Fatalf("found only %d commands in\n%s", len(commands), overview)
	}
	for _, c := range commands {
		if !strings.Contains(page, "\n## "+c[1]+" ") && !strings.Contains(page, "\n## "+c[1]+"\n") {
			t.Errorf("docs/command*.md: no heading for %s", c[1])
		}
		for _, f := range flagName.FindAllStringSubmatch(help(t, c[1], "--help"), -1) {
			if f[1] != "--help" && !strings.Contains(page, "`"+f[1]) {
				t.Errorf("docs/command*.md: no mention of %s of %s", f[1], c[1])
			}
		}
	}
}

// TestForms checks that the page of the flags lists all output formats.
func TestForms(t *testing.T) {
	page := text(t, "docs/command-flags.md")
	for _, form := range append(yaytpl.Forms(), yaytpl.FormEndings()...) {
		if !strings.Contains(page, "`"+form+"`") {
			t.Errorf("command-flags.md does not mention the format %s", form)
		}
	}
}

var requirement = regexp.MustCompile(`(?m)^\s*(?:require )?(\S+\.\S+) (v\S+)( // indirect)?$`)

// TestDependencies checks that dependencies.md lists all modules of go.mod with their versions.
func TestDependencies(t *testing.T) {
	page := text(t, "docs/dependencies.md")
	for _, m := range requirement.FindAllStringSubmatch(text(t, "go.mod"), -1) {
		if !strings.Contains(page, m[1]) || !strings.Contains(page, m[2]) {
			t.Errorf("dependencies.md does not mention %s %s", m[1], m[2])
		}
	}
}

// TestPackages checks that architecture.md lists all packages.
func TestPackages(t *testing.T) {
	page := text(t, "docs/architecture.md")
	for line := range strings.Lines(text(t, "internal/dagtest/rules.txt")) {
		pkg, _, ok := strings.Cut(line, "<")
		if pkg = strings.TrimSpace(pkg); !ok || strings.HasPrefix(line, "#") || pkg == "." {
			continue
		}
		if !strings.Contains(page, "`"+pkg+"`") {
			t.Errorf("architecture.md does not mention %s", pkg)
		}
	}
}

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// TestLinks checks that links to files of the repository and to headings have a target.
func TestLinks(t *testing.T) {
	for _, p := range append(pages(t), readPage(t, "CHANGELOG.md")) {
		for _, m := range link.FindAllStringSubmatch(p.prose(), -1) {
			target, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(target, "://") {
				continue
			}
			to := p.path
			if target != "" {
				to = filepath.Join(filepath.Dir(p.path), target)
			}
			if _, err := os.Stat(filepath.Join(root, to)); err != nil {
				t.Errorf("%s: %s: %v", p.path, m[1], err)
			} else if anchor != "" && !hasHeading(text(t, to), anchor) {
				t.Errorf("%s: %s: unknown heading", p.path, m[1])
			}
		}
	}
}

// prose returns the page without its fenced blocks.
func (p *page) prose() string {
	var b strings.Builder
	next := 0
	for _, f := range p.fences {
		b.WriteString(strings.Join(p.lines[next:f.line], "\n") + "\n")
		next = f.line + len(f.body)
	}
	return b.String() + strings.Join(p.lines[next:], "\n")
}

var notInAnchor = regexp.MustCompile(`[^a-z0-9 _-]`)

// hasHeading reports whether a page has a heading with an anchor, as GitHub derives it: "Go API" has
// the anchor "go-api".
func hasHeading(page, anchor string) bool {
	for line := range strings.Lines(page) {
		if title := strings.TrimLeft(line, "#"); title != line {
			id := notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
			if strings.ReplaceAll(id, " ", "-") == anchor {
				return true
			}
		}
	}
	return false
}
