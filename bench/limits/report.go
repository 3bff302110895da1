//go:build linux

package main

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/bench/programs"
)

// report returns the tables in Markdown, with a column for each program that takes part.
func report(tools []programs.Program, rows []row) string {
	tools = slices.DeleteFunc(slices.Clone(tools), func(t programs.Program) bool {
		return !slices.ContainsFunc(rows, func(r row) bool { _, has := r.outcomes[t.Name]; return has })
	})
	var b strings.Builder
	var versions []string
	for _, t := range tools {
		versions = append(versions, t.Name+" "+t.Version)
	}
	fmt.Fprintf(&b, "%s, %s/%s, %s: %s.\n\n", time.Now().Format("2006-01-02"), runtime.GOOS, runtime.GOARCH, runtime.Version(), strings.Join(versions, ", "))
	group := ""
	for _, r := range rows {
		if r.attack.group != group {
			group = r.attack.group
			heading(&b, group, tools)
		}
		fmt.Fprintf(&b, "| %s |", r.attack.name)
		for _, t := range tools {
			cell := "-"
			if o, has := r.outcomes[t.Name]; has {
				cell = o.String()
			}
			fmt.Fprintf(&b, " %s |", cell)
		}
		b.WriteString("\n")
	}
	messages(&b, rows)
	return b.String()
}

// heading writes the title and the head of the table of a group.
func heading(b *strings.Builder, group string, tools []programs.Program) {
	fmt.Fprintf(b, "\n### %s\n\n| input |", group)
	for _, t := range tools {
		fmt.Fprintf(b, " %s |", t.Name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(tools)) + "\n")
}

// messages writes a table of the messages of yaytpl.
func messages(b *strings.Builder, rows []row) {
	b.WriteString("\n### What yaytpl says\n\n| input | the first line |\n|---|---|\n")
	for _, r := range rows {
		o, has := r.outcomes[ours]
		if !has {
			continue
		}
		says := "`" + shortened(o.first) + "`"
		if o.ending == finished {
			says = o.String()
		}
		fmt.Fprintf(b, "| %s | %s |\n", r.attack.name, strings.ReplaceAll(says, "|", `\|`))
	}
}

// longestMessage is the maximum number of bytes of a message in a table.
const longestMessage = 160

// shortened cuts text to longestMessage, without half a character.
func shortened(text string) string {
	if len(text) <= longestMessage {
		return text
	}
	return strings.ToValidUTF8(text[:longestMessage], "") + "..."
}
