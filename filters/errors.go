package filters

import (
	"errors"
	"fmt"
)

var (
	errWidth         = errors.New("the width must be at least 1")
	errManyDocuments = errors.New("the text has several documents; use from_yaml_all")
)

func errEmpty(what string) error { return fmt.Errorf("%s is asked of nothing: it is empty", what) }
