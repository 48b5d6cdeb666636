from fastapi import Depends, FastAPI, Query

app = FastAPI()

def formula(expression: str = Query(...)) -> str:
    return expression.strip()

@app.get("/calculate")
def calculate(expression: str = Depends(formula)):
    return {"result": eval(expression, {"__builtins__": {}})}  # found: python/code error
