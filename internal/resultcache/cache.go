// Package resultcache keeps results of commands in a directory, for later runs that have the same inputs.
//
// A result is found by two questions. What the run is asked for (the words of the command line, the
// targets, the version of the program) is the key, whose hash names a directory of entries. What the run
// has read are the records of an entry: it is the result if all of them still hold.
//
//	DIR/CACHEDIR.TAG                marks the directory, also for programs that make backups
//	DIR/5f/5f70bf1886b1.../ENTRY    a result: its records, output, messages, and a checksum
//	DIR/.new-*                      an entry that is being written
//
// An entry is complete or not there: it is written to another name in DIR and renamed. So processes need no
// locks, and a crash leaves a file that the next entry removes. A damaged entry has another checksum and
// is ignored.
//
// The caller decides what may be kept. Results with secrets are not; even so, only the owner can read
// entries.
package resultcache

import (
	"bufio"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl"
	"github.com/yaytpl/yaytpl/internal/load"
	"github.com/yaytpl/yaytpl/source"
)

// The limits of a cache. What was not asked for the longest is removed first.
const (
	maxVariants = 16      // entries of one key
	maxTotal    = 1 << 30 // bytes of all entries
	maxEntry    = maxTotal / 4
)

// leftover is the age from which on an unfinished entry is one of a process that was killed.
const leftover = time.Hour

const (
	tagName   = "CACHEDIR.TAG"
	tagText   = "Signature: 8a477f597d28d172789f06886806bc55\n# Results of yaytpl (--cache). The directory may be removed at any time.\n"
	newPrefix = ".new-"
	groupName = 2 // characters of a key that name a group of keys
)

// A Cache is a directory of results.
type Cache struct {
	dir  string
	most int64 // bytes of all entries, but for those since the last look at all
}

// Open returns the cache in a directory, which is made if it is missing. A directory with other files
// is refused.
//
// Codes: usage, access.
func Open(dir string) (c *Cache, err error) {
	for range 3 { // another process may remove it meanwhile
		if c, err = openOnce(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	return c, err
}

func openOnce(dir string) (*Cache, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, accessError("make", dir, err)
	}
	tag := filepath.Join(dir, tagName)
	text, err := readTag(tag)
	switch {
	case err == nil && text == tagText:
		return &Cache{dir, maxTotal}, nil
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, accessError("read", tag, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, accessError("read", dir, err)
	}
	if slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !isOurs(dir, e.Name()) }) || text != "" {
		return nil, source.Errorf(source.Span{}, source.Usage, "%s is no cache of yaytpl, and has other files", dir).
			WithHint("--cache takes a new or empty directory")
	}
	if err := put(dir, tag, []byte(tagText)); err != nil {
		return nil, accessError("write", tag, err)
	}
	return &Cache{dir, maxTotal}, nil
}

// readTag returns the text of a tag. Another thing than a file, such as a pipe, is not opened.
func readTag(tag string) (string, error) {
	info, err := os.Lstat(tag)
	if err != nil {
		return "", err
	}
	if !info.Mode().IsRegular() {
		return "", errors.New("it is not a regular file")
	}
	text, err := os.ReadFile(tag)
	return string(text), err
}

// isOurs reports whether a name in a directory without a tag is one of a cache. A run that keeps its result while the
// cache is removed makes the directory again, without a tag.
func isOurs(dir, name string) bool {
	switch {
	case name == tagName || strings.HasPrefix(name, newPrefix):
		return true
	case len(name) != groupName || strings.Trim(name, hexDigits) != "":
		return false
	}
	keys, err := os.ReadDir(filepath.Join(dir, name))
	return errors.Is(err, fs.ErrNotExist) || err == nil && !slices.ContainsFunc(keys, func(e fs.DirEntry) bool {
		k := e.Name()
		return !e.IsDir() || len(k) != hex.EncodedLen(len(key{})) || !strings.HasPrefix(k, name) || strings.Trim(k, hexDigits) != ""
	})
}

