package yay

import (
	"testing"
)

func TestIsRooted(t *testing.T) {
	for _, tt := range []struct {
		name          string
		unix, windows bool
	}{
		{"", false, false},
		{"a.yay", false, false},
		{"../a.yay", false, false},
		{"/etc/a.yay", true, true},
		{`\etc\a.yay`, false, true},
		{"C:/etc/a.yay", false, true},
		{`C:\etc\a.yay`, false, true},
		{`\\server\share\a.yay`, false, true},
		{"C:a.yay", false, false},
		{"C:", false, false},
	} {
		if got := isRooted("linux", tt.name); got != tt.unix {
			t.Errorf("%q: rooted is %t, want %t", tt.name, got, tt.unix)
		}
		if got := isRooted("windows", tt.name); got != tt.windows {
			t.Errorf("%q on Windows: rooted is %t, want %t", tt.name, got, tt.windows)
		}
	}
}
