import shutil
from pathlib import Path

from fastapi import FastAPI, File, UploadFile

app = FastAPI()
UPLOADS = Path("uploads")

@app.post("/upload")
async def upload(file: UploadFile = File(...)):
    destination = UPLOADS / file.filename
    with destination.open("wb") as out:  # found: python/path error
        shutil.copyfileobj(file.file, out)
    return {"name": file.filename}
