package main

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	const commit, when = "0123456789abcdef0123456789abcdef01234567", "2026-11-21T18:00:00Z"
	tests := []struct {
		rule, module, release string
		settings              map[string]string
		version, line         string
	}{
		{"nothing known", "", "", nil, "devel", ""},
		{"no repository", "(devel)", "", nil, "devel", ""},
		{"sources of a release", "(devel)", "v1.2.3", nil, "v1.2.3", ""},
		{"go install", "v1.2.3", "", nil, "v1.2.3", ""},
		{"a commit", "v1.2.4-0.20261121180000-0123456789ab", "", map[string]string{"vcs.revision": commit, "vcs.time": when, "vcs.modified": "false"},
			"v1.2.4-0.20261121180000-0123456789ab", "commit " + commit + " of " + when + "\n"},
		{"a changed checkout", "v1.2.3+dirty", "", map[string]string{"vcs.revision": commit, "vcs.time": when, "vcs.modified": "true"},
			"v1.2.3+dirty", "commit " + commit + " of " + when + ", with changes\n"},
		{"a commit without a time", "", "", map[string]string{"vcs.revision": commit}, "devel", "commit " + commit + "\n"},
	}
	for _, tt := range tests {
		info := &debug.BuildInfo{Main: debug.Module{Version: tt.module}}
		for key, value := range tt.settings {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: key, Value: value})
		}
		if got := versionOf(info, tt.release); got != tt.version {
			t.Errorf("%s: version %q, want %q", tt.rule, got, tt.version)
		}
		if got := commitOf(info); got != tt.line {
			t.Errorf("%s: commit %q, want %q", tt.rule, got, tt.line)
		}
	}
}
