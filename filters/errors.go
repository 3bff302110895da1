package filters

import (
	"errors"
	"fmt"

	"github.com/yaytpl/yaytpl/value"
)

var (
	errUndefined      = errors.New("value is undefined")
	errManyDocuments  = errors.New("the text has several documents; use from_yaml_all")
	errEmptySeparator = errors.New("the separator is empty")
)

func errAtLeastOne(parameter string) error { return fmt.Errorf("%q must be at least 1", parameter) }

func errEmpty(what string) error { return fmt.Errorf("%s is asked of nothing: it is empty", what) }

// reason is the error of a value that is needed and undefined.
func reason(v value.Value) error {
	if err := v.Reason(); err != nil {
		return err
	}
	return errUndefined
}
