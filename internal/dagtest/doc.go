// Package dagtest contains the rules for imports between the packages of the project (rules.txt), and
// tests them. It has no other code.
//
// If a rule forbids an import, first decide about the design; do not just change the rule.
// Dependencies only go down: a front end never evaluates, graph knows no language, and templates and
// filters do not know graph.
package dagtest
