package expr

import "github.com/yaytpl/yaytpl/source"

// Check returns what is wrong with an expression whatever values it meets: filters
// and tests that do not exist, operations that can only fail. Evaluation tells the
// same, but only of what it reaches.
func Check(n Node, lib Library) []*source.Diagnostic {
	var in inference
	in.of(n)
	found := in.found
	Walk(n, func(n Node) bool {
		switch n := n.(type) {
		case *Filter:
			if _, ok := findEnvFilter(n.Name); !ok && !lib.HasFilter(n.Name) {
				found = append(found, asWarning(unknownFilter(n.NameAt, n.Name, lib)))
			}
		case *Test:
			if !lib.HasTest(n.Name) {
				found = append(found, asWarning(unknownTest(n.NameAt, n.Name, lib)))
			}
		}
		return true
	})
	return concealAll(found)
}

// asWarning is for what would be an error if it were reached.
func asWarning(err error) *source.Diagnostic {
	d := *source.AsDiagnostic(err, source.Span{}, source.Syntax)
	d.Severity = source.Warning
	return &d
}
