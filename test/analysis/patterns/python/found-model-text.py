import os
from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter()


class Print(BaseModel):
    copies: int
    name: str


@router.post("/print")
def print_it(job: Print):
    os.system(f"lp -n {job.copies} {job.name}")  # found: python/shell error