const hexDigits = "0123456789abcdef"

func accessError(verb, name string, err error) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		err = at.Err
	}
	d := source.Errorf(source.Span{}, source.Access, "cannot %s %s: %v", verb, name, err)
	d.Cause = err
	return d
}

// A Run is a run whose result may be in a cache.
type Run struct {
	cache *Cache
	key   key
	files *load.Files
	began time.Time
}

// Run returns the run that opens files with these options, and is asked for what words say.
func (c *Cache) Run(ctx context.Context, o yaytpl.Options, files []string, words ...string) *Run {
	o.Inputs = nil // what is asked here is no input of the run
	r := &Run{cache: c, files: load.New(o.Engine(ctx, files...).Load), began: time.Now()}
	r.key = keyOf(append(r.files.Roots(), words...)...)
	return r
}

// Find returns the result of an earlier run if all that it has read is unchanged.
func (r *Run) Find() (Result, bool) { return r.cache.find(r.key, r.files.Same) }

// Keep stores the result of the run, which has read these inputs. why says why the result cannot be
// kept, for people.
//
// Code: access.
func (r *Run) Keep(inputs *yaytpl.Inputs, result Result) (why string, err error) {
	if inputs.Decrypts() {
		return "something was decrypted for it", nil
	}
	records, notKept := r.files.Records(inputs.All(), r.began)
	if notKept != nil {
		return notKept.Error(), nil
	}
	return "", r.cache.keep(r.key, records, result)
}

// A key identifies what a run is asked for.
type key [sha256.Size]byte

// keyOf returns the key of words. Other words, or the same ones divided in another way, have another key.
func keyOf(words ...string) key {
	sum := sha256.New()
	for _, w := range words {
		fmt.Fprintf(sum, "%d:%s", len(w), w)
	}
	return key(sum.Sum(nil))
}

// A Result is what a command has printed.
type Result struct {
	Output   []byte // on standard output
	Messages []byte // on standard error
}

// A header is the first line of an entry, in JSON. The output and the messages follow it, and then the
// CRC-32C of everything before it in four bytes.
type header struct {
	Records          []load.Record `json:"records"`
	Output, Messages int           // bytes
}

// castagnoli returns the table of CRC-32C, which the first call makes.
func castagnoli() *crc32.Table { return crc32.MakeTable(crc32.Castagnoli) }

// find returns the latest result of a key whose records hold. Damaged entries do not exist for it.
func (c *Cache) find(k key, hold func([]load.Record) bool) (Result, bool) {
	for _, e := range entriesOf(c.entries(k)) {
		if r, ok := read(e.path, hold); ok {
			now := time.Now()
			_ = os.Chtimes(e.path, now, now) // only the order of removal follows from it
			return r, true
		}
	}
	return Result{}, false
}

// entries returns the directory of the entries of a key.
func (c *Cache) entries(k key) string {
	name := hex.EncodeToString(k[:])
	return filepath.Join(c.dir, name[:groupName], name)
}

// read returns the result of an entry whose records hold.
func read(path string, hold func([]load.Record) bool) (Result, bool) {
	f, err := os.Open(path)
	if err != nil {
		return Result{}, false
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, 64<<10)
	line, err := r.ReadBytes('\n')
	var h header
	if err != nil || json.Unmarshal(line, &h) != nil || h.Output < 0 || h.Messages < 0 || h.Output > maxEntry || h.Messages > maxEntry-h.Output || !hold(h.Records) {
		return Result{}, false
	}
	rest := make([]byte, h.Output+h.Messages+crc32.Size)
	if _, err := io.ReadFull(r, rest); err != nil {
		return Result{}, false
	}
	body, sum := rest[:h.Output+h.Messages], rest[h.Output+h.Messages:]
	if crc32.Update(crc32.Checksum(line, castagnoli()), castagnoli(), body) != binary.BigEndian.Uint32(sum) {
		return Result{}, false
	}
	return Result{Output: body[:h.Output], Messages: body[h.Output:]}, true
}

