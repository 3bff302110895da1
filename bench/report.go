//go:build unix

package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// remarks is the last section of the report.
//
//go:embed remarks.md
var remarks string

// table returns the report in Markdown.
func table(s settings, compared map[string]programs.Program, results []rowResult) string {
	var b strings.Builder
	b.WriteString("# Results\n\nWritten by `go run -C bench .`. [README.md](README.md) lists the rows.\n\n")
	fmt.Fprintf(&b, "%s, %d cores, %s/%s, %s. CPU time is user and system time, the least of %d alternating\nruns. The columns wall (the least as well) and memory (the peak of the process) are for the size at which the\nprograms are compared.\n\n",
		time.Now().Format("2006-01-02"), runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version(), s.runs)
	var versions []string
	for _, name := range slices.Sorted(maps.Keys(compared)) {
		versions = append(versions, name+" "+compared[name].Version)
	}
	fmt.Fprintf(&b, "%s.\n", strings.Join(versions, ", "))
	for _, r := range results {
		rowTable(&b, r)
	}
	b.WriteString(remarks)
	return b.String()
}

// rowTable writes the section of one row.
func rowTable(b *strings.Builder, r rowResult) {
	sizes := sizesOf(r)
	fmt.Fprintf(b, "\n## %s: %s\n\n| %s |", r.row.name, r.row.title, r.row.unit)
	for _, size := range sizes {
		fmt.Fprintf(b, " %s |", human(size))
	}
	b.WriteString(" times ours | wall | memory | exponent | |\n|---|" + strings.Repeat("---|", len(sizes)+5) + "\n")
	at := r.row.usual
	var ours sample
	for _, t := range r.tools {
		if programOf(t.tool) == programs.Ours {
			ours = t.samples[at] // the first, if there are several languages
			break
		}
	}
	for _, t := range r.tools {
		fmt.Fprintf(b, "| %s |", t.tool)
		for _, size := range sizes {
			fmt.Fprintf(b, " %s |", duration(t.samples[size].CPU))
		}
		note := t.note
		if have := t.samples[at]; r.row.edits != "" && have.CPU > 0 {
			note = strings.TrimSuffix(fmt.Sprintf("%d lines differ; %s", have.Lines, t.note), "; ")
		}
		fmt.Fprintf(b, " %s | %s | %s | %s | %s |\n", ratio(t.samples[at], ours), duration(t.samples[at].Wall), megabytes(t.samples[at]), exponentText(t), note)
	}
}

// sizesOf returns the sizes that have a sample, in ascending order.
func sizesOf(r rowResult) []int {
	have := map[int]bool{}
	for _, t := range r.tools {
		for size := range t.samples {
			have[size] = true
		}
	}
	return slices.Sorted(maps.Keys(have))
}

func duration(d time.Duration) string {
	switch {
	case d == 0:
		return "-"
	case d < 100*time.Millisecond:
		return fmt.Sprintf("%.3f s", d.Seconds())
	}
	return fmt.Sprintf("%.2f s", d.Seconds())
}

// ratio returns the CPU time of s as a multiple of that of yaytpl.
func ratio(s, ours sample) string {
	if s.CPU == 0 || ours.CPU == 0 {
		return "-"
	}
	return fmt.Sprintf("%.1f", s.CPU.Seconds()/ours.CPU.Seconds())
}

func megabytes(s sample) string {
	if s.Memory == 0 {
		return "-"
	}
	return fmt.Sprintf("%d MB", s.Memory>>20)
}

func exponentText(t *toolResult) string {
	if e, ok := t.exponent(); ok {
		return fmt.Sprintf("%.2f", e)
	}
	return "-"
}

// updated returns the report together with those rows of an older report, in file, that were not
// measured again.
func updated(file, report string) (string, error) {
	old, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return report, nil
	}
	if err != nil {
		return "", err
	}
	return withRowsOf(string(old), report), nil
}

// withRowsOf returns the report with the sections that only the old report has, in the order of
// [rows], and the versions of programs that only it names. The rest of the text above the sections and
// the remarks are those of the new report.
func withRowsOf(old, report string) string {
	before, now := sectionsOf(old), sectionsOf(report)
	var b strings.Builder
	b.WriteString(withVersionsOf(before[""], now[""]))
	for _, r := range rows() {
		section, measured := now[r.name]
		if !measured {
			section = before[r.name]
		}
		b.WriteString(section)
	}
	b.WriteString(remarks)
	return b.String()
}

// withVersionsOf returns the text above the sections, whose last paragraph is a list of programs with
// their versions, with those programs of the older text that it does not name.
func withVersionsOf(old, now string) string {
	head, list := lastParagraph(now)
	_, before := lastParagraph(old)
	for _, p := range before {
		name, _, _ := strings.Cut(p, " ")
		if !slices.ContainsFunc(list, func(q string) bool { return strings.HasPrefix(q, name+" ") }) {
			list = append(list, p)
		}
	}
	slices.Sort(list)
	return head + strings.Join(list, ", ") + ".\n"
}

// lastParagraph returns the text before the last paragraph, and the parts of that between commas.
func lastParagraph(text string) (head string, parts []string) {
	at := strings.LastIndex(strings.TrimRight(text, "\n"), "\n\n") + 2
	list := strings.TrimSuffix(strings.Join(strings.Fields(text[at:]), " "), ".")
	return text[:at], strings.Split(list, ", ")
}

// sectionsOf returns the sections of a report by the names of their rows, and the text above them
// under "". It omits the remarks.
func sectionsOf(report string) map[string]string {
	sections := map[string]string{}
	for i, part := range strings.Split(report, "\n## ") {
		name, _, isRow := strings.Cut(part, ":")
		switch {
		case i == 0:
			sections[""] = part
		case isRow:
			sections[name] = "\n## " + part
		}
	}
	return sections
}
