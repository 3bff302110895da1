package load

import (
	"context"
	"errors"
	"os"
	"time"
)

// Locks keep processes of this program from writing one file at the same time. Each is
// on an open file, so the system takes it back when its process ends, however it ends.
// Other programs need not care for them.

// errLocked says that somebody else has the lock of a file.
var errLocked = errors.New("it is locked by another program")

// lockWait is how long a lock is waited for. Nobody of us holds one for longer than it
// takes to write some files.
const lockWait = 10 * time.Second

// lock takes the lock of a file and waits for it until the deadline. Where the system
// has no locks for the file there is none to wait for.
func lock(ctx context.Context, file *os.File, deadline time.Time) error {
	for pause := time.Millisecond; ; pause = min(2*pause, 20*time.Millisecond) {
		err := tryLock(file)
		switch {
		case errors.Is(err, errors.ErrUnsupported):
			return nil
		case !errors.Is(err, errLocked):
			return err
		case time.Now().After(deadline):
			return errLocked
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
		}
	}
}
