import subprocess
from flask import Blueprint, jsonify, request

bp = Blueprint("tools", __name__)

@bp.route("/thumbnail", methods=["POST"])
def thumbnail():
    payload = request.get_json()
    width = payload.get("width", 200)
    source = payload["source"]
    result = subprocess.run(  # found: python/shell error
        f"convert {source} -resize {width} out.png",
        shell=True,
        capture_output=True,
        check=False,
    )
    return jsonify(code=result.returncode)
