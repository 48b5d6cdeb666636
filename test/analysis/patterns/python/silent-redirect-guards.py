from urllib.parse import urljoin, urlparse
from flask import Flask, redirect, request, url_for

app = Flask(__name__)

def is_safe_url(target):
    test_url = urlparse(target)
    return test_url.netloc == urlparse(request.host_url).netloc

def is_safe2(target):
    test_url = urlparse(urljoin(request.host_url, target))
    return test_url.netloc == "a.example"

@app.post("/login")
def login():
    target = request.args.get("next")
    if not is_safe_url(target):
        target = url_for("index")
    return redirect(target)

@app.post("/login2")
def login2():
    target = request.args.get("next")
    if not is_safe2(target):
        target = url_for("index")
    return redirect(target)

@app.post("/login3")
def login3():
    target = request.args.get("next")
    if not target or not is_safe2(target):
        target = url_for("index")
    return redirect(target)

@app.post("/login4")
def login4():
    target = request.args.get("next")
    if not target or not is_safe2(target):
        return "no"
    return redirect(target)
