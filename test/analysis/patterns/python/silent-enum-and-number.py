import ast
from enum import Enum

from fastapi import Depends, FastAPI, Query
from sqlalchemy import text
from sqlalchemy.orm import Session

from .database import get_session

app = FastAPI()

class Column(str, Enum):
    name = "name"
    price = "price"

@app.get("/items")
def items(sort: Column = Query(Column.name), limit: int = 50, db: Session = Depends(get_session)):
    rows = db.execute(text(f"SELECT name, price FROM items ORDER BY {sort.value} LIMIT {limit}"))
    return {"items": [dict(row._mapping) for row in rows]}

@app.get("/values")
def values(expression: str):
    return {"result": ast.literal_eval(expression)}
