from urllib.parse import urlparse

import requests
from flask import Flask, abort, request

app = Flask(__name__)

@app.route("/avatar")
def avatar():
    url = request.args["url"]
    if "gravatar.com" not in urlparse(url).netloc:
        abort(400)
    return requests.get(url, timeout=3).content  # found: python/request error
