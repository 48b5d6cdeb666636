from os.path import normpath
from pathlib import Path

from aiohttp.web import FileResponse, HTTPNotFound


class Static:
    def __init__(self, directory, follow):
        self._directory = directory
        self._follow = follow

    async def handle(self, request):
        try:
            unresolved = self._directory.joinpath(request.match_info["filename"])
            if self._follow:
                normalized = Path(normpath(unresolved)).resolve()
                normalized.relative_to(self._directory)
                path = normalized
            else:
                path = unresolved.resolve()
                path.relative_to(self._directory)
        except ValueError as error:
            raise HTTPNotFound() from error
        return FileResponse(path)
