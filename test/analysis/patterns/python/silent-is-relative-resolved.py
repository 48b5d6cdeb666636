from pathlib import Path

from aiohttp import web

ROOT = Path("/srv/files").resolve()

async def download(request: web.Request) -> web.StreamResponse:
    path = (ROOT / request.match_info["name"]).resolve()
    if not path.is_relative_to(ROOT):
        raise web.HTTPNotFound()
    return web.FileResponse(path)

app = web.Application()
app.router.add_get("/files/{name:.+}", download)
