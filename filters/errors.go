package filters

import (
	"errors"
	"fmt"
)

var errManyDocuments = errors.New("the text has several documents; use from_yaml_all")

func errAtLeastOne(parameter string) error { return fmt.Errorf("%q must be at least 1", parameter) }

func errEmpty(what string) error { return fmt.Errorf("%s is asked of nothing: it is empty", what) }
