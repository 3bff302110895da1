package pgp

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/crypto"
	"github.com/yaytpl/yaytpl/crypto/internal/run"
	"github.com/yaytpl/yaytpl/internal/program"
	"github.com/yaytpl/yaytpl/source"
	"golang.org/x/term"
)

// decryptByCommand decrypts a message with the user's gpg. It returns the text only if gpg
// reports that the message was decrypted and its integrity is good, and exits with status 0.
func (d *messages) decryptByCommand(ctx context.Context, m *message, limit int) ([]byte, error) {
	if d.program() == "" {
		return nil, noProgram(run.CannotDecrypt(m.name))
	}
	r := &gpgRun{args: []string{"--decrypt"}, in: m.raw, limit: limit}
	if err := d.giveTo(ctx, r); err != nil {
		return nil, err
	}
	d.run(ctx, r)
	switch {
	case r.out.Over():
		return nil, run.TooLarge(m.name, limit)
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.err == nil && r.said.has(statusDecrypted) && r.said.has(statusProtected):
		return r.out.Bytes(), nil
	}
	return nil, d.whyNot(m, r)
}

// giveTo gives the configured passphrase to a run of gpg. Without one the agent of gpg asks
// the user.
func (d *messages) giveTo(ctx context.Context, r *gpgRun) error {
	if !d.pass.given() {
		return nil
	}
	text, err := d.pass.fixed(ctx)
	r.passphrase = &text
	return err
}

// whyNot returns the error for a message that gpg did not decrypt. The order of the cases
// matters: gpg reports several problems at once, and the first case is the most specific.
func (d *messages) whyNot(m *message, r *gpgRun) error {
	why, said := run.CannotDecrypt(m.name), r.said
	switch {
	case said.has(statusBadSignature):
		return badSignature(m.name)
	case said.has(statusBadProtection):
		return damaged(m.name, "it was changed after it was encrypted")
	case said.has(statusDecrypted) && r.err == nil:
		return unprotected(m.name)
	case said.failedWith(codesCanceled):
		return run.Failed("%s: no passphrase was given", why)
	case said.failedWith(codesNoAsking):
		return run.Failed("%s: the agent of gpg cannot ask for the passphrase", why).WithHint(askHint)
	case said.failedWith(codesWrong), said.has(statusBadPassphrase), said.has(statusNoPassphrase):
		if d.pass.given() {
			return run.Failed("%s: the passphrase in %s is wrong; the file is encrypted for %s", why, d.pass.where(), m.recipients()).
				WithHint("--passphrase-file FILE or YAYTPL_PASSPHRASE gives another")
		}
		return run.Failed("%s: wrong passphrase", why)
	case said.has(statusOpened) && !said.has(statusDecrypted):
		return damaged(m.name, "gpg cannot read the encrypted data")
	case said.has(statusNoKey), said.has(statusFailed) && len(m.ids) > 0 && !said.has(statusKnowsKey):
		return noKey(m, "the keyring of gpg")
	case said.has(statusFailed):
		return d.locked(m)
	}
	return r.failure(why)
}

const askHint = "export GPG_TTY=$(tty), or name a file with the passphrase: --passphrase-file FILE"

// locked reports that gpg has no usable key or passphrase. The status lines do not say which.
func (d *messages) locked(m *message) error {
	why := run.CannotDecrypt(m.name)
	if len(m.ids) > 0 {
		why += ": gpg has no private key for it, or"
	} else {
		why += ": gpg"
	}
	if d.pass.given() {
		return run.Failed("%s was given a wrong passphrase in %s", why, d.pass.where())
	}
	return run.Failed("%s did not get the passphrase of %s", why, m.recipients()).WithHint(askHint)
}

// encryptByCommand encrypts with the user's gpg.
func (d *messages) encryptByCommand(ctx context.Context, to crypto.Recipients, text []byte) ([]byte, error) {
	if d.program() == "" {
		return nil, noProgram("cannot encrypt")
	}
	r := &gpgRun{args: d.gpgRecipients(to), in: text, limit: 2*len(text) + 1<<20}
	if to.Passphrase {
		if err := d.giveTo(ctx, r); err != nil {
			return nil, err
		}
	}
	d.run(ctx, r)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case r.err == nil && r.said.has(statusEncrypted):
		return r.out.Bytes(), nil
	}
	for _, words := range r.said[statusBadRecipient] {
		if len(words) > 1 {
			return nil, badRecipient(words[0], strings.Join(words[1:], " "))
		}
	}
	return nil, r.failure("cannot encrypt")
}

