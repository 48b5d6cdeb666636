import os
import tarfile

from flask import Flask, request
from PIL import Image

app = Flask(__name__)


def is_within(directory, target):
    return os.path.commonprefix([directory, target]) == directory


@app.post("/unpack")
def unpack():
    archive = tarfile.open(fileobj=request.files["theme"].stream)
    for name in archive.getnames():
        target = os.path.join("themes", name)
        if not is_within("themes", target):
            raise ValueError("outside of the folder")
        with open(target, "wb") as out:  # found: python/path error
            out.write(archive.extractfile(name).read())
    return ""


@app.post("/picture")
def picture():
    upload = request.files["picture"]
    return {"size": Image.open("pictures/" + upload.filename).size}  # found: python/path error
