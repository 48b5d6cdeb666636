import os
import zipfile
from flask import Flask, request

app = Flask(__name__)

@app.post("/theme")
def theme():
    archive = zipfile.ZipFile(request.files["theme"])
    for entry in archive.infolist():
        target = os.path.join("themes", entry.filename)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        with open(target, "wb") as out:  # found: python/path error
            out.write(archive.read(entry))
    return "", 204
