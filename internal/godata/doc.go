// Package godata converts between values and data of Go programs: maps, structs with
// yaml tags, slices, texts, numbers.
//
//	Go data --ToValue--> value.Value --FromValue--> map[string]any, []any, string, int64, ...
//
// [ScalarOf] says which Go types are one scalar in a configuration whatever they are made
// of, and [Fields] how it sees a struct. Both directions keep to them, and so does
// whoever fills Go variables.
package godata
