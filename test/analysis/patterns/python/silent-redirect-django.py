from django.http import HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme

def switch_language(request):
    next_url = request.POST.get("next", "/")
    if url_has_allowed_host_and_scheme(
        url=next_url,
        allowed_hosts={request.get_host()},
        require_https=request.is_secure(),
    ):
        return HttpResponseRedirect(next_url)
    return HttpResponseRedirect("/")
