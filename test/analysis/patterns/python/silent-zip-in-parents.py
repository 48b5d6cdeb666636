import os
import zipfile
from pathlib import Path
from flask import Flask, abort, request

app = Flask(__name__)
THEMES = Path("themes").resolve()

@app.post("/theme")
def theme():
    archive = zipfile.ZipFile(request.files["theme"])
    for entry in archive.infolist():
        target = (THEMES / entry.filename).resolve()
        if THEMES not in target.parents:
            abort(400)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(archive.read(entry))
    return "", 204
