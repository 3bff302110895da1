// Package render writes documents as results: in a form, with comments and tags, masks in place of sensitive values,
// and the places of values that cannot be written.
//
//	documents --Units--> units --Render--> bytes of a form
//	                       '-----Files---> names and texts, for internal/output
//	value ---------------Encoder---------> bytes of a form
//
// Read encode.go, which needs no project, then units.go, render.go, files.go and place.go.
package render
