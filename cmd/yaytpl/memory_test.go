package main

import (
	"io/fs"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
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

// TestMemoryLimitFollowsTheFiles: a run has the goal of the machine, less for files, and GOMEMLIMIT overrides both.
func TestMemoryLimitFollowsTheFiles(t *testing.T) {
	restoreMemory(t)
	t.Setenv("GOMEMLIMIT", "")
	machine := machineGoal.Get()
	for _, tt := range []struct{ bytes, want int64 }{
		{0, machine},
		{5 << 20, 880 << 20},
		{20 << 20, 1092 << 20},
		{1 << 30, machine},
	} {
		prepareMemory(tt.bytes)
		if now := debug.SetMemoryLimit(-1); now != min(tt.want, machine) {
			t.Errorf("files of %d bytes: limit %d, want %d", tt.bytes, now, min(tt.want, machine))
		}
	}
	t.Setenv("GOMEMLIMIT", "1GiB")
	debug.SetMemoryLimit(1 << 30)
	prepareMemory(5 << 20)
	if now := debug.SetMemoryLimit(-1); now != 1<<30 {
		t.Errorf("limit %d with GOMEMLIMIT", now)
	}
}

// TestLargePagesAreFree: the block that requests large pages is not live afterwards.
func TestLargePagesAreFree(t *testing.T) {
	restoreMemory(t)
	before := heapObjects()
	prepareMemory(20 << 20)
	if grown := heapObjects() - before; grown > 32<<20 {
		t.Errorf("%d bytes more are in use", grown)
	}
}

// restoreMemory restores the settings of the garbage collector after the test.
func restoreMemory(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() {
		stopPacing()
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	})
}

func heapObjects() int64 {
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// TestPacing: the percentage after a collection lets the heap grow to youngHeap, and at least by leastPercent.
func TestPacing(t *testing.T) {
	for live, want := range map[int64]int{0: 800, 1 << 20: 800, 8 << 20: 300, 12 << 20: 200, 1 << 30: 200} {
		if got := percentOf(live); got != want {
			t.Errorf("%d MB are live: %d %%, want %d", live>>20, got, want)
		}
	}
	restoreMemory(t)
	pace(900)
	live := make([]byte, 64<<20)
	runtime.GC()
	for range 1000 {
		if now := debug.SetGCPercent(900); now == leastPercent {
			runtime.KeepAlive(live)
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Error("the percentage was not set after a collection")
}
