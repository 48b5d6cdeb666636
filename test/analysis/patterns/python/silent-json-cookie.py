import base64
import json
from flask import Flask, request

app = Flask(__name__)

@app.before_request
def load_cart():
    raw = request.cookies.get("cart")
    if raw:
        request.cart = json.loads(base64.b64decode(raw))
