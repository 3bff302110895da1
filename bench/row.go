//go:build unix

package main

// A row is one kind of work at several sizes.
type row struct {
	name  string
	title string
	sizes []int // of what counts in this row, in ascending order
	usual int   // the size that the table compares at
	unit  string
	edits string // the input that is edited: lines that differ from it are counted

	// generate writes the inputs of one size to dir and returns what to run there.
	generate func(dir string, size int) ([]job, error)
}

// A job is a program with its arguments for one row.
type job struct {
	tool   string
	args   []string
	output form
}

// A form is the notation of an output.
type form int

const (
	yamlForm form = iota
	jsonForm
)

func rows() []row {
	return []row{startRow, mergeRow, queryRow, queryJSONRow, setRow, restoreRow, includesRow, templateRow, yayRow, wideRow, growthRow}
}
