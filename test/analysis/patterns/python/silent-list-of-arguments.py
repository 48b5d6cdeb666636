import subprocess
from flask import Blueprint, jsonify, request
from werkzeug.utils import secure_filename

bp = Blueprint("tools", __name__)

@bp.route("/thumbnail", methods=["POST"])
def thumbnail():
    payload = request.get_json()
    width = int(payload.get("width", 200))
    source = secure_filename(payload["source"])
    result = subprocess.run(
        ["convert", "--", f"uploads/{source}", "-resize", str(width), "out.png"],
        capture_output=True,
        check=False,
    )
    return jsonify(code=result.returncode)
