//go:build linux

package main

import "strings"

// documentAttacks are texts that are hard to read.
func documentAttacks() []attack {
	nested := func(open, end string) text { return all(times(100_000, open), times(100_000, end)) }
	return []attack{
		document("lists in lists, 100,000 deep", all(is("a: "), nested("[", "]"))),
		document("maps in maps, 100,000 deep", all(is("a: "), nested("{a: ", "}"))),
		document("100,000 dashes in a line", all(times(100_000, "- "), lines("x"))),
		document("1,000 maps, each further to the right", stairs(1_000)),
		document("1,000,000 open brackets", times(1_000_000, "[")),
		jsonDocument("JSON, 1,000,000 lists deep", all(times(1_000_000, "["), times(1_000_000, "]"))),
		document("a line of 100 MB", all(is("a: "), times(10_000_000, "xxxxxxxxx "), lines("x", "b: 1"))),
		document("1,000,000 keys", each(1_000_000, "k%[1]d: v\n")),
		document("one key 100,000 times", times(100_000, "a: 1\n")),
		document("200,000 documents", times(200_000, "---\na: 1\n")),
		document("1,000,000 lines of comments", all(times(1_000_000, "# nothing to be said\n"), lines("a: 1"))),
		document("a number of 1,000,000 digits", all(is("a: "), times(1_000_000, "9"), lines(""))),
		document("100,000 anchors on one value each", each(100_000, "k%[1]d: &a%[1]d x\n")),
	}
}

// stairs is maps in maps as blocks.
func stairs(n int) text {
	var parts []text
	for i := range n {
		parts = append(parts, is(strings.Repeat(" ", i)+"a:\n"))
	}
	return all(append(parts, is(strings.Repeat(" ", n)+"b: 1\n"))...)
}
