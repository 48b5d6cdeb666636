import os

from flask import Flask, request

app = Flask(__name__)
TOOLS = {"ls", "df"}


@app.route("/first")
def first():
    tool = request.args.get("tool", "")
    if not tool or tool not in TOOLS:
        return "unknown", 400
    return {"code": os.system(tool)}


@app.route("/second")
def second():
    tool = request.args.get("tool", "")
    if (
        # A tool that is not there.
        not tool
        # Or one of another list.
        or not tool in TOOLS
        or request.args.get("quick")
    ):
        return "unknown", 400
    return {"code": os.system(tool)}


@app.route("/third")
def third():
    tool = request.args.get("tool", "")
    quick = request.args.get("quick")
    if not quick and tool in TOOLS or tool == "df":
        return {"code": os.system(tool)}
    return "unknown", 400