// gpgRecipients returns the arguments of gpg for recipients.
func (d *messages) gpgRecipients(to crypto.Recipients) []string {
	var args []string
	if to.Armored {
		args = append(args, "--armor")
	}
	if to.Passphrase {
		args = append(args, "--symmetric")
	}
	if len(to.Keys)+len(to.IDs) > 0 {
		args = append(args, "--encrypt")
	}
	for _, key := range to.Keys {
		if d.isFile(key) {
			args = append(args, "--recipient-file", d.files.Path(key))
		} else {
			args = append(args, "--recipient", key)
		}
	}
	if len(to.IDs) > 0 {
		// The old version of the message is encrypted for them, so gpg need not check trust.
		args = append(args, "--trust-model", "always")
	}
	for _, id := range to.IDs {
		args = append(args, "--recipient", "0x"+keyName(id))
	}
	return args
}

// badRecipient returns the error for a recipient that gpg rejects, from the reason in its
// status line (GnuPG, doc/DETAILS, INV_RECP).
func badRecipient(reason, key string) error {
	why, hint := "gpg does not accept it", "gpg --list-keys lists the known keys"
	switch reason {
	case "1":
		why, hint = "gpg does not have it", "gpg --import FILE adds the public key"
	case "2":
		why = "gpg has several such keys"
	case "4":
		why = "it was revoked"
	case "5":
		why = "it has expired"
	case "10":
		why, hint = "gpg does not trust it", "check the key and sign it with gpg --lsign-key, or name a file with it: -r FILE"
	}
	return run.Failed("cannot encrypt for the key %s: %s", key, why).WithHint("%s", hint)
}

// failure returns an error for a failure without a known status line. It quotes the last line
// of standard error.
func (r *gpgRun) failure(what string) *source.Diagnostic {
	last := ""
	for line := range strings.Lines(r.noise.String()) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "[GNUPG:]") {
			last = ": " + strings.ToValidUTF8(strings.TrimPrefix(line, "gpg: "), "\uFFFD")
		}
	}
	if last == "" && r.err != nil {
		last = ": " + r.err.Error()
	}
	return run.Failed("%s: gpg failed%s", what, last)
}

// program returns the path of the user's gpg, or "" if there is none. If both gpg2 and gpg
// exist, gpg2 is the version with an agent.
func (d *messages) program() string {
	path, _ := d.config.Getenv("PATH")
	if found := program.Find(path, "gpg2"); found != "" {
		return found
	}
	return program.Find(path, "gpg")
}

// A gpgRun is one run of gpg: its input and its results.
type gpgRun struct {
	args       []string
	in         []byte  // standard input
	passphrase *string // nil lets the agent ask for it
	limit      int     // bytes of output

	out   program.Output
	noise program.Output // standard error
	said  status
	err   error
}

const (
	maxNoise = 64 << 10
	gpgWait  = time.Second // for children of a killed gpg that keep its pipes open
)

// statusOnError reports that gpg writes status lines to standard error: Windows passes no
// other files to a program.
const statusOnError = runtime.GOOS == "windows"

// run runs gpg and sets the results of r. The agent of gpg may ask the user for a passphrase.
func (d *messages) run(ctx context.Context, r *gpgRun) {
	d.files.Note("program", "gpg")
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	r.out = program.Output{Limit: r.limit, Full: cancel}
	r.noise = program.Output{Limit: maxNoise}
	args := []string{"--batch", "--quiet", "--no-tty"}
	sides := &sidePipes{}
	defer sides.close()
	lines := &program.Output{Limit: maxNoise}
	if statusOnError {
		args, lines = append(args, "--status-fd", "2"), &r.noise
	} else {
		args = append(args, "--status-fd", sides.read(lines))
	}
	if r.passphrase != nil && !statusOnError {
		args = append(args, "--pinentry-mode", "loopback", "--passphrase-fd", sides.write(*r.passphrase+"\n"))
	}
	cmd := program.Command(ctx, d.program(), append(args, r.args...)...)
	cmd.Env, cmd.ExtraFiles, cmd.WaitDelay = d.environment(), sides.theirs, gpgWait
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(r.in), &r.out, &r.noise
	if r.err = sides.failed; r.err == nil {
		d.config.Alone(func() {
			if r.err = cmd.Start(); r.err == nil {
				sides.started()
				r.err = cmd.Wait()
				sides.wait()
			}
		})
	}
	r.said = readStatus(lines.String())
}

// environment returns the variables for gpg. Its agent uses GPG_TTY to find the terminal, so
// environment sets it if it is unset.
func (d *messages) environment() []string {
	env := slices.Clone(d.config.Environ())
	for i, line := range env {
		if !strings.Contains(line, "=") {
			v, _ := d.config.Getenv(line)
			env[i] = line + "=" + v
		}
	}
	if tty, _ := d.config.Getenv("GPG_TTY"); tty == "" {
		if tty := terminalName(); tty != "" {
			env = append(env, "GPG_TTY="+tty)
		}
	}
	return env
}

