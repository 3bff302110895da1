package expr

import (
	"strings"
	"unicode/utf8"

	"github.com/yaytpl/yaytpl/source"
	"github.com/yaytpl/yaytpl/value"
)

// Parsed keeps the data of the files that the lookups of one evaluation have parsed, so that a loop of
// lookups parses a file once. It is not safe for concurrent use.
type Parsed struct {
	files map[parsedFile]any
}

// A parsedFile is a file, and the options that its data depends on.
type parsedFile struct {
	file *source.File
	form string
}

// maxParsed bounds the files that are kept.
const maxParsed = 64

// parsedPerStep is the number of bytes of a file that a lookup parses in a step.
const parsedPerStep = 4

// parsed returns the data of a file. It calls parse, and counts the work, if the data is not kept.
func parsed[T any](c lookupCall, file *source.File, form string, parse func(text string) (T, error)) (T, error) {
	var none T
	id := parsedFile{file, c.name + " " + form}
	kept := c.s.Env.Options().Parsed
	if kept != nil {
		if data, ok := kept.files[id].(T); ok {
			return data, nil
		}
	}
	if err := c.Step(1 + len(file.Text)/parsedPerStep); err != nil {
		return none, located(c.at, source.Limit, err, 0)
	}
	data, err := parse(file.Text)
	if err != nil || kept == nil {
		return data, err
	}
	if kept.files == nil || len(kept.files) >= maxParsed {
		kept.files = map[parsedFile]any{}
	}
	kept.files[id] = data
	return data, nil
}

// readOption reads the file that the option "file" names.
func (c lookupCall) readOption(otherwise string) (*source.File, error) {
	name, err := c.textOption("file", otherwise)
	if err != nil {
		return nil, err
	}
	if err := c.checkEncoding(); err != nil {
		return nil, err
	}
	return c.read(name)
}

// checkEncoding refuses encodings of files that are not read. UTF-16 and UTF-32 are told by the mark at
// the beginning of a file.
func (c lookupCall) checkEncoding() error {
	name, err := c.textOption("encoding", "utf-8")
	if err != nil {
		return err
	}
	switch strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(name)) {
	case "utf8", "utf8sig", "ascii", "usascii", "utf16", "utf32":
		return nil
	}
	return c.errorf(source.BadValue, "the encoding %q is not supported: files are read as UTF-8", name).WithHint("save the file in UTF-8")
}

// A table of a CSV file, by the fields of one column.
type csvTable map[string][]string

