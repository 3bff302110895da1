package crypto

import (
	"errors"
	"io"
	"os"
	"strconv"
	"time"
)

// sidePipes are pipes to and from a program beside the three standard ones.
type sidePipes struct {
	theirs []*os.File // the ends of the program
	ours   []*os.File
	copies []func()
	done   chan struct{}
	failed error
}

// read makes a pipe that the program writes to, and returns its number there.
func (s *sidePipes) read(into io.Writer) string {
	r, w := s.pipe()
	return s.add(w, r, func() { _, _ = io.Copy(into, r) })
}

// write makes a pipe that the program reads text from, and returns its number there.
func (s *sidePipes) write(text string) string {
	r, w := s.pipe()
	return s.add(r, w, func() {
		_, _ = io.WriteString(w, text)
		w.Close()
	})
}

func (s *sidePipes) pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	s.failed = errors.Join(s.failed, err)
	return r, w
}

func (s *sidePipes) add(theirs, ours *os.File, transfer func()) string {
	s.theirs, s.ours, s.copies = append(s.theirs, theirs), append(s.ours, ours), append(s.copies, transfer)
	const standard = 3
	return strconv.Itoa(standard + len(s.theirs) - 1)
}

// started begins to copy. The ends of the program belong to it alone now, so that
// reading ends when it does.
func (s *sidePipes) started() {
	for _, f := range s.theirs {
		f.Close()
	}
	s.done = make(chan struct{}, len(s.copies))
	for _, transfer := range s.copies {
		go func() {
			transfer()
			s.done <- struct{}{}
		}()
	}
}

// wait waits until everything is copied. What the program started may hold its ends
// open a little longer than it runs.
func (s *sidePipes) wait() {
	late := time.After(gpgWait)
	for range s.copies {
		select {
		case <-s.done:
		case <-late:
			s.close() // ends the copying
			<-s.done
		}
	}
}

func (s *sidePipes) close() {
	for _, f := range append(s.ours, s.theirs...) {
		f.Close()
	}
}
