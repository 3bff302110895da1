package template

import "strings"

// otherStatements are statements of other template languages, and what to write here.
var otherStatements = map[string]string{
	"end": "{% endif %}, {% endfor %} or the end of the statement that it closes", "fi": "{% endif %}", "done": "{% endfor %}",
	"foreach": "{% for item in list %}", "each": "{% for item in list %}", "endforeach": "{% endfor %}", "while": "{% for item in list %}",
	"unless": "{% if not ... %}", "endunless": "{% endif %}", "switch": "{% if %} and {% elif %}", "case": "{% elif %}", "then": "{% if ... %} without it",
	"let": "{% set x = 1 %}", "assign": "{% set x = 1 %}", "var": "{% set x = 1 %}", "range": "{% for item in list %}", "define": "{% macro name() %}",
}

// statementHint returns the correction of a usual mistake in a statement, "" if it is none. message
// is that of the error, token the text at its place (spec: everyday, A7).
//
//	{% foreach %}    write {% for item in list %}
//	{% if a %}b      add {% endif %}
func statementHint(message, token string) string {
	message = strings.TrimPrefix(message, "template error: ")
	switch {
	case strings.HasPrefix(message, "unknown statement"):
		if instead := otherStatements[token]; instead != "" && !strings.Contains(message, "did you mean") {
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
