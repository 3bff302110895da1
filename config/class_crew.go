package config

import "sync"

// maxCrew is how many jobs of a crew run at the same time.
const maxCrew = 64

// A crew is jobs that run at the same time.
type crew struct {
	all   sync.WaitGroup
	slots chan struct{}
	jobs  int
}

func newCrew() *crew { return &crew{slots: make(chan struct{}, maxCrew)} }

// start runs a job as soon as there is room for it.
func (c *crew) start(job func()) {
	c.jobs++
	c.all.Go(func() {
		c.slots <- struct{}{}
		defer func() { <-c.slots }()
		job()
	})
}

// wait returns the number of jobs once they are done.
func (c *crew) wait() int {
	c.all.Wait()
	return c.jobs
}
