import base64
import pickle
from flask import Flask, request

app = Flask(__name__)

@app.before_request
def load_cart():
    raw = request.cookies.get("cart")
    if raw:
        request.cart = pickle.loads(base64.b64decode(raw))  # found: python/deserialise error
