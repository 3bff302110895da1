package expr

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

// TestCSVRecords: rows as Python's csv module reads them.
func TestCSVRecords(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n":                 "a|b",
		"a,b":                   "a|b",
		"a,\n":                  "a|",
		"\n\na\r\nb\rc":         "a;b;c",
		"\"a,\"\"b\"\"\",c":     "a,\"b\"|c",
		"\"a\"b\"c\",d":         "ab\"c\"|d",
		"x\"y\",z":              "x\"y\"|z",
		"\"two\nlines\"\r\nend": "two\nlines;end",
		"\"open,\nrest":         "open,\nrest",
		"\"\",\"\"":             "|",
		"":                      "",
	} {
		var rows []string
		for row := range csvRecords(text, ',') {
			rows = append(rows, strings.Join(row, "|"))
		}
		if got := strings.Join(rows, ";"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzCSV: fields that are written in quotes are read as they are.
func FuzzCSV(f *testing.F) {
	f.Add("a", "b\"", "\r\n", ",")
	f.Add("", "\"", "x", "\t")
	f.Fuzz(func(t *testing.T, a, b, c, delimiter string) {
		d := []rune(delimiter)
		if len(d) != 1 || strings.ContainsAny(delimiter, "\"\r\n\ufffd") {
			return
		}
		text := ""
		for i, field := range []string{a, b, c} {
			if i > 0 {
				text += delimiter
			}
			text += `"` + strings.ReplaceAll(field, `"`, `""`) + `"`
		}
		n := 0
		for row := range csvRecords(text+"\n"+text, d[0]) {
			if n++; len(row) != 3 || row[0] != a || row[1] != b || row[2] != c {
				t.Fatalf("%q is read as %q", text, row)
			}
		}
		if n != 2 {
			t.Fatalf("%q: %d rows", text, n)
		}
	})
}

// FuzzIni: no text makes the reader fail without an error of its own, and names are found again.
func FuzzIni(f *testing.F) {
	for _, text := range []string{"[s]\na = 1\n  b\n\n[t]\nc", "a=b", "[DEFAULT]\nx: %(y)s\n[s]\n;c\n", "[a]b]\n = 1"} {
		f.Add(text, true, false, true)
	}
	f.Fuzz(func(t *testing.T, text string, properties, caseSensitive, noValue bool) {
		file := source.NewFile("x.ini", text)
		ini, err := readIni(file, text, iniForm{properties, caseSensitive, noValue}, file.Span(0, 0))
		if err != nil {
			return
		}
		for _, s := range ini.sections {
			for _, name := range ini.names(s) {
				if _, ok := ini.get(s, name); !ok {
					t.Fatalf("%q is not found in %q", name, text)
				}
			}
		}
	})
}

// FuzzTermWords: the words of a term are the term, but for blanks at its beginning.
func FuzzTermWords(f *testing.F) {
	for _, term := range []string{"a  b 'c d' ", " x=\"y z\"\n k", "\\'", "a \n b", `a\=b`} {
		f.Add(term)
	}
	f.Fuzz(func(t *testing.T, term string) {
		list, ok := termWords(term)
		if ok && !strings.Contains(term, "\n") && joinWords(list) != strings.TrimLeft(term, " ") {
			t.Fatalf("%q: %q", term, list)
		}
	})
}
