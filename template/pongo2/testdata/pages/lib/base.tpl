Begin {{ title }}
{% block body %}base {{ name }}{% endblock %}
{%- block other %} other {{ title }}{% endblock -%}
End
