package main

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	screenFile    = regexp.MustCompile(`^  (\S+\.yaml):$`)
	screenCommand = regexp.MustCompile(`^  \$ yaytpl (.*?)(?: +# (.*))?$`)
)

// A screen is a topic of help with its files and examples. A file is a line "  NAME:" and the lines
// below it, which are indented by four blanks. An example has its output after "# ", or in such lines.
type screen struct {
	files    map[string]string
	examples []screenExample
}

// A screenExample is a command of a screen. Without output its effect is only described.
type screenExample struct{ command, comment, output string }

func parseScreen(text string) screen {
	s := screen{files: map[string]string{}}
	file, inExample := "", false
	for line := range strings.Lines(text) {
		body, indented := strings.CutPrefix(line, "    ")
		switch m := screenCommand.FindStringSubmatch(strings.TrimSuffix(line, "\n")); {
		case m != nil:
			s.examples = append(s.examples, screenExample{command: m[1], comment: m[2]})
			file, inExample = "", true
		case screenFile.MatchString(line[:len(line)-1]):
			file, inExample = strings.TrimSuffix(strings.TrimSpace(line), ":"), false
			s.files[file] = ""
		case indented && file != "":
			s.files[file] += body
		case indented && inExample:
			s.examples[len(s.examples)-1].output += body
		default:
			file, inExample = "", false
		}
	}
	return s
}

// The topics of help that are one screen fit on one, and their examples print what they say.
func TestScreens(t *testing.T) {
	entries, err := screens.ReadDir("topics")
	if err != nil || len(entries) < 6 {
		t.Fatal(len(entries), err)
	}
	for _, e := range entries {
		t.Run(e.Name(), func(t *testing.T) {
			data, err := screens.ReadFile("topics/" + e.Name())
			if err != nil {
				t.Fatal(err)
			}
			text := string(data)
			if n := strings.Count(text, "\n"); n < 24 || n > 40 {
				t.Errorf("it has %d lines; a screen has 24 to 40", n)
			}
			for line := range strings.Lines(text) {
				if len(strings.TrimSuffix(line, "\n")) > 80 {
					t.Errorf("this line has more than 80 columns: %s", line)
				}
			}
			s := parseScreen(text)
			if len(s.examples) < 3 {
				t.Errorf("it has only %d examples", len(s.examples))
			}
			for _, e := range s.examples {
				e.run(t, s.files)
			}
		})
	}
}

// run runs an example in a directory with files.
func (e screenExample) run(t *testing.T, files map[string]string) {
	dir := t.TempDir()
	for name, text := range files {
		writeFile(t, filepath.Join(dir, filepath.FromSlash(name)), text)
	}
	args := splitWords(t, e.command)
	var out, failed strings.Builder
	status := run(t.Context(), args, streams{in: strings.NewReader(""), out: &out, err: &failed, dir: dir, getenv: nothingSet})
	want := e.output
	if want == "" {
		want = e.comment + "\n"
	}
	prints := args[0] == "get" || args[0] == "query" || e.output != ""
	if status != 0 || prints && out.String() != want {
		t.Errorf("yaytpl %s\nstatus %d\ngot: %swant: %s%s", e.command, status, out.String(), want, failed.String())
	}
}

func nothingSet(string) (string, bool) { return "", false }
