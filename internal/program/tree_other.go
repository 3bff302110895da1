//go:build !linux

package program

import "os"

// Started returns an empty tree: which programs a process started is not known here.
func Started(int) Tree { return nil }

// Signal does nothing: the tree is empty.
func (t Tree) Signal(os.Signal) {}

func (t Tree) freeze(*os.Process) {}

func (t Tree) runs() bool { return false }
