package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// # Pacing of the garbage collector
//
// The heap grows to firstHeap before the first collection, and no later collection begins before youngHeap. Most runs
// end before the first one. The percentage of the runtime cannot say this by itself: it counts from 4 MB at the
// start, and from the live objects afterwards. So a callback sets it again after each collection:
//
//	a file of 1.2 MB    800 % until the first collection, at 32 MB
//	8 MB are live       32 MB are four times that: 300 % until the next one
//	40 MB are live      200 %, the least
//
// With one percentage of 400 a merge of 1.2 MB takes 33 % more CPU time, --out of 1,000 targets 19 %, and a template over
// 2,000 items 18 %; with one of 800, big documents take several times the memory.
const (
	firstPercent = 800
	leastPercent = 200
	youngHeap    = 32 << 20
)

// pacing is the callback after the next collection.
var pacing struct {
	sync.Mutex
	next runtime.Cleanup
}

// pace sets the percentage up to the next collection, and lets the live objects decide after it.
func pace(percent int) {
	pacing.Lock()
	defer pacing.Unlock()
	pacing.next.Stop()
	debug.SetGCPercent(percent)
	pacing.next = runtime.AddCleanup(new([64]byte), func(int) { pace(percentOf(liveBytes())) }, 0)
}

// stopPacing keeps the percentage as it is, for a collection that is called for.
func stopPacing() {
	pacing.Lock()
	defer pacing.Unlock()
	pacing.next.Stop()
}

// percentOf returns the percentage for a number of live bytes, in steps of 100.
func percentOf(live int64) int {
	percent := youngHeap*100/max(live, 1) - 100
	return int(min(max(percent/100*100, leastPercent), firstPercent))
}

// liveBytes returns the bytes that were live after the last collection.
func liveBytes() int64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if sample[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return int64(sample[0].Value.Uint64())
}
