package watch

import (
	"errors"
	"io/fs"

	"github.com/fsnotify/fsnotify"
)

// An event is a change of a file in a watched directory.
type event struct {
	path    string
	named   bool // the name was given to a file or taken from one
	written bool // the content changed
}

// A notifier reports changes in directories.
type notifier interface {
	add(dir string) error
	remove(dir string)
	events() <-chan event
	lost() <-chan struct{} // some events were not reported
	close() error
}

// system is the notifier of the operating system.
type system struct {
	watcher *fsnotify.Watcher
	out     chan event
	gaps    chan struct{}
	done    chan struct{}
}

func startNotifier() (notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	s := &system{watcher: w, out: make(chan event), gaps: make(chan struct{}, 1), done: make(chan struct{})}
	go s.run()
	return s, nil
}

// maxPending is the number of names whose events are kept.
const maxPending = 4096

// run passes on events. While no caller waits it joins the events of a name to one, so that a storm
// fills neither the queue of the system nor one here.
func (s *system) run() {
	defer close(s.done)
	var order []string
	pending := map[string]event{}
	for {
		var out chan event
		var next event
		if len(order) > 0 {
			out, next = s.out, pending[order[0]]
		}
		select {
		case e, ok := <-s.watcher.Events:
			if !ok {
				return
			}
			if len(order) == maxPending {
				order, pending = nil, map[string]event{}
				s.lose()
			}
			known, again := pending[e.Name]
			if !again {
				order = append(order, e.Name)
			}
			pending[e.Name] = event{
				path:    e.Name,
				named:   known.named || e.Has(fsnotify.Create) || e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename),
				written: known.written || e.Has(fsnotify.Write),
			}
		case _, ok := <-s.watcher.Errors:
			if !ok {
				return
			}
			s.lose() // a queue overflowed, or a directory cannot be read any more
		case out <- next:
			delete(pending, order[0])
			order = order[1:]
		}
	}
}

// lose notes that events were not reported.
func (s *system) lose() {
	select {
	case s.gaps <- struct{}{}:
	default:
	}
}

func (s *system) add(dir string) error  { return s.watcher.Add(dir) }
func (s *system) remove(dir string)     { _ = s.watcher.Remove(dir) } // an error says that it is not watched any more
func (s *system) events() <-chan event  { return s.out }
func (s *system) lost() <-chan struct{} { return s.gaps }

func (s *system) close() error {
	err := s.watcher.Close()
	<-s.done
	return err
}

// silent is a notifier for systems without notifications.
type silent struct{}

func (silent) add(string) error      { return nil }
func (silent) remove(string)         {}
func (silent) events() <-chan event  { return nil }
func (silent) lost() <-chan struct{} { return nil }
func (silent) close() error          { return nil }

// isUnreachable reports whether a directory cannot be watched because it is missing, or because its names
// cannot be read. A change of that is found in the directory above, or by the poll.
func isUnreachable(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission)
}
