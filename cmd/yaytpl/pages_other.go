//go:build !linux

package main

func hugeOnRequest() bool { return false }

func requestHuge([]byte) {}
