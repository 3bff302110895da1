package main

import (
	"encoding/json"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"
)

// report returns the tables in Markdown: the number of texts by outcome, and the texts that yaytpl
// reads in its own way. It fails for a text of yaytpl that known.go does not list.
func report(texts []text, readers []reader, results [][]result) (string, error) {
	var b strings.Builder
	var versions []string
	for _, r := range readers {
		versions = append(versions, strings.TrimSpace(r.name+" "+r.version))
	}
	fmt.Fprintf(&b, "%s, %s/%s, %s: %s. The suite has %d texts: %s %s.\n\n", time.Now().Format(time.DateOnly), runtime.GOOS, runtime.GOARCH,
		runtime.Version(), strings.Join(versions, ", "), len(texts), suiteModule, moduleVersion(suiteModule))
	b.WriteString("| texts | outcome |")
	for _, r := range readers {
		fmt.Fprintf(&b, " %s |", r.name)
	}
	b.WriteString("\n|---|---|" + strings.Repeat("---:|", len(readers)) + "\n")
	for _, g := range groups {
		size := 0
		for _, t := range texts {
			if g.has(t) {
				size++
			}
		}
		title := fmt.Sprintf("%s (%d)", g.title, size)
		for _, o := range g.outcomes {
			counts, any := "", false
			for j := range readers {
				n := count(texts, results, g, j, o)
				counts += fmt.Sprintf(" %d |", n)
				any = any || n > 0
			}
			if any {
				fmt.Fprintf(&b, "| %s | %s |%s\n", title, o, counts)
				title = ""
			}
		}
	}
	err := writeKnown(&b, texts, results)
	return b.String(), err
}

// A group is a row of the table: texts of a kind, with the outcomes that they can have.
type group struct {
	title    string
	has      func(text) bool
	outcomes []outcome
}

var groups = []group{
	{"valid, with data", func(t text) bool { return t.hasData }, []outcome{right, otherData, refused, placeless, panicked}},
	{"valid, without data", func(t text) bool { return !t.hasData && !t.invalid }, []outcome{read, refused, placeless, panicked}},
	{"invalid", func(t text) bool { return t.invalid }, []outcome{right, accepted, placeless, panicked}},
}

// count returns the number of texts of a group that have an outcome with one reader.
func count(texts []text, results [][]result, g group, reader int, o outcome) int {
	n := 0
	for i, t := range texts {
		if g.has(t) && results[i][reader].outcome == o {
			n++
		}
	}
	return n
}

// writeKnown lists the texts that yaytpl, the first reader, reads in its own way, by the reason.
func writeKnown(b *strings.Builder, texts []text, results [][]result) error {
	byReason := map[string][]string{}
	var reasons, unknown []string
	for i, t := range texts {
		r := results[i][0]
		if r.outcome == right || r.outcome == read {
			continue
		}
		known := knownDeviation(t.name)
		if known == nil || known.outcome != r.outcome {
			unknown = append(unknown, fmt.Sprintf("%s (%s)", t.name, r.outcome))
			continue
		}
		reason := string(r.outcome) + " | " + known.reason
		if !slices.Contains(reasons, reason) {
			reasons = append(reasons, reason)
		}
		byReason[reason] = append(byReason[reason], "`"+t.name+"`")
	}
	slices.Sort(reasons)
	b.WriteString("\n| yaytpl | reason | texts |\n|---|---|---|\n")
	for _, reason := range reasons {
		fmt.Fprintf(b, "| %s | %s |\n", reason, strings.Join(byReason[reason], ", "))
	}
	if len(unknown) > 0 {
		return fmt.Errorf("texts with a wrong outcome that known.go does not list: %s", strings.Join(unknown, ", "))
	}
	return nil
}

// wrongOutcomes lists every wrong outcome of every reader with the data or the message.
func wrongOutcomes(texts []text, readers []reader, results [][]result) string {
	var b strings.Builder
	for j, r := range readers {
		for i, t := range texts {
			res := results[i][j]
			if res.outcome == right || res.outcome == read {
				continue
			}
			message, _, _ := strings.Cut(res.message, "\n")
			if res.data != nil {
				data, _ := json.Marshal(res.data)
				message = string(data)
			}
			fmt.Fprintf(&b, "%s: %s: %s: %s\n", r.name, t.name, res.outcome, message)
		}
	}
	return b.String()
}

// writeBetween replaces what a page has between two lines.
func writeBetween(page, from, text, to string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	before, rest, ok := strings.Cut(string(old), from)
	_, after, ok2 := strings.Cut(rest, to)
	if !ok || !ok2 {
		return fmt.Errorf("%s has no lines %q and %q", page, strings.TrimSpace(from), to)
	}
	return os.WriteFile(page, []byte(before+from+"\n"+text+"\n"+to+after), 0o644)
}
