// Package dagtest holds the rules about which package of the project may import
// which, and tests them. It has no code of its own.
//
// A dependency that the rules forbid is a decision to take, not a test to adapt:
// the arrows only go down, so that a front end never evaluates, the graph knows no
// language, and templates and filters see no graph.
package dagtest
