// Corpus chooses, among the inputs that fuzzing found, the few that are worth keeping.
//
//	go run -C bench ./corpus [-C DIR] [-keep N] [-bytes N] [PACKAGE...]
//
// Fuzzing leaves everything that reached something new in Go's cache, on one machine, some
// hundred inputs for each target. This program runs each of the short ones alone, with the
// statements of the whole module counted, and copies to testdata/fuzz of the package the few
// that together reach the most that the target's own seeds (f.Add) do not. From there every
// run of the tests takes them, and every fuzzing starts with them. Their names begin with
// "reaches-", and those that are there are replaced; the others, of bugs, stay. The packages
// are those of the module in DIR, by default the module above bench.
package main
