import os
from pathlib import Path
from urllib.parse import urlparse
import requests
from flask import Flask, abort, request, send_file

app = Flask(__name__)
BASE = Path("/srv")

@app.get("/1")
def a1():
    path = BASE.resolve() / request.args["n"]
    if not path.is_relative_to(BASE):
        abort(404)
    return send_file(path)  # found: python/path error

@app.get("/2")
def a2():
    path = os.path.abspath("/srv") + "/" + request.args["n"]
    if not path.startswith("/srv"):
        abort(404)
    return send_file(path)  # found: python/path error

@app.get("/5")
def a5():
    name = request.args["n"].replace("../", "")
    return send_file(os.path.join("/srv", name))  # found: python/path error

@app.get("/6")
def a6():
    url = request.args["u"]
    if not url.startswith("https://example.com"):
        abort(400)
    return requests.get(url).text  # found: python/request error

@app.get("/7")
def a7():
    url = request.args["u"]
    # `https://a.example:x@evil.example` passes.
    host = urlparse(url).netloc.split(":")[0]
    if host not in {"a.example", "b.example"}:
        abort(400)
    return requests.get(url).text  # found: python/request error

@app.get("/9")
def a9():
    url = request.args["u"]
    if urlparse(url).hostname in ("localhost", "127.0.0.1"):
        abort(400)
    return requests.get(url).text  # found: python/request error

@app.get("/12")
def a12():
    host = urlparse(request.args["u"]).hostname or ""
    if not host.endswith(("a.example", ".b.example")):
        abort(400)
    return requests.get(request.args["u"]).text  # found: python/request error

@app.get("/13")
def a13():
    parts = urlparse(request.args["u"])
    if not (parts.hostname == "a.example" or parts.scheme == "https"):
        abort(400)
    return requests.get(request.args["u"]).text  # found: python/request error
