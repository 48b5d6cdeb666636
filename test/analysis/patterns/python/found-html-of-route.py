from aiohttp import web
from fastapi import FastAPI
from fastapi.responses import HTMLResponse

app = FastAPI()


@app.get("/page", response_class=HTMLResponse)
def page(name: str):
    return f"<h1>{name}</h1>"  # found: python/answer error


@app.get("/data")
def data(name: str):
    return f"<h1>{name}</h1>"


async def banner(request: web.Request):
    return web.Response(text="<p>" + request.query["q"], content_type="text/html")  # found: python/answer error


async def plain(request: web.Request):
    return web.Response(text="<p>" + request.query["q"])
