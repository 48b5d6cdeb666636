import type { Sink } from "../../row.ts";
import { OPENS } from "../read-paths.ts";
import { FLASK } from "./example.ts";

/** Input that says which file is meant. */
export const FILES: readonly Sink[] = [
  {
    id: "python/path",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    joined: true,
    calls:
      "open io|codecs|builtins|gzip|bz2|lzma|aiofiles:open os:open|remove|unlink|rmdir|removedirs|listdir|scandir|walk|mkdir|makedirs|rename|replace|symlink|readlink|truncate|chmod shutil:rmtree|copy|copy2|copyfile|copytree|move|unpack_archive|make_archive flask:send_file flask|quart:send_from_directory fastapi.responses|starlette.responses:FileResponse aiohttp.web:FileResponse aiohttp:web.FileResponse pyramid.response:FileResponse bottle:static_file",
    wrong: `${FLASK}    with open("files/" + request.args["name"]) as file:
        return file.read()`,
    right: `from werkzeug.utils import secure_filename
${FLASK}    with open("files/" + secure_filename(request.args["name"])) as file:
        return file.read()`,
    words: {
      what: "says which file is opened",
      attack: "With `../` an attacker reads or overwrites files outside the folder that is meant.",
      mend: "Take the name alone (secure_filename), or compare the resolved path with the folder.",
    },
  },
  {
    id: "python/path",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    joined: true,
    calls: "zipfile:ZipFile|open tarfile:open PIL:Image.open PIL.Image:open",
    // An upload that is open already is read, not named.
    unless: {
      any: [
        { text: /\bfileobj\s{0,9}=/ },
        { argument: 0, path: /(?:files|FILES)(?:\.get\(\)|\[\]|\.\w{1,60})?$|BytesIO\(\)$/ },
        {
          argument: 0,
          reads:
            /^(?:\w{1,40}\.){0,3}(?:files|FILES)(?:\[[^\]]{1,60}\]|\.get\([^()]{1,60}\))$|\.(?:file|stream)$|^(?:io\.)?BytesIO\(/,
        },
      ],
    },
    wrong: `import zipfile
${FLASK}    return {"names": zipfile.ZipFile("files/" + request.args["name"]).namelist()}`,
    right: `import zipfile
${FLASK}    return {"names": zipfile.ZipFile(request.files["archive"]).namelist()}`,
    words: {
      what: "says which file is opened",
      attack: "With `../` an attacker reads files outside the folder that is meant.",
      mend: "Take the name alone (secure_filename), or compare the resolved path with the folder.",
    },
  },
  {
    id: "python/path",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    joined: true,
    calls: OPENS,
    wrong: `from pathlib import Path
${FLASK}    return {"text": (Path("files") / request.args["name"]).read_text()}`,
    right: `from pathlib import Path
${FLASK}    path = (Path("files") / request.args["name"]).resolve()
    if not path.is_relative_to("/srv/files"):
        return "no"
    return {"text": path.read_text()}`,
    words: {
      what: "says which file is opened",
      attack: "With `../` an attacker reads or overwrites files outside the folder that is meant.",
      mend: "Resolve the path, and check that it is_relative_to the folder.",
    },
  },
  {
    id: "python/upload",
    title: "Path traversal",
    cwe: 22,
    danger: "path",
    severity: "error",
    from: "source",
    calls: "flask|quart:..save *.save",
    when: { argument: 0, reads: /filename|\bname\b|\bpath\b/i },
    wrong: `import os
${FLASK}    file = request.files["file"]
    file.save(os.path.join("uploads", file.filename))
    return "saved"`,
    right: `import os
from werkzeug.utils import secure_filename
${FLASK}    file = request.files["file"]
    file.save(os.path.join("uploads", secure_filename(file.filename)))
    return "saved"`,
    words: {
      what: "says where a file from outside is stored",
      attack: "With `../` in its name an attacker overwrites files of the program.",
      mend: "Take the name alone (secure_filename), or give it a name of your own.",
    },
  },
];
