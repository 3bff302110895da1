package format

import (
	"sort"
	"strings"

	"github.com/yaytpl/yaytpl/lang/mcl/syntax"
	"github.com/yaytpl/yaytpl/source"
)

// A printer writes a program. A row is a number of a line of the source, from 1; a level is the number
// of tabs before a line of the output.
//
//	source             row   output
//	$x = [1,  # one     1    $x = [
//	                    2    	1, # one
//	                    3
//	  2]                4    	2,
//	                         ]
//
// Here the comment opens the list, since it is before the "]"; it follows the first line that ends
// on its row; the blank line is kept, since 2 begins more than one row after the end of 1.
type printer struct {
	file     *source.File
	comments []syntax.Comment
	next     int // the head comment: the first that is not printed
	last     int // row of what was printed last, 0 at the start
	b        strings.Builder
}

func (f *printer) write(texts ...string) {
	for _, s := range texts {
		f.b.WriteString(s)
	}
}

// row returns the row of an offset.
func (f *printer) row(offset uint32) int {
	return sort.Search(f.file.Lines(), func(i int) bool { return f.file.LineStart(i+1) > int(offset) })
}

// first returns the row of the first token of a place.
func (f *printer) first(at source.Span) int { return f.row(at.Start) }

// end returns the row of the last token of a place.
func (f *printer) end(at source.Span) int { return f.row(at.End - 1) }

// endWithComma is end, or the row of the comma after the place if there is one.
func (f *printer) endWithComma(at source.Span) int {
	text := f.file.Text
	for i := int(at.End); i < len(text); i++ {
		switch text[i] {
		case ' ', '\t', '\r', '\n':
		case '#':
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				return f.end(at)
			}
			i += n
		case ',':
			return f.row(uint32(i))
		default:
			return f.end(at)
		}
	}
	return f.end(at)
}

// pending reports whether the head comment is on a row before the given one.
func (f *printer) pending(row int) bool {
	return f.next < len(f.comments) && f.first(f.comments[f.next].At) < row
}

// open reports whether brackets have many lines: if their first element begins on a later row than the
// opening one, or the head comment is before the row of the closing one. first is zero without elements.
func (f *printer) open(opening, first, closing source.Span) bool {
	return !first.IsZero() && f.first(first) > f.first(opening) || f.pending(f.first(closing))
}

func (f *printer) tabs(level int) {
	for range level {
		f.b.WriteByte('\t')
	}
}

// blankLine writes a blank line before what begins on a row, if there is one in the source.
func (f *printer) blankLine(row int) {
	if f.last > 0 && row > f.last+1 {
		f.b.WriteByte('\n')
	}
}

// commentsBefore writes the comments before a row, each on a line.
func (f *printer) commentsBefore(row, level int) {
	for f.pending(row) {
		at := f.comments[f.next].At
		f.blankLine(f.first(at))
		f.tabs(level)
		f.write(at.Text(), "\n")
		f.last = f.first(at)
		f.next++
	}
}

// begin begins a line of the output for an item that begins on a row.
func (f *printer) begin(row, level int) {
	f.commentsBefore(row, level)
	f.blankLine(row)
	f.tabs(level)
}

// endLine ends a line of the output whose last token is on a row.
func (f *printer) endLine(row int) {
	if f.next < len(f.comments) && f.first(f.comments[f.next].At) == row {
		f.write(" ", f.comments[f.next].At.Text())
		f.next++
	}
	f.b.WriteByte('\n')
	f.last = row
}

// close begins a line with a closing bracket. Comments before it are indented as the lines inside.
func (f *printer) close(at source.Span, level int, text string) {
	row := f.first(at)
	f.commentsBefore(row, level+1)
	f.blankLine(row)
	f.tabs(level)
	f.write(text)
	f.last = row
}

// closed records that brackets closed on the line that opened them.
func (f *printer) closed(at source.Span) { f.last = max(f.last, f.first(at)) }
