{% extends "base.tpl" %}
{% block body %}middle {{ block.Super|upper }}{% block inner %}i{% endblock %}{% endblock %}
