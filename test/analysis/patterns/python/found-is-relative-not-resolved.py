from pathlib import Path

from aiohttp import web

ROOT = Path("/srv/files")

async def download(request: web.Request) -> web.StreamResponse:
    name = request.match_info["name"]
    path = ROOT / name
    if not path.is_relative_to(ROOT):
        raise web.HTTPNotFound()
    return web.FileResponse(path)  # found: python/path error

app = web.Application()
app.router.add_get("/files/{name:.+}", download)
