package template

import (
	"strings"

	"github.com/yaytpl/yaytpl/internal/lazy"
)

// otherStatements are statements of other template languages, and what to write here.
var otherStatements = lazy.Value[map[string]string]{Make: func() map[string]string {
	return map[string]string{
		"end": "{% endif %}, {% endfor %} or the end of the statement that it closes", "fi": "{% endif %}", "done": "{% endfor %}",
		"foreach": "{% for item in list %}", "each": "{% for item in list %}", "endforeach": "{% endfor %}", "while": "{% for item in list %}",
		"unless": "{% if not ... %}", "endunless": "{% endif %}", "switch": "{% if %} and {% elif %}", "case": "{% elif %}", "then": "{% if ... %} without it",
		"let": "{% set x = 1 %}", "assign": "{% set x = 1 %}", "var": "{% set x = 1 %}", "range": "{% for item in list %}", "define": "{% macro name() %}",
	}
}}

// statementHint returns the correction of a usual mistake in a statement, "" if the mistake is not
// a usual one. message is the message of the error, token the text at its place (spec: everyday, A7).
//
//	{% foreach %}    write {% for item in list %}
//	{% if a %}b      add {% endif %}
func statementHint(message, token string) string {
	message = strings.TrimPrefix(message, "template error: ")
	switch {
	case strings.HasPrefix(message, "unknown statement"):
		if instead := otherStatements.Get()[token]; instead != "" && !strings.Contains(message, "did you mean") {
			return "write " + instead
		}
	case strings.Contains(message, "is never closed: expected"):
		if _, closer, ok := strings.Cut(message, "expected "); ok {
			return "add the closing " + closer
		}
	case strings.Contains(message, " expected for ") && strings.Contains(message, ", not "):
		end, _, _ := strings.Cut(message, " expected for ")
		return "write " + strings.Trim(end, `"`) + " here, or before it"
	case strings.Contains(message, " expected for "):
		end, _, _ := strings.Cut(message, " expected for ")
		return "add " + strings.Trim(end, `"`)
	case strings.HasPrefix(message, `expected "endraw"`):
		return "add {% endraw %}"
	}
	return ""
}

// The hints for a template that is invalid because it was probably not written for yaytpl.
const (
	switchOff = `add "# yaytpl: templates=off" to the file's first comment`
	goHint    = "this looks like a template for another tool; " + switchOff + ", or quote it with {q: ...}"
	goHintOut = "this looks like a template for another tool"
	maybeHint = "if the template is for another tool, " + switchOff
)

// foreignHint returns a hint for an invalid template: that it looks like one for another tool,
// or that a statement is in the braces of an expression; otherwise "". token is the part that
// is invalid; switches says that the text is in a file whose first comment can switch
// templates off.
//
//	{{ .Values.image }}, {{- range $i := .items }}, {{ end }}   for another tool
//	[[ x ]] {{ y }}, {{ inventory_hostname }}                   perhaps for another tool
//	{{ if x }}                                                  write a statement as {% if ... %}
//
// spec: everyday, A7.
func foreignHint(text, token string, switches bool) string {
	switch {
	case goTemplate.Get().MatchString(text) && switches:
		return goHint
	case goTemplate.Get().MatchString(text):
		return goHintOut
	}
	if m := bracedStatement.Get().FindStringSubmatch(text); m != nil {
		return "a statement is written {% " + m[1] + " %}"
	}
	if switches && (strings.Contains(text, "[[") || foreignName.Get().MatchString(token) || foreignFilter.Get().MatchString(text)) {
		return maybeHint
	}
	return ""
}

// foreignFilter matches a filter of a collection of Ansible.
var foreignFilter = lazy.Regexp{Text: `\|\s*\w+\.\w+\.\w+`}

// foreignName matches names that other tools which use Jinja or its braces define: Ansible,
// Home Assistant, Argo, Tekton, GitHub.
var foreignName = lazy.Regexp{Text: `^(?:ansible_\w+|inventory_\w+|hostvars|groups|group_names|play_hosts|role_path|playbook_dir|` +
	`states|is_state|state_attr|trigger|value_json|` +
	`workflow|inputs|outputs|steps|tasks|pod|workspaces|matrix|github|secrets)$`}

// goTemplate matches what templates of Go programs (Helm, goreleaser, Prometheus) have in their
// braces and Jinja never has: a field or variable with a dot or a dollar sign, a keyword with
// its argument, a text in backquotes.
var goTemplate = lazy.Regexp{Text: `(?:^|[^$])\{\{-?\s*(?:` +
	`[.$][\s}\w]|range\s|(?:include|template|define|block|printf|tpl)\s*"|end\s*-?\}\}|/\*|` +
	"`|" + `[^{}]*[\s(|](?:[.$][a-zA-Z]|` + "`))"}

// bracedStatement matches a statement of Jinja in the braces of an expression.
var bracedStatement = lazy.Regexp{Text: `\{\{-?\s*(if|elif|else|endif|for|endfor|set|endset|macro|endmacro|block|endblock|extends|import|include|with|endwith)(?:\s+[^=|.}\s]|\s*-?\}\})`}
