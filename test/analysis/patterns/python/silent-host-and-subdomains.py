from urllib.parse import urlsplit

import requests
from flask import Flask, abort, request

app = Flask(__name__)

@app.route("/avatar")
def avatar():
    url = request.args["url"]
    parts = urlsplit(url)
    host = parts.hostname or ""
    if parts.scheme != "https" or not (host == "gravatar.com" or host.endswith(".gravatar.com")):
        abort(400)
    return requests.get(url, timeout=3, allow_redirects=False).content
