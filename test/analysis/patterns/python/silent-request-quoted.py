from urllib.parse import quote

from aiohttp import ClientSession, web

routes = web.RouteTableDef()
UPSTREAM = "https://inventory.internal"

@routes.get("/proxy")
async def proxy(request):
    item = quote(request.query["item"], safe="")
    async with ClientSession() as session:
        async with session.get(f"{UPSTREAM}/items/{item}") as response:
            return web.json_response(await response.json())
