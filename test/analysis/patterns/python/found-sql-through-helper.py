import sqlite3
from flask import Flask, g, request

app = Flask(__name__)

def get_db():
    if "db" not in g:
        g.db = sqlite3.connect("shop.db")
    return g.db

def find_products(where):
    query = f"SELECT name, price FROM products WHERE {where}"
    return get_db().execute(query).fetchall()  # found: python/sql warning

@app.route("/products")
def products():
    category = request.args.get("category", "all")
    rows = find_products(f"category = '{category}'")
    return {"products": [list(row) for row in rows]}
