//go:build !(darwin || linux)

package load

import (
	"errors"
	"os"
)

// Extended attributes are not copied on this system.

func extendedOf(*os.File) (map[string]string, error) { return nil, nil }

func setExtended(*os.File, string, string) error { return errors.ErrUnsupported }

func removeExtended(*os.File, string) error { return errors.ErrUnsupported }
