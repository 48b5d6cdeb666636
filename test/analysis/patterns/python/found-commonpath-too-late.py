import os
from flask import Flask, abort, request

app = Flask(__name__)
BASE_DIR = os.path.abspath("docs")

@app.route("/docs")
def docs():
    page = request.args.get("page", "index.md")
    full = os.path.join(BASE_DIR, page)
    with open(full, encoding="utf-8") as handle:  # found: python/path error
        text = handle.read()
    if os.path.commonpath([os.path.realpath(full), BASE_DIR]) != BASE_DIR:
        abort(403)
    return {"text": text}
