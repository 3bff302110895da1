package main

import (
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

// The memory limit of the Go runtime is a goal: above it the garbage collector runs as often as needed, so that
// an evaluation reaches its own limit, which counts live objects, before the machine runs out of memory. A goal
// close to the size of the live objects makes collecting slower than the work. It is at most half of the memory of
// the machine, within bounds.
const (
	leastGoal = 512 << 20
	usualGoal = 1600 << 20 // if the memory of the machine is unknown
	mostGoal  = 3 << 30
)

// An evaluation needs leastEvaluation and evaluationFactor times the size of its files, or the memory of
// reading them if that is more: a document of some MB that reaches the limit of an evaluation needs less than 1 GB.
// Nodes take about 20 times the size of an ordinary text, and 40 times the size of a text of short keys.
const (
	leastEvaluation  = 850 << 20
	evaluationFactor = 6
	leastReading     = 192 << 20
	readingFactor    = 45
)

// leastLarge is the size of files from which large pages save time: see pages_linux.go.
const leastLarge = 512 << 10

// prepareMemory configures the garbage collector (pacing.go), and the pages of the memory, for files of a size. GOMEMLIMIT
// overrides the goal.
func prepareMemory(bytes int64) {
	if os.Getenv("GOMEMLIMIT") == "" {
		goal := machineGoal.Get()
		if bytes > 0 {
			goal = min(goal, max(leastEvaluation+evaluationFactor*bytes, leastReading+readingFactor*bytes))
		}
		debug.SetMemoryLimit(goal)
	}
	percent := firstPercent
	if bytes >= leastLarge {
		stopPacing()
		if heap := useLargePages(bytes); heap > 0 { // the first collection is when three quarters of it are used
			percent = max(percent, int(heap/(4<<20)*100*3/4))
		}
	}
	pace(percent)
}

// machineGoal is the goal for this machine.
var machineGoal = lazy.Value[int64]{Make: func() int64 { return memoryGoal(machineMemory(os.ReadFile)) }}

// memoryGoal returns half of the memory, within bounds.
func memoryGoal(memory int64) int64 {
	if memory <= 0 {
		return usualGoal
	}
	return min(max(memory/2, leastGoal), mostGoal)
}

// machineMemory returns the memory of the machine, or of the container that the process
// runs in, in bytes. It returns 0 if /proc and /sys do not have the size.
func machineMemory(read func(name string) ([]byte, error)) int64 {
	memory := int64(0)
	if text, err := read("/proc/meminfo"); err == nil {
		line, _, _ := strings.Cut(string(text), "\n")
		if words := strings.Fields(line); len(words) == 3 && words[0] == "MemTotal:" {
			kilobytes, _ := strconv.ParseInt(words[1], 10, 64)
			memory = kilobytes << 10
		}
	}
	for _, name := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := read(name)
		if err != nil {
			continue
		}
		limit, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
		if err == nil && limit > 0 && (memory == 0 || limit < memory) {
			memory = limit
		}
	}
	return memory
}
