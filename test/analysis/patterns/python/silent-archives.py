import io
import os
import zipfile

from flask import Flask, request
from PIL import Image

app = Flask(__name__)


def is_within(directory, target):
    folder = os.path.abspath(directory)
    path = os.path.abspath(target)
    prefix = os.path.commonprefix([folder, path])
    return prefix == folder


@app.post("/unpack")
def unpack():
    upload = request.files["theme"]
    archive = zipfile.ZipFile(upload)
    for entry in archive.infolist():
        target = os.path.join("themes", entry.filename)
        if not is_within("themes", target):
            raise ValueError("outside of the folder")
        with open(target, "wb") as out:
            out.write(archive.read(entry))
    return ""


@app.post("/picture")
def picture():
    data = io.BytesIO(request.get_data())
    size = Image.open(data).size
    other = Image.open(request.files["other"].stream).size
    return {"size": size, "other": other}
