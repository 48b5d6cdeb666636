import sqlite3
from flask import Flask, g, request

app = Flask(__name__)

def get_db():
    if "db" not in g:
        g.db = sqlite3.connect("shop.db")
    return g.db

def find_products(where, parameters):
    query = f"SELECT name, price FROM products WHERE {where}"
    return get_db().execute(query, parameters).fetchall()

@app.route("/products")
def products():
    clauses, parameters = ["1 = 1"], []
    if category := request.args.get("category"):
        clauses.append("category = ?")
        parameters.append(category)
    rows = find_products(" AND ".join(clauses), parameters)
    return {"products": [list(row) for row in rows]}
