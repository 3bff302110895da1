//go:build linux

package main

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
	"github.com/yaytpl/yaytpl/internal/worktexts"
)

// The numbers of items in the values that the parts of the languages work on, and of turns of loops.
// Loops are in loops: no evaluation gets to their end.
var partSizes = []int{2_000, 200_000}

const partTurns = 300_000

// partAttacks returns the documents of internal/worktexts in one size, for yaytpl alone.
func partAttacks(items int) []attack {
	var attacks []attack
	for _, r := range worktexts.Rows(items, partTurns) {
		a := attack{name: r.Parts, group: fmt.Sprintf("%d items", items), files: map[string]text{}}
		if r.Task != "" {
			a.name += ": " + r.Task
		}
		for name, content := range r.Files {
			a.files[name] = func(w *bufio.Writer) { w.WriteString(content) }
		}
		args := []string{"render", "-o", "json", r.Main()}
		if b := r.Bindings(); b != "" {
			args = append(args, "--bindings", b)
		}
		a.runs = map[string][]string{ours: args}
		attacks = append(attacks, a)
	}
	return attacks
}

// runParts runs yaytpl on the parts of the languages in all sizes and returns the tables.
func runParts(s settings) (string, error) {
	of, err := programs.OfCheckout(s.ours, s.dir)
	if err != nil {
		return "", err
	}
	var rows []row
	for _, items := range partSizes {
		for _, a := range partAttacks(items) {
			if !strings.Contains(a.group+": "+a.name, s.rows) {
				continue
			}
			r, err := a.run(s, []programs.Program{of})
			if err != nil {
				return "", fmt.Errorf("%s: %w", a.name, err)
			}
			o := r.outcomes[ours]
			fmt.Fprintf(os.Stderr, "%6.2f s %5d MB  %s: %s: %s\n", o.cpu.Seconds(), o.memory>>20, a.group, a.name, cmp.Or(shortened(o.first), o.String()))
			rows = append(rows, r)
		}
	}
	return partsReport(rows), nil
}

// mostOf is the number of rows that each table of partsReport has.
const mostOf = 10

// partsReport returns tables of the rows that take most time and most memory.
func partsReport(rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s/%s, %s: %d inputs.\n", time.Now().Format("2006-01-02"), runtime.GOOS, runtime.GOARCH, runtime.Version(), len(rows))
	table := func(by string, less func(a, b outcome) int) {
		slices.SortStableFunc(rows, func(x, y row) int { return less(y.outcomes[ours], x.outcomes[ours]) })
		fmt.Fprintf(&b, "\n| most %s | items | outcome | time | memory |\n|---|---|---|---|---|\n", by)
		for _, r := range rows[:min(mostOf, len(rows))] {
			o := r.outcomes[ours]
			name := "`" + strings.ReplaceAll(r.attack.name, "|", `\|`) + "`"
			items, _, _ := strings.Cut(r.attack.group, " ")
			fmt.Fprintf(&b, "| %s | %s | %s | %.1f s | %s |\n", name, items, o.word(), o.cpu.Seconds(), size(o.memory))
		}
	}
	table("time", func(a, b outcome) int { return cmp.Compare(a.cpu, b.cpu) })
	table("memory", func(a, b outcome) int { return cmp.Compare(a.memory, b.memory) })
	return b.String()
}
