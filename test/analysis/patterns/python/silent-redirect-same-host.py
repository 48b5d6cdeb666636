from urllib.parse import urljoin, urlparse
from flask import Flask, redirect, request, url_for

app = Flask(__name__)

def is_safe_url(target):
    ref_url = urlparse(request.host_url)
    test_url = urlparse(urljoin(request.host_url, target))
    return test_url.scheme in ("http", "https") and ref_url.netloc == test_url.netloc

@app.post("/login")
def login():
    target = request.args.get("next")
    if not target or not is_safe_url(target):
        target = url_for("index")
    return redirect(target)
