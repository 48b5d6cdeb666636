import shutil
import uuid
from pathlib import Path

from fastapi import FastAPI, File, HTTPException, UploadFile

app = FastAPI()
UPLOADS = Path("uploads")
SUFFIXES = {".png", ".jpg"}

@app.post("/upload")
async def upload(file: UploadFile = File(...)):
    suffix = Path(file.filename).suffix.lower()
    if suffix not in SUFFIXES:
        raise HTTPException(415)
    destination = UPLOADS / f"{uuid.uuid4()}{suffix}"
    with destination.open("wb") as out:
        shutil.copyfileobj(file.file, out)
    return {"name": destination.name}
