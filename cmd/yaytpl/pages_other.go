//go:build !linux

package main

// useLargePages does nothing: the system has no pages of several sizes, or chooses them itself.
func useLargePages(int64) int64 { return 0 }
