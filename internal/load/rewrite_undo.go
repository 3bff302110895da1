package load

import (
	"errors"
	"os"
	"strings"

	"github.com/yaytpl/yaytpl/source"
)

// undo gives files that have their new text already the old one back, since another
// one could not be written, and adds to the error what became of them.
func (job *rewriting) undo(written []*target, failed error) error {
	var d *source.Diagnostic
	if len(written) == 0 || !errors.As(failed, &d) {
		return failed
	}
	var back, kept []string
	for _, t := range written {
		if err := t.putBack(job.step); err != nil {
			d.Note(source.Span{}, "%s", accessError("put back", t.shown, err).Message)
			kept = append(kept, t.shown)
		} else {
			back = append(back, t.shown)
		}
	}
	if len(back) > 0 {
		d.Message += "; put back: " + strings.Join(back, ", ")
	}
	if len(kept) > 0 {
		d.Message += "; written already: " + strings.Join(kept, ", ")
	}
	return d
}

// errNotOurs says that somebody else wrote a file after us.
var errNotOurs = errors.New("it is another file by now")

// putBack writes the old text again. The file that is there is ours, and locked, so
// nobody of us has built on it; what somebody else put there stays.
func (t *target) putBack(step stepper) error {
	ours, err := t.tmp.file.Stat()
	if err != nil {
		return err
	}
	there, err := t.root.Lstat(t.rel)
	if err != nil {
		return err
	}
	if same, err := holds(t.tmp.file, t.New); err != nil || !same || !os.SameFile(there, ours) {
		return errors.Join(err, errNotOurs)
	}
	old, err := t.prepared(t.Old, 0o600, t.info, step)
	if err != nil {
		return err
	}
	if err := old.moveOver(t.place, t.tmp.file); err != nil {
		return errors.Join(err, old.discard())
	}
	t.syncDir()
	_ = old.file.Close()
	return nil
}
