import subprocess
from urllib.parse import urlparse
from flask import Flask, abort, request

app = Flask(__name__)


@app.post("/tell")
def tell():
    target = request.form["next"]
    if urlparse(target).netloc not in ("", "shop.example.com"):
        abort(400)
    subprocess.Popen("tell " + target, shell=True)  # found: python/shell error
    return "", 204
