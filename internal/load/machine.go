package load

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/yaytpl/yaytpl/internal/lazy"
	"github.com/yaytpl/yaytpl/source"
)

// A Machine has the properties of the machine that a program may ask for (spec: mcl-library, section 2).
// With Config.NoEnv all of them are closed but a name that was given.
type Machine struct {
	files *Files
	name  func() (string, error)
	by    Asker
}

// Machine returns the properties of the machine, for a place that asks for them. The result of name
// is used as its name, unless it is empty.
func (f *Files) Machine(name func() (string, error), at source.Span) *Machine {
	return &Machine{f, name, AskerAt(at)}
}

// note notes a question, unless the sandbox refuses the answer.
func (m *Machine) note(kind InputKind, name string) {
	if !m.files.config.NoEnv {
		m.files.inputs.note(Input{Kind: kind, Name: name}, m.by)
	}
}

// closed returns the error of a property that the sandbox closes.
func (m *Machine) closed(what, hint string) error {
	if !m.files.config.NoEnv {
		return nil
	}
	return source.Errorf(source.Span{}, source.Forbidden, "%s cannot be read with --no-env", what).WithHint("%s", hint)
}

// Hostname returns the name of the machine, up to the first dot.
func (m *Machine) Hostname() (string, error) {
	if given, err := m.name(); given != "" || err != nil {
		return given, err
	}
	if err := m.closed("the name of the machine", "--fact hostname=NAME gives a name"); err != nil {
		return "", err
	}
	m.note(EnvInput, "@hostname")
	name, err := os.Hostname()
	short, _, _ := strings.Cut(name, ".")
	return short, err
}

// CPUs returns the number of processors that a program may use.
func (m *Machine) CPUs() (int, error) {
	m.note(EnvInput, "@processors")
	return runtime.NumCPU(), m.closed("the number of processors", "write the number, or read it with config.get")
}

// Args returns the words of the command line.
func (m *Machine) Args() ([]string, error) {
	m.note(EnvInput, "@arguments")
	return os.Args, m.closed("the command line", "write the arguments, or read them with config.get")
}

// Home returns the home directory of the user of the process, with a slash at the end. user is the name of this
// user, or empty: the directories of others are not known.
func (m *Machine) Home(user string) (string, error) {
	m.note(EnvInput, "HOME")
	m.note(EnvInput, "USER")
	if err := m.closed("the home directory", "write the directory"); err != nil {
		return "", err
	}
	home, ok := m.files.config.Getenv("HOME")
	if !ok || home == "" {
		return "", errors.New("HOME is not set")
	}
	if own, ok := m.files.config.Getenv("USER"); user != "" && user != own && user != filepath.Base(home) {
		if !ok {
			own = filepath.Base(home)
		}
		return "", errors.New("only the home directory of the user " + own + " is known")
	}
	return strings.TrimRight(filepath.ToSlash(home), "/") + "/", nil
}

// asked is when the process asked for the uptime for the first time, for systems that do not tell when the
// machine started.
var asked = lazy.Value[time.Time]{Make: time.Now}

// Uptime returns the seconds since the machine started. Where the system does not tell, they are those
// since the first question, and one more: they are never 0 and never become fewer.
func (m *Machine) Uptime() (int64, error) {
	m.note(ClockInput, "")
	if err := m.closed("the time since the start of the machine", "write the number"); err != nil {
		return 0, err
	}
	text, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return int64(time.Since(asked.Get())/time.Second) + 1, nil
	}
	word, _, _ := strings.Cut(string(text), " ")
	seconds, err := strconv.ParseFloat(word, 64)
	return int64(seconds), err
}

// Load returns the average load of the last 1, 5 and 15 minutes.
func (m *Machine) Load() (x1, x5, x15 float64, err error) {
	m.note(ClockInput, "load")
	if err := m.closed("the load of the machine", "write the numbers"); err != nil {
		return 0, 0, 0, err
	}
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0, 0, 0, errors.New("this system does not tell its load")
	}
	words := strings.Fields(string(text))
	if len(words) < 3 {
		return 0, 0, 0, errors.New("/proc/loadavg cannot be read")
	}
	var loads [3]float64
	for i := range loads {
		if loads[i], err = strconv.ParseFloat(words[i], 64); err != nil {
			return 0, 0, 0, err
		}
	}
	return loads[0], loads[1], loads[2], nil
}
