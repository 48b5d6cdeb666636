from django.http import HttpResponse

def greet(request, name):
    greeting = request.GET.get("greeting", "Hello")
    return HttpResponse("<p>%s, %s!</p>" % (greeting, name))  # found: python/html warning
