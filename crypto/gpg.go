package crypto

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"github.com/yaytpl/yaytpl/internal/program"
)

// program returns the path of the gpg of the user, "" if there is none. Where both
// exist gpg2 is the one with an agent.
func (d *Decrypter) program() string {
	path, _ := d.config.Getenv("PATH")
	if found := program.Find(path, "gpg2"); found != "" {
		return found
	}
	return program.Find(path, "gpg")
}

// A gpgRun is one run of gpg: what goes in and what came of it.
type gpgRun struct {
	args       []string
	in         []byte
	passphrase *string // to be used instead of asking the agent; nil asks

	limit int // bytes of output
	out   program.Output
	noise program.Output // standard error
	said  status
	err   error
}

const (
	maxNoise = 64 << 10
	gpgWait  = time.Second // for what a killed gpg has started
)

// statusOnError says that status lines come with standard error: Windows hands no
// other files to a program.
const statusOnError = runtime.GOOS == "windows"

// run runs gpg, which may ask the user for a passphrase through its agent.
func (d *Decrypter) run(ctx context.Context, r *gpgRun) {
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
	cmd := exec.CommandContext(ctx, d.program(), append(args, r.args...)...)
	cmd.Env, cmd.ExtraFiles, cmd.WaitDelay = d.environment(), sides.theirs, gpgWait
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(r.in), &r.out, &r.noise
	if r.err = sides.failed; r.err == nil {
		d.config.Alone(func() { r.err = runWith(cmd, sides) })
	}
	r.said = readStatus(lines.String())
}

func runWith(cmd *exec.Cmd, sides *sidePipes) error {
	if err := cmd.Start(); err != nil {
		return err
	}
	sides.started()
	err := cmd.Wait()
	sides.wait()
	return err
}

// environment returns the variables for gpg. Its agent finds the terminal by GPG_TTY.
func (d *Decrypter) environment() []string {
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

// terminalName returns the path of the terminal that is standard input, or "".
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
