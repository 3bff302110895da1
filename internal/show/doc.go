// Package show prepares values, sources and findings for people to read: short, and
// without what must not be shown.
//
// Results of evaluation carry marks, which [Value] looks at. What is shown as it was
// written, before anything was evaluated, carries none: there [CallsSensitive] and
// [InsideSensitive] tell by the text and the keys, and [Finding] by the file.
package show
