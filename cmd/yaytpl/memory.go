package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

// gcPercent trades memory for time: a run is short and needs most of its data until it
// ends. Merging 3 MB takes 10% less CPU time than with 100; 400 saves nothing more and takes
// a third more memory.
const gcPercent = 200

// youngPercent holds up to the first collection: that begins at 4 MB times the percentage, 32 MB, and most
// runs end before it. A merge of 5 MB takes a tenth less CPU time than with gcPercent from the start, and no
// more memory; with 128 MB it takes no less time.
//
// A later collection does not begin before youngHeap either. An evaluation of a small document that makes much
// garbage takes a fifth less CPU time by that, and its heap has had that size before.
const (
	youngPercent = 800
	youngHeap    = 32 << 20
)

// A goal is a memory limit of the Go runtime: above it, the garbage collector runs as often
// as needed, so that an evaluation reaches its own limit before the machine runs out of
// memory. A goal close to the size of the live objects makes collecting slower than the
// work: 80 MB of YAML need 1.1 GB.
const (
	leastGoal = 512 << 20
	usualGoal = 1600 << 20 // if the memory of the machine is unknown
	mostGoal  = 3 << 30
)

// young sets the percentage when a collection ends.
var young struct {
	sync.Mutex
	next runtime.Cleanup
}

// startYoung sets a percentage up to the next collection. Then it sets that of the live objects, and the memory limit.
func startYoung(percent int) {
	debug.SetGCPercent(percent)
	afterCollection(func() {
		memory.collected()
		keepPace(percent)
	})
}

// keepPace sets the percentage of the live objects after each collection, where it is another one than percent.
func keepPace(percent int) {
	if now := percentOf(heapBytes("/gc/heap/live:bytes")); now != percent {
		debug.SetGCPercent(now)
		percent = now
	}
	afterCollection(func() { keepPace(percent) })
}

// afterCollection calls f once, when the next collection ends. It replaces what was to be called then.
func afterCollection(f func()) {
	young.Lock()
	defer young.Unlock()
	young.next.Stop()
	young.next = runtime.AddCleanup(new([64]byte), func(f func()) { f() }, f)
}

// percentOf returns the percentage for a number of live bytes, in steps of 100, which change seldom.
func percentOf(live int64) int {
	percent := youngHeap*100/max(live, 1) - 100
	return int(min(max(percent/100*100, gcPercent), youngPercent))
}

// memory is the memory limit of the Go runtime. It has no effect before the first collection ends, and most runs
// end before that: so it is computed then, from the memory of the machine for example.
var memory memoryLimit

type memoryLimit struct {
	mu    sync.Mutex
	late  bool         // the first collection ended
	limit func() int64 // of what the command does now; nil: none
}

// set sets the limit for what the command does now.
func (m *memoryLimit) set(limit func() int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.limit = limit; m.late {
		debug.SetMemoryLimit(limit())
	}
}

// collected is called when the first collection ends.
func (m *memoryLimit) collected() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.late = true; m.limit != nil {
		debug.SetMemoryLimit(m.limit())
	}
}

// usualLimit is the limit for this machine.
var usualLimit = lazy.Value[int64]{Make: func() int64 { return memoryGoal(machineMemory(os.ReadFile)) }}

// tuneMemory configures the garbage collector. GOMEMLIMIT overrides the goal.
func tuneMemory() {
	startYoung(youngPercent)
	if os.Getenv("GOMEMLIMIT") == "" {
		memory.set(usualLimit.Get)
	}
}

// readingFactor times the size of the files is the goal for parsing them. Nodes take about
// 20 times the size of an ordinary text, and 40 times that of a text of short keys: with a
// factor of 30, a million short keys take 2.0 s of CPU time instead of 0.9 s.
//
// leastEvaluation is the goal for an evaluation, with evaluationFactor times the size of the files, or that
// of reading them if it is more. It is above the limit of memory of an evaluation, which counts live objects:
// so a document of some MB that reaches that limit needs less than 1 GB.
const (
	readingFactor    = 45
	leastReading     = 192 << 20
	evaluationFactor = 6
	leastEvaluation  = 850 << 20
)

// tuneReading lowers the goal while the caller parses so many bytes, to the live objects
// plus the need of parsing; an edit, for example, parses a file again while it holds the old
// document. The returned function sets the goal for the evaluation.
func tuneReading(bytes int64) func() {
	if os.Getenv("GOMEMLIMIT") != "" {
		return func() {}
	}
	live := int64(0) // a few MB in a short run
	if bytes >= leastHuge {
		reserve.Do(func() { reserveHuge(min(hugeFactor*bytes, mostHuge)) })
		live = liveMemory()
	}
	memory.set(func() int64 { return min(usualLimit.Get(), live+max(leastReading, readingFactor*bytes)) })
	return func() {
		memory.set(func() int64 {
			return min(usualLimit.Get(), max(leastEvaluation+evaluationFactor*bytes, leastReading+readingFactor*bytes))
		})
	}
}

// The system makes a page of memory when it is used first, which is a fifth of the time of merging some MB with
// pages of 4 kB. For files of leastHuge bytes or more the heap begins with memory that has pages of 2 MB:
// hugeFactor times the size of the files, and mostHuge at most. It is not used before the heap grows into it. The
// first collection is when three quarters of it are used: with 32 MB, merging 5 MB takes 4% more time and no less memory.
const (
	leastHuge  = 512 << 10
	hugeFactor = 24
	mostHuge   = 256 << 20
)

var reserve sync.Once

// reserveHuge makes the heap begin with n bytes of huge pages: it allocates a block, and lets it be collected.
// The Go runtime takes the lowest free memory first, and cannot be told about pages in another way.
func reserveHuge(n int64) {
	if !hugeOnRequest() {
		return
	}
	afterCollection(func() {})
	debug.SetGCPercent(-1)
	requestHuge(make([]byte, n))
	runtime.GC()
	startYoung(max(youngPercent, int(n/(4<<20)*100*3/4)))
}

// liveMemory returns the bytes of objects that are not collected yet.
func liveMemory() int64 { return heapBytes("/memory/classes/heap/objects:bytes") }

// heapBytes returns a metric of the runtime that is a number of bytes, 0 if there is no such metric.
func heapBytes(metric string) int64 {
	sample := []metrics.Sample{{Name: metric}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}

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
