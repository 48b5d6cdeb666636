import os
from fastapi import APIRouter
from pydantic import BaseModel

router = APIRouter()


class Print(BaseModel):
    copies: int
    sides: int = 1
    name: str


@router.post("/print")
def print_it(job: Print):
    os.system(f"lp -n {job.copies} -o sides={job.sides} order.pdf")
