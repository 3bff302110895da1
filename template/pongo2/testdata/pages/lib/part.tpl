[{{ name }}:{{ number|default:"none" }}{% include "nested.tpl" %}]
