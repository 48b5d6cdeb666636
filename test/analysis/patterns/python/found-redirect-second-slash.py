from django.http import HttpResponseRedirect

def switch_language(request):
    next_url = request.POST.get("next", "/")
    if next_url.startswith("/"):
        return HttpResponseRedirect(next_url)  # found: python/redirect warning
    return HttpResponseRedirect("/")
