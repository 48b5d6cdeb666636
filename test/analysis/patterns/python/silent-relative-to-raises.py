from pathlib import Path
from flask import Flask, abort, request

app = Flask(__name__)
BASE_DIR = Path("docs").resolve()

@app.route("/docs")
def docs():
    page = request.args.get("page", "index.md")
    full = (BASE_DIR / page).resolve()
    try:
        full.relative_to(BASE_DIR)
    except ValueError:
        abort(403)
    return {"text": full.read_text(encoding="utf-8")}
