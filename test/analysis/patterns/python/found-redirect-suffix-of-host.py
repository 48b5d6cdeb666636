from urllib.parse import urlparse
from flask import Flask, redirect, request, url_for

app = Flask(__name__)

def is_local(target):
    """Allow only our own hosts."""
    host = urlparse(target).netloc
    return host == "" or host.endswith("example.com")

@app.post("/login")
def login():
    target = request.args.get("next") or url_for("index")
    if not is_local(target):
        target = url_for("index")
    return redirect(target)  # found: python/redirect warning
