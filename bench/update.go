//go:build unix

package main

import (
	"errors"
	"io/fs"
	"os"
	"strings"
)

// updated returns the report with the rows of an older one in a file that were not
// measured again, so that one row can be.
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

func withRowsOf(old, report string) string {
	before, now := sectionsOf(old), sectionsOf(report)
	var b strings.Builder
	b.WriteString(now[""])
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

// sectionsOf returns the sections of a report by the names of their rows; what stands
// before them by "". What the remarks were then is left out.
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
