import os

from flask import Flask, request

app = Flask(__name__)
TOOLS = {"ls", "df"}


@app.route("/either")
def either():
    tool = request.args.get("tool", "")
    quick = request.args.get("quick")
    if not quick and tool not in TOOLS:
        return "unknown", 400
    return {"code": os.system(tool)}  # found: python/shell error


@app.route("/both")
def both():
    tool = request.args.get("tool", "")
    quick = request.args.get("quick")
    if not (quick or tool in TOOLS):
        return "unknown", 400
    return {"code": os.system(tool)}  # found: python/shell error
