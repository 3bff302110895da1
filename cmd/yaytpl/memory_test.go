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

// TestMemoryLimitIsComputedLate: a short run ends before the first collection and computes no limit.
func TestMemoryLimitIsComputedLate(t *testing.T) {
	usual := debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetMemoryLimit(usual) })
	var m memoryLimit
	computed := 0
	limit := func(n int64) func() int64 {
		return func() int64 {
			computed++
			return n
		}
	}
	m.collected() // without a limit, as with GOMEMLIMIT
	if now := debug.SetMemoryLimit(-1); now != usual {
		t.Errorf("limit %d, want %d", now, usual)
	}
	m = memoryLimit{}
	m.set(limit(3 << 30))
	m.set(limit(4 << 30))
	if computed > 0 {
		t.Error("a limit was computed before the first collection")
	}
	m.collected()
	if now := debug.SetMemoryLimit(-1); now != 4<<30 {
		t.Errorf("limit %d after the first collection", now)
	}
	m.set(limit(5 << 30))
	if now := debug.SetMemoryLimit(-1); now != 5<<30 || computed != 2 {
		t.Errorf("limit %d, computed %d times", now, computed)
	}
}

func TestPercentOfLiveObjects(t *testing.T) {
	for _, tt := range []struct {
		live int64
		want int
	}{
		{0, youngPercent}, {1 << 20, youngPercent}, {5 << 20, 500}, {10 << 20, gcPercent}, {1 << 30, gcPercent},
	} {
		if got := percentOf(tt.live); got != tt.want {
			t.Errorf("%d bytes: %d, want %d", tt.live, got, tt.want)
		}
	}
}

func TestReservedMemoryIsFree(t *testing.T) {
	t.Cleanup(func() {
		afterCollection(func() {})
		debug.SetGCPercent(gcPercent)
	})
	before := liveMemory()
	reserveHuge(64 << 20)
	if grown := liveMemory() - before; grown > 32<<20 {
		t.Errorf("%d bytes more are in use", grown)
	}
}
