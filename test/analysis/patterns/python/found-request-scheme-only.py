from urllib.parse import urlparse

import httpx
from fastapi import FastAPI, HTTPException

app = FastAPI()

@app.get("/preview")
async def preview(url: str):
    parsed = urlparse(url)
    if parsed.scheme not in ("http", "https"):
        raise HTTPException(400, "only http and https")
    async with httpx.AsyncClient(timeout=5) as client:
        response = await client.get(url)  # found: python/request error
    return {"title": response.text[:200]}
