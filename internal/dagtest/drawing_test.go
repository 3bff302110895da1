package dagtest

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestDrawing checks the drawing in docs/architecture.md: it must contain each package of the command
// once, above all packages that it imports.
func TestDrawing(t *testing.T) {
	rules, err := parseRules(rulesText)
	if err != nil {
		t.Fatal(err)
	}
	floors := drawnFloors(t)
	for _, above := range []string{"cmd/yaytpl", ".", "config", "edit", "watch"} {
		for _, pkg := range rules[above].own {
			if floors[pkg] == 0 {
				t.Errorf("the drawing lacks %s", pkg)
			}
		}
	}
	for pkg, floor := range floors {
		r, ok := rules[pkg]
		if !ok {
			t.Errorf("the drawing contains the unknown package %s", pkg)
		}
		for _, dep := range r.own {
			if floors[dep] == 0 || floors[dep] >= floor {
				t.Errorf("%s, on floor %d of the drawing, imports %s, on floor %d", pkg, floor, dep, floors[dep])
			}
		}
	}
}

// floorLine matches a line of the drawing: the number of a floor, or blanks for the floor of the line
// above, and packages.
var floorLine = regexp.MustCompile(`(?m)^([ \d][ \d])  ([a-z].*)$`)

// drawnFloors returns the floor of each package.
func drawnFloors(t *testing.T) map[string]int {
	t.Helper()
	page, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "## Packages")
	_, rest, _ = strings.Cut(rest, "```text\n")
	drawing, _, _ := strings.Cut(rest, "```")
	floors := map[string]int{}
	floor := 0
	for _, line := range floorLine.FindAllStringSubmatch(drawing, -1) {
		if number := strings.TrimSpace(line[1]); number != "" {
			floor, _ = strconv.Atoi(number)
		}
		for _, pkg := range strings.Fields(line[2]) {
			if pkg == "yaytpl" {
				pkg = "."
			}
			if floors[pkg] != 0 {
				t.Errorf("the drawing contains %s twice", pkg)
			}
			floors[pkg] = floor
		}
	}
	if len(floors) == 0 {
		t.Fatal("docs/architecture.md lacks the drawing")
	}
	return floors
}
