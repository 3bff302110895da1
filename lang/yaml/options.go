package yaml

import "strings"

// fileOptions reads the switches in the first comment block of a text:
//
//	# yaytpl: templates=off literals=off
//
// Words that are no switch are left to those who lint.
func fileOptions(text string) map[string]bool {
	text = text[behindMark(text):]
	for {
		line, rest, more := strings.Cut(text, "\n")
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "%") || line == "---" {
			if !more {
				return nil
			}
			text = rest
			continue
		}
		return optionsOfBlock(text)
	}
}

// optionsOfBlock reads the lines of the comment block that text begins with.
func optionsOfBlock(text string) map[string]bool {
	var options map[string]bool
	for text != "" {
		var line string
		line, text, _ = strings.Cut(text, "\n")
		comment, ok := strings.CutPrefix(strings.TrimSpace(line), "#")
		if !ok {
			break
		}
		if list, ok := strings.CutPrefix(strings.TrimSpace(comment), "yaytpl:"); ok {
			options = addOptions(options, list)
		}
	}
	return options
}

func addOptions(options map[string]bool, list string) map[string]bool {
	for _, word := range strings.Fields(strings.ReplaceAll(list, ",", " ")) {
		name, val, ok := strings.Cut(word, "=")
		if !ok || val != "on" && val != "off" {
			continue
		}
		if options == nil {
			options = map[string]bool{}
		}
		options[name] = val == "on"
	}
	return options
}
