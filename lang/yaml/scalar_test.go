package yaml

import (
	"strings"
	"testing"

	"github.com/yaytpl/yaytpl/value"
)

// TestIntegers checks the signs, base prefixes and digits of integers.
func TestIntegers(t *testing.T) {
	tests := []struct {
		text string
		want string // "" for a text
	}{
		{"12", "12"}, {"-12", "-12"}, {"+12", "12"}, {"007", "7"},
		{"0x1F", "31"}, {"-0x1f", "-31"}, {"+0o17", "15"}, {"0b101", "5"},
		{"123456789012345678901234567890", "123456789012345678901234567890"},
		{"-0xFFFFFFFFFFFFFFFFFF", "-4722366482869645213695"},
		{"0x", ""}, {"0x+1", ""}, {"0x-1", ""}, {"-0x-1", ""}, {"0b2", ""}, {"0X1F", ""},
		{"1_0", ""}, {"0x1_F", ""}, {"--1", ""}, {"", ""},
		{strings.Repeat("1", maxDigits+1), ""}, {"-0x" + strings.Repeat("1", maxDigits+1), ""},
	}
	for _, tt := range tests {
		v, ok := resolve(tt.text)
		got := ""
		if ok && v.Is(value.IntKind) {
			got = v.BigInt().String()
		}
		if got != tt.want {
			t.Errorf("%.40q is %q, want %q", tt.text, got, tt.want)
		}
	}
	if v, ok := resolve("-" + strings.Repeat("1", maxDigits)); !ok || !v.Is(value.IntKind) {
		t.Error("a sign counts as a digit")
	}
}
