from django.http import HttpResponse
from django.utils.html import escape

def greet(request, name):
    greeting = escape(request.GET.get("greeting", "Hello"))
    return HttpResponse("<p>%s, %s!</p>" % (greeting, escape(name)))
