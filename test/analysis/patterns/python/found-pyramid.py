from html import escape
from pyramid.response import FileResponse, Response


def search(request):
    return Response("<p>" + request.params["q"])  # found: python/answer error


def encoded(request):
    return Response("<p>" + escape(request.params["q"]))


def plain(request):
    return Response("found " + request.params["q"], content_type="text/plain")


def file(request):
    return FileResponse("/srv/" + request.matchdict["name"], request=request)  # found: python/path error
