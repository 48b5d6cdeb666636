from pathlib import Path

from flask import Flask, request

app = Flask(__name__)
BASE_DIR = Path("docs").resolve()


@app.route("/docs")
def docs():
    full = (BASE_DIR / request.args["page"]).resolve()
    try:
        full.relative_to(BASE_DIR)
    except ValueError:
        app.logger.warning("outside of the folder")
    return {"text": full.read_text(encoding="utf-8")}  # found: python/path error


@app.route("/notes")
def notes():
    full = BASE_DIR / request.args["page"]
    full.relative_to(BASE_DIR)
    return {"text": full.read_text(encoding="utf-8")}  # found: python/path error
