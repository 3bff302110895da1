package yay

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/source"
)

func TestCheckExpression(t *testing.T) {
	for text, want := range map[string]string{
		"'a' + 1":                "",
		"'1' * 3":                "",
		"n - 'a'":                "",
		"'a' - 1":                "'a': expected a number",
		"n + ('a' - 1)":          "'a': expected a number",
		"[1, 'a' - n, -'b']":     "'b': expected a number",
		"{'k': [1 / 0]}":         "0: division by zero",
		"f('x' < 'y')":           "'x': expected a number",
		"[i for i in [1][5]]":    "5: no such item",
		"'a'.b else 1":           "'a': expected a mapping",
		"{'a': 1}.b else 1":      "",
		"1 if 0 else 'a' - 1":    "'a': expected a number",
		"2 ** 1000000":           "",
		"1 if 1 else -'never'":   "",
		"'a' - 1 and n or 1 % 0": "'a': expected a number; 0: division by zero",
	} {
		var got []string
		for _, d := range checkExpression(parsed(t, text)) {
			if d.Severity != source.Warning || d.Code != source.Suspicious {
				t.Errorf("%s: %v is a %s", text, d, d.Severity)
			}
			words := strings.Fields(d.Message)
			got = append(got, d.At.Text()+": "+strings.Join(words[:min(3, len(words))], " "))
		}
		if s := strings.Join(got, "; "); s != want {
			t.Errorf("%s: %q, want %q", text, s, want)
		}
	}
}
