from aiohttp import ClientSession, web

routes = web.RouteTableDef()

@routes.get("/proxy")
async def proxy(request):
    host = request.query["host"]
    async with ClientSession() as session:
        async with session.get(f"http://{host}/status") as response:  # found: python/request error
            return web.json_response(await response.json())
