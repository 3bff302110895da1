package main

import (
	"io/fs"
	"runtime/debug"
	"testing"
)

func TestMemoryGoal(t *testing.T) {
	const (
		meminfo = "/proc/meminfo"
		group2  = "/sys/fs/cgroup/memory.max"
		group1  = "/sys/fs/cgroup/memory/memory.limit_in_bytes"
	)
	tests := []struct {
		name  string
		files map[string]string
		want  int64
	}{
		{"unknown", nil, usualGoal},
		{"half of the machine", map[string]string{meminfo: "MemTotal:        4194304 kB\nMemFree: 1 kB\n"}, 2 << 30},
		{"a big machine", map[string]string{meminfo: "MemTotal:       67108864 kB\n"}, mostGoal},
		{"a small machine", map[string]string{meminfo: "MemTotal:         262144 kB\n"}, leastGoal},
		{"a container", map[string]string{meminfo: "MemTotal: 67108864 kB\n", group2: "2147483648\n"}, 1 << 30},
		{"an older container", map[string]string{meminfo: "MemTotal: 67108864 kB\n", group1: "2147483648\n"}, 1 << 30},
		{"a container without a limit", map[string]string{meminfo: "MemTotal: 4194304 kB\n", group2: "max\n"}, 2 << 30},
		{"invalid text", map[string]string{meminfo: "MemTotal: many\n", group2: ""}, usualGoal},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := memoryGoal(machineMemory(func(name string) ([]byte, error) {
				if text, ok := tt.files[name]; ok {
					return []byte(text), nil
				}
				return nil, fs.ErrNotExist
			}))
			if got != tt.want {
				t.Errorf("got %d MB, want %d", got>>20, tt.want>>20)
			}
		})
	}
}

func TestReservedMemoryIsFree(t *testing.T) {
	t.Cleanup(func() {
		young.Stop()
		debug.SetGCPercent(gcPercent)
	})
	before := liveMemory()
	reserveHuge(64 << 20)
	if grown := liveMemory() - before; grown > 32<<20 {
		t.Errorf("%d bytes more are in use", grown)
	}
}
