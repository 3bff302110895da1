package yaytpl

// turn waits until no other goroutine evaluates the project and returns what lets the
// next one go on. What was asked before does not count towards the steps of what is
// asked now. Functions that take a turn call only those that take none.
func (p *Project) turn() (end func()) {
	p.turns.Lock()
	for _, d := range p.docs {
		d.begin()
	}
	return p.turns.Unlock
}

// turn is that of the project for work on one document.
func (d *Document) turn() (end func()) {
	d.project.turns.Lock()
	d.begin()
	return d.project.turns.Unlock
}

func (d *Document) begin() {
	if d.running != nil {
		d.running.Begin()
	}
}
