const http = require("http");
const { createReadStream, existsSync, readFileSync, appendFileSync, readdir } = require("fs");
const { join, posix } = require("path");
const url = require("url");

const PUBLIC = join(__dirname, "public");

http
  .createServer((req, res) => {
    const { pathname, query } = url.parse(req.url, true);

    if (pathname === "/asset") {
      const file = PUBLIC + query.file;
      // wrong: CWE-22 plain concatenation with a query value
      if (existsSync(file)) createReadStream(file).pipe(res);
      return;
    }
    if (pathname === "/list") {
      // wrong: CWE-22 lists a folder of the query
      readdir(join(PUBLIC, query.dir), (err, names) => res.end(JSON.stringify(err ? [] : names)));
      return;
    }
    if (pathname === "/list-own") {
      // right: CWE-22 constant folder
      readdir(PUBLIC, (err, names) => res.end(JSON.stringify(err ? [] : names.filter((name) => name.includes(query.part)))));
      return;
    }
    if (pathname === "/rooted") {
      const file = posix.normalize("/" + decodeURIComponent(query.file));
      // right: CWE-22 normalised behind a leading slash cannot climb
      res.end(readFileSync(PUBLIC + file));
      return;
    }
    if (pathname === "/append") {
      // wrong: CWE-22 appends to a file of the client
      appendFileSync(`/var/log/${query.app}.log`, "seen\n");
      res.end();
      return;
    }
    if (pathname === "/append-own") {
      // right: CWE-22 fixed file, encoded text
      appendFileSync("/var/log/seen.log", encodeURIComponent(query.app) + "\n");
      res.end();
      return;
    }
    // wrong: CWE-22 raw request path
    res.end(readFileSync("." + req.url));
  })
  .listen(8080);
