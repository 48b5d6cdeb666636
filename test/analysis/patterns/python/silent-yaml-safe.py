import yaml
from fastapi import APIRouter, Request

router = APIRouter()

@router.post("/import")
async def import_config(request: Request):
    body = await request.body()
    config = yaml.load(body, Loader=yaml.SafeLoader)
    return {"keys": sorted(config)}
