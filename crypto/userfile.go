package crypto

import (
	"errors"
	"fmt"
	"io"
	"os"
)

// readUserFile reads a file of at most limit bytes that the user named on the command
// line: no sandbox is meant for it. Pipes such as <(command) are files too.
func readUserFile(name string, limit int) ([]byte, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, plainCause(err)
	}
	defer file.Close()
	data, err := io.ReadAll(io.LimitReader(file, int64(limit)+1))
	switch {
	case err != nil:
		return nil, plainCause(err)
	case len(data) > limit:
		return nil, fmt.Errorf("it has more than %d bytes", limit)
	}
	return data, nil
}

// plainCause returns an error without the name of the file, which the message has
// already, and without what it wraps.
func plainCause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return errors.New(err.Error())
}
