{% macro strong(x) export %}<b>{{ x }}{{ name|upper }}</b>{% endmacro %}
{% macro item(n, text="t") export %}{{ n + 1 }}: {{ strong2(text) }}{% endmacro %}
{% macro hidden() %}h{% endmacro %}
