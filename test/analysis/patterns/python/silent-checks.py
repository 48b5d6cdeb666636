import os
from pathlib import Path
from urllib.parse import urlparse
import requests
from flask import Flask, abort, request, send_file

app = Flask(__name__)
BASE = Path("/srv")

@app.get("/3")
def a3():
    path = (BASE / request.args["n"]).resolve()
    if not str(path).startswith(str(BASE)):
        abort(404)
    return send_file(path)

@app.get("/4")
def a4():
    name = request.args["n"]
    if ".." in name or name.startswith("/"):
        abort(404)
    return send_file(os.path.join("/srv", name))

@app.get("/8")
def a8():
    url = request.args["u"]
    if not url.startswith(("https://a.example/", "https://b.example/")):
        abort(400)
    return requests.get(url).text

@app.get("/10")
def a10():
    path = os.path.normpath(os.path.join("/srv", request.args["n"]))
    if os.path.commonpath(["/srv", path]) == "/srv":
        return send_file(path)
    return "no", 404

@app.get("/11")
def a11():
    name = Path(request.args["n"]).name
    return send_file(BASE / name)

