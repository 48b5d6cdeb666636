from django.shortcuts import render
from django.utils.html import format_html

def search(request):
    query = request.GET.get("q", "").strip()
    heading = format_html("Results for <b>{}</b>", query)
    return render(request, "search.html", {"heading": heading})
