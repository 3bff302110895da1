package filters

import (
	"errors"
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

func TestTextsOfTooManyValuesAreRefused(t *testing.T) {
	c := &Ctx{MaxBytes: 100 * itemBytes}
	for name, texts := range map[string][]string{
		"from_json":     {"[" + strings.Repeat("1,", 300) + "1]", "[" + strings.Repeat("[],", 300) + "1]", `[{"a":` + strings.Repeat(`1},{"a":`, 300) + "1}]"},
		"from_yaml":     {strings.Repeat("- a\n", 300), "[" + strings.Repeat("1,", 300) + "]", "{" + strings.Repeat("a,", 300) + "}", "? " + strings.Repeat("- ", 300)},
		"from_yaml_all": {strings.Repeat("---\n", 300), strings.Repeat("--- a\r", 300)},
	} {
		for _, text := range texts {
			_, err := CallFilter(c, name, value.String(text), value.Args{})
			if limit := (*value.LimitError)(nil); !errors.As(err, &limit) {
				t.Errorf("%s of %.12q... gives the error %v, want a limit", name, text, err)
			}
			if _, err := CallFilter(c, name, value.String(`["a long text of one value: it may be as long as it wants, `+strings.Repeat("x", 10_000)+`"]`), value.Args{}); err != nil {
				t.Errorf("%s of a long text: %v", name, err)
			}
		}
	}
}

func TestNumbersOfBytesThatAreTooLarge(t *testing.T) {
	for _, text := range []string{strings.Repeat("9", 400), strings.Repeat("9", 308) + " YB"} {
		_, err := CallFilter(&Ctx{}, "human_to_bytes", value.String(text), value.Args{})
		if err == nil || !strings.Contains(err.Error(), "the number is too large") {
			t.Errorf("human_to_bytes of %.10s...%s: %v", text, text[len(text)-2:], err)
		}
	}
}
