import os
from flask import Flask, abort, request, send_file

app = Flask(__name__)
BASE = os.path.realpath("/srv/reports")

@app.get("/report")
def report():
    name = request.args["name"]
    path = os.path.realpath(os.path.join(BASE, name))
    if os.path.commonpath([BASE, path]) != BASE:
        abort(404)
    return send_file(path)