// lookupCSV returns a field of the first row whose key column is the key; no values if no row has it.
func lookupCSV(c lookupCall) ([]value.Value, error) {
	noKey := c.errorf(source.BadValue, `lookup "csvfile" needs the key of a row`).WithHint("write lookup('csvfile', 'key', file='table.csv', delimiter=',')")
	if len(c.terms) == 0 {
		return nil, noKey
	}
	var all []value.Value
	for _, t := range c.terms {
		term, err := c.term(t)
		if err != nil {
			return nil, err
		}
		key, options, err := c.inTerm(term)
		if err == nil {
			err = c.with(options)
		}
		if err != nil {
			return nil, err
		}
		if key == "" {
			return nil, noKey
		}
		found, err := c.csvField(key)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	return all, nil
}

// csvField returns the field of the column col in the row of a key. The rows of a file are parsed once for each
// delimiter and column of keys, as a table by key.
func (c lookupCall) csvField(key string) ([]value.Value, error) {
	file, err := c.readOption("ansible.csv")
	if err != nil {
		return nil, err
	}
	delimiter, err := c.delimiter()
	if err != nil {
		return nil, err
	}
	keyColumn, keyText, err := c.column("keycol", "0")
	if err != nil {
		return nil, err
	}
	column, text, err := c.column("col", "1")
	if err != nil {
		return nil, err
	}
	rows, err := parsed(c, file, string(delimiter)+" "+keyText, func(text string) (csvTable, error) { return csvRows(text, delimiter, keyColumn), nil })
	if err != nil {
		return nil, err
	}
	row, found := rows[key]
	if !found {
		return c.defaults()
	}
	i, ok := position(value.Int(int64(column)), len(row))
	if !ok {
		return nil, c.errorf(source.BadValue, "col=%s: the row has only %d columns, counted from 0", text, len(row))
	}
	return []value.Value{fileText(file, row[i])}, nil
}

// column returns an option that is the number of a column. Negative numbers count from the end.
func (c lookupCall) column(name, otherwise string) (n int, text string, err error) {
	text, err = c.textOption(name, otherwise)
	if err != nil {
		return 0, "", err
	}
	v, ok := value.ParseInt(strings.TrimSpace(text), 10)
	i, small := v.Int()
	if !ok || !small || int64(int32(i)) != i {
		return 0, "", c.errorf(source.BadValue, "%s=%s is not the number of a column", name, text)
	}
	return int(i), text, nil
}

// delimiter returns the character between the columns of a CSV file.
func (c lookupCall) delimiter() (rune, error) {
	text, err := c.textOption("delimiter", "TAB")
	if err != nil {
		return 0, err
	}
	switch text {
	case "TAB", `\t`:
		return '\t', nil
	}
	r, size := utf8.DecodeRuneInString(text)
	if size == 0 || size < len(text) || r == utf8.RuneError || strings.ContainsRune("\"\r\n", r) {
		return 0, c.errorf(source.BadValue, "the delimiter of a CSV file is one character, not %q", text)
	}
	return r, nil
}

// csvRows returns the first row of each key.
func csvRows(text string, delimiter rune, keyColumn int) csvTable {
	rows := csvTable{}
	for row := range csvRecords(text, delimiter) {
		if i, ok := position(value.Int(int64(keyColumn)), len(row)); ok {
			if _, twice := rows[row[i]]; !twice {
				rows[row[i]] = row
			}
		}
	}
	return rows
}

// csvRecords yields the rows of a CSV file, read as Python's csv module does. A quote counts only at the
// beginning of a field; what follows the closing quote belongs to the field: "x"y is xy, and a"b is a"b.
// "" within quotes is a quote. The end of the file closes a field.
func csvRecords(text string, delimiter rune) func(yield func([]string) bool) {
	return func(yield func([]string) bool) {
		for text != "" {
			var row []string
			if row, text = csvRecord(text, delimiter); len(row) > 0 && !yield(row) {
				return
			}
		}
	}
}

// csvRecord reads the first row of a text. An empty line has no fields.
func csvRecord(text string, delimiter rune) (row []string, rest string) {
	if i := lineBreak(text); i > 0 {
		return nil, text[i:]
	}
	width := utf8.RuneLen(delimiter)
	for {
		var field string
		field, text = csvField(text, delimiter)
		row = append(row, field)
		if i := lineBreak(text); i > 0 || text == "" {
			return row, text[i:]
		}
		text = text[width:]
	}
}

// lineBreak returns the length of the line break that a text begins with.
func lineBreak(text string) int {
	switch {
	case strings.HasPrefix(text, "\r\n"):
		return 2
	case text != "" && (text[0] == '\n' || text[0] == '\r'):
		return 1
	}
	return 0
}

// csvField reads a field. The rest begins with the delimiter or a line break, or is empty.
func csvField(text string, delimiter rune) (field, rest string) {
	ends := string(delimiter) + "\r\n"
	var quoted strings.Builder
	for inner := strings.HasPrefix(text, `"`); inner; {
		part, after, closed := strings.Cut(text[1:], `"`)
		quoted.WriteString(part)
		text = after
		if inner = closed && strings.HasPrefix(after, `"`); inner {
			quoted.WriteByte('"')
		}
	}
	n := strings.IndexAny(text, ends)
	if n < 0 {
		n = len(text)
	}
	if quoted.Len() == 0 {
		return text[:n], text[n:]
	}
	quoted.WriteString(text[:n])
	return quoted.String(), text[n:]
}
