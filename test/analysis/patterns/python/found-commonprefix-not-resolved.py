import os
from flask import Flask, abort, request, send_file

app = Flask(__name__)
BASE = "/srv/reports"

@app.get("/report")
def report():
    name = request.args["name"]
    path = os.path.join(BASE, name)
    if os.path.commonprefix([path, BASE]) != BASE:
        abort(404)
    return send_file(path)  # found: python/path error
