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
	"github.com/yaytpl/yaytpl/internal/testing/worktexts"
)

// The numbers of items in the values that the parts of the languages work on, and of turns of loops.
// Loops are in loops: no evaluation gets to their end.
var partSizes = []int{2_000, 200_000}

const partTurns = 300_000

// partSteps is the limit of steps in the first measurement of each document, a tenth of the default. Those
// that take most time or memory then are measured again with the default.
const partSteps = 50_000_000

// partAttacks returns the documents of internal/testing/worktexts in one size, for yaytpl alone, with a limit of
// steps.
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
		args := []string{"render", "-o", "json", "--max-steps", fmt.Sprint(partSteps), r.Main()}
		if b := r.Bindings(); b != "" {
			args = append(args, "--bindings", b)
		}
		a.runs = map[string][]string{ours: args}
		attacks = append(attacks, a)
	}
	return attacks
}

// withAllSteps returns an attack of partAttacks with the default limit of steps.
func (a attack) withAllSteps() attack {
	args := slices.Clone(a.runs[ours])
	at := slices.Index(args, "--max-steps")
	a.runs = map[string][]string{ours: slices.Delete(args, at, at+2)}
	return a
}

// runParts runs yaytpl on the parts of the languages in all sizes and returns the tables.
func runParts(s settings) (string, error) {
	of, err := programs.OfCheckout(s.ours, s.dir)
	if err != nil {
		return "", err
	}
	run := func(a attack, steps string) (row, error) {
		r, err := a.run(s, []programs.Program{of})
		if err != nil {
			return r, fmt.Errorf("%s: %w", a.name, err)
		}
		o := r.outcomes[ours]
		fmt.Fprintf(os.Stderr, "%6.2f s %5d MB  %s, %s: %s: %s\n", o.cpu.Seconds(), o.memory>>20, a.group, steps, a.name, cmp.Or(shortened(o.first), o.String()))
		return r, nil
	}
	var rows []row
	for _, items := range partSizes {
		for _, a := range partAttacks(items) {
			if !strings.Contains(a.group+": "+a.name, s.rows) {
				continue
			}
			r, err := run(a, "a tenth of the steps")
			if err != nil {
				return "", err
			}
			rows = append(rows, r)
		}
	}
	again := mostRows(rows)
	for i, r := range again {
		if again[i], err = run(r.attack.withAllSteps(), "all steps"); err != nil {
			return "", err
		}
	}
	return partsReport(len(rows), again), nil
}

func byTime(x, y row) int   { return cmp.Compare(y.outcomes[ours].cpu, x.outcomes[ours].cpu) }
func byMemory(x, y row) int { return cmp.Compare(y.outcomes[ours].memory, x.outcomes[ours].memory) }

// mostRows returns the 2*mostOf rows that took most time and, of the others, the mostOf that took most
// memory. It sorts rows.
func mostRows(rows []row) []row {
	slices.SortStableFunc(rows, byTime)
	n := min(2*mostOf, len(rows))
	slices.SortStableFunc(rows[n:], byMemory)
	return slices.Clone(rows[:min(n+mostOf, len(rows))])
}

// mostOf is the number of rows that each table of partsReport has.
const mostOf = 10

// partsReport returns tables of the rows that take most time and most memory, out of all inputs.
func partsReport(all int, rows []row) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s, %s/%s, %s: %d inputs, each in %d steps; the %d that took most time or memory, with the default limits:\n",
		time.Now().Format("2006-01-02"), runtime.GOOS, runtime.GOARCH, runtime.Version(), all, partSteps, len(rows))
	table := func(by string, order func(x, y row) int) {
		slices.SortStableFunc(rows, order)
		fmt.Fprintf(&b, "\n| most %s | items | outcome | time | memory |\n|---|---|---|---|---|\n", by)
		for _, r := range rows[:min(mostOf, len(rows))] {
			o := r.outcomes[ours]
			name := "`" + strings.ReplaceAll(r.attack.name, "|", `\|`) + "`"
			items, _, _ := strings.Cut(r.attack.group, " ")
			fmt.Fprintf(&b, "| %s | %s | %s | %.1f s | %s |\n", name, items, o.word(), o.cpu.Seconds(), size(o.memory))
		}
	}
	table("time", byTime)
	table("memory", byMemory)
	return b.String()
}