// keep stores the result of a key with its records, and removes what exceeds the limits of the cache. A
// result that is too long is not stored.
//
// Code: access.
func (c *Cache) keep(k key, records []load.Record, r Result) error {
	line, err := json.Marshal(header{records, len(r.Output), len(r.Messages)})
	if err != nil {
		return err
	}
	text := slices.Concat(line, []byte("\n"), r.Output, r.Messages)
	if len(text) > maxEntry {
		return nil
	}
	text = binary.BigEndian.AppendUint32(text, crc32.Checksum(text, castagnoli()))
	name := nameOf(records)
	dir := c.entries(k)
	for range 2 { // another process may remove the directory while it is empty
		if err = os.MkdirAll(dir, 0o700); err == nil {
			err = put(c.dir, filepath.Join(dir, name), text)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err != nil {
		return accessError("write in", c.dir, err)
	}
	c.prune(dir, name, len(text))
	return nil
}

// nameOf returns the name of the entry with these records.
func nameOf(records []load.Record) string {
	words := make([]string, 0, 3*len(records))
	for _, r := range records {
		words = append(words, string(r.Kind), r.Name, r.State)
	}
	k := keyOf(words...)
	return hex.EncodeToString(k[:8])
}

// put writes a file in a cache: a reader sees all of it, or no such file.
func put(dir, path string, text []byte) error {
	f, err := os.CreateTemp(dir, newPrefix)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	err = errors.Join(err, f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}

// An entry is a file with a result.
type entry struct {
	path string
	size int64
	used time.Time
}

// entriesOf returns the entries in a directory, the latest first.
func entriesOf(dir string) []entry {
	found, _ := os.ReadDir(dir) // a missing directory has none
	var list []entry
	for _, e := range found {
		if info, err := e.Info(); err == nil && info.Mode().IsRegular() {
			list = append(list, entry{filepath.Join(dir, e.Name()), info.Size(), info.ModTime()})
		}
	}
	slices.SortFunc(list, latestFirst)
	return list
}

func latestFirst(a, b entry) int {
	return cmp.Or(b.used.Compare(a.used), strings.Compare(a.path, b.path))
}

// prune removes what exceeds the limits after an entry was stored: of the entries of its key, which are in dir, and now
// and then of all.
func (c *Cache) prune(dir, name string, size int) {
	if list := entriesOf(dir); len(list) > maxVariants {
		remove(list[maxVariants:])
	}
	for _, e := range entriesOf(c.dir) {
		if strings.HasPrefix(filepath.Base(e.path), newPrefix) && time.Since(e.used) > leftover {
			remove([]entry{e})
		}
	}
	if !looksAtAll(name, size) {
		return
	}
	var all []entry
	total := int64(0)
	for _, group := range directories(c.dir) {
		for _, key := range directories(group) {
			all = append(all, entriesOf(key)...)
		}
	}
	slices.SortFunc(all, latestFirst)
	for i, e := range all {
		if total += e.size; total > c.most {
			remove(all[i:])
			break
		}
	}
}

// looksAtAll reports whether all entries are looked at after an entry was stored, which takes a second for 20,000: after a
// big one, and one of 64 others, as their names have it, which are hashes.
func looksAtAll(name string, size int) bool {
	return size > 1<<20 || strings.HasSuffix(name, "0") && strings.Contains("048c", name[len(name)-2:len(name)-1])
}

// directories returns the directories in a directory.
func directories(dir string) []string {
	found, _ := os.ReadDir(dir) // a missing directory has none
	var list []string
	for _, e := range found {
		if e.IsDir() {
			list = append(list, filepath.Join(dir, e.Name()))
		}
	}
	return list
}

// remove removes entries. Another process may have removed them already.
func remove(list []entry) {
	for _, e := range list {
		_ = os.Remove(e.path)
		_ = os.Remove(filepath.Dir(e.path)) // if it is empty
	}
}
