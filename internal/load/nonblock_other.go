//go:build !unix

package load

// nonBlocking is not needed where pipes have names of their own.
const nonBlocking = 0
