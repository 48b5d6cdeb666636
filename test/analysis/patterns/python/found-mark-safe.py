from django.shortcuts import render
from django.utils.safestring import mark_safe

def search(request):
    query = request.GET.get("q", "").strip()
    heading = mark_safe(f"Results for <b>{query}</b>")  # found: python/html warning
    return render(request, "search.html", {"heading": heading})