// terminalName returns the path of the terminal on standard input, or "" if there is none.
func terminalName() string {
	if runtime.GOOS == "windows" || !term.IsTerminal(int(os.Stdin.Fd())) {
		return ""
	}
	cmd := exec.Command("tty")
	cmd.Stdin = os.Stdin
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// sidePipes are pipes to and from a program, in addition to standard input, output and error.
type sidePipes struct {
	theirs []*os.File // the ends of the program
	ours   []*os.File // the ends of this process
	copies []func()   // transfer the data of a pipe
	done   chan struct{}
	failed error
}

// read creates a pipe for output of the program, and returns its descriptor there.
func (s *sidePipes) read(into io.Writer) string {
	r, w := s.pipe()
	return s.add(w, r, func() { _, _ = io.Copy(into, r) })
}

// write creates a pipe for input of the program, and returns its descriptor there.
func (s *sidePipes) write(text string) string {
	r, w := s.pipe()
	return s.add(r, w, func() {
		_, _ = io.WriteString(w, text)
		w.Close()
	})
}

func (s *sidePipes) pipe() (r, w *os.File) {
	r, w, err := os.Pipe()
	s.failed = errors.Join(s.failed, err)
	return r, w
}

// add adds a pipe and returns the descriptor of its end in the program.
func (s *sidePipes) add(theirs, ours *os.File, transfer func()) string {
	s.theirs, s.ours, s.copies = append(s.theirs, theirs), append(s.ours, ours), append(s.copies, transfer)
	const standard = 3
	return strconv.Itoa(standard + len(s.theirs) - 1)
}

// started starts copying. The program is running, so started closes the program's ends of the
// pipes in this process: then reading ends when the program does.
func (s *sidePipes) started() {
	for _, f := range s.theirs {
		f.Close()
	}
	s.done = make(chan struct{}, len(s.copies))
	for _, transfer := range s.copies {
		go func() {
			transfer()
			s.done <- struct{}{}
		}()
	}
}

// wait waits until all data is copied. If a child of the program keeps the pipes open, it stops
// after gpgWait.
func (s *sidePipes) wait() {
	late := time.After(gpgWait)
	for range s.copies {
		select {
		case <-s.done:
		case <-late:
			s.close() // ends the copying
			<-s.done
		}
	}
}

func (s *sidePipes) close() {
	for _, f := range append(s.ours, s.theirs...) {
		f.Close()
	}
}

// A status has the status lines of gpg (GnuPG, doc/DETAILS): for each keyword, the words after
// it in each of its lines. From
//
//	[GNUPG:] INV_RECP 10 ann@example.org
//
// it has "INV_RECP": {{"10", "ann@example.org"}}.
type status map[string][][]string

// The keywords in use.
const (
	statusDecrypted     = "DECRYPTION_OKAY"
	statusFailed        = "DECRYPTION_FAILED"
	statusOpened        = "DECRYPTION_INFO" // the session key is decrypted, and the data is being read
	statusProtected     = "GOODMDC"         // also for authenticated encryption
	statusBadProtection = "BADMDC"
	statusBadSignature  = "BADSIG"
	statusNoKey         = "NO_SECKEY"
	statusKnowsKey      = "KEY_CONSIDERED" // gpg has the public key
	statusError         = "ERROR"
	statusBadPassphrase = "BAD_PASSPHRASE"
	statusNoPassphrase  = "MISSING_PASSPHRASE"
	statusEncrypted     = "END_ENCRYPTION"
	statusBadRecipient  = "INV_RECP"
)

// readStatus reads the status lines in text, which may have other lines.
func readStatus(text string) status {
	s := status{}
	for line := range strings.Lines(text) {
		rest, ok := strings.CutPrefix(line, "[GNUPG:] ")
		if words := strings.Fields(rest); ok && len(words) > 0 {
			s[words[0]] = append(s[words[0]], words[1:])
		}
	}
	return s
}

func (s status) has(keyword string) bool { return len(s[keyword]) > 0 }

// The codes of libgpg-error for a missing or wrong passphrase.
var (
	codesWrong    = []int{11}                // bad passphrase
	codesCanceled = []int{99, 198}           // canceled by the user
	codesNoAsking = []int{77, 85, 86, 32870} // no agent, no pinentry, no terminal
)

// failedWith reports whether a status line has one of these error codes.
func (s status) failedWith(codes []int) bool {
	for _, words := range s[statusError] {
		if len(words) < 2 {
			continue
		}
		number, _, _ := strings.Cut(words[1], "_") // of 11_BAD_PASSPHRASE
		n, err := strconv.Atoi(number)
		if err == nil && slices.Contains(codes, n&0xFFFF) {
			return true
		}
	}
	return false
}
