// What looks dangerous and is not.
const { execFile, spawn } = require("child_process");
const path = require("path");
const fs = require("fs");
const crypto = require("crypto");

// right: CWE-78
spawn("git", ["status", "--short"]);
// right: CWE-78
execFile("/usr/bin/convert", [input, output]);
const TABLES = { users: "users", orders: "orders" };
app.get("/t", async (req, res) => {
  const table = TABLES[req.query.table];
  // right: CWE-89
  res.json(await pool.query(`SELECT count(*) FROM ${table}`));
  const id = Number.parseInt(req.params.id, 10);
  // right: CWE-89
  res.json(await pool.query("SELECT * FROM a WHERE id = " + id));
  // right: CWE-22
  const text = fs.readFileSync(path.join(__dirname, "pages", "index.html"));
  // right: CWE-79
  res.type("text/plain").send("Hello " + req.query.name);
  // right: CWE-79
  res.set("Content-Type", "application/json").send(JSON.stringify(req.query));
  // right: CWE-1321
  const value = settings[req.query.key];
  // right: CWE-601
  res.redirect(`/search?q=${encodeURIComponent(req.query.q)}`);
  const next = new URL(req.query.next, "https://shop.example");
  if (next.origin !== "https://shop.example") return res.status(400).end();
  // right: CWE-601
  res.redirect(next.pathname);
  const host = req.query.host;
  if (!HOSTS.has(host)) return res.sendStatus(400);
  // right: CWE-918
  await fetch(`https://${host}/status`);
});

// right: CWE-327
const etag = crypto.createHash("sha512").update(body).digest("base64");
// right: CWE-338
const id = crypto.randomUUID();
// right: CWE-338
const jitter = Math.random() * 100;
// right: CWE-798
const header = "Authorization";
// right: CWE-798
const tokenUrl = "https://auth.example.com/oauth/token";
// right: CWE-798
const passwordLabel = "Password";
// right: CWE-798
const secret = await getSecret("db-password");
// right: CWE-798
const API_KEY = "";
// right: CWE-798
const token = "<your-token-here>";
// right: CWE-79
element.innerHTML = "<b>Loading…</b>";
// right: CWE-79
const label = escape(text);
// right: CWE-1333
const words = /\w+/g.exec(text);
// right: CWE-1333
const date = /^\d{4}-\d{2}-\d{2}$/.test(text);
// right: CWE-95
setTimeout(refresh, 100);
// right: CWE-95
const parsed = JSON.parse(text);
// right: CWE-502
const copy = structuredClone(value);
// right: CWE-208
if (password === confirmPassword) done();
// right: CWE-208
if (typeof token === "string") use(token);
// right: CWE-614
res.clearCookie("sid");
// right: CWE-319
const namespace = "http://www.w3.org/2000/svg";
// right: CWE-319
fetch("http://localhost:3000/health");
// right: CWE-319
const local = "http://127.0.0.1:8080";
// right: CWE-601
window.location.href = "/login?next=" + encodeURIComponent(location.pathname);
// right: CWE-601
location.reload();
// right: CWE-345
worker.postMessage({ kind: "start" });
// right: CWE-922
sessionStorage.setItem("draft", text);
// right: CWE-117
logger.info("started on port %d", port);
// right: CWE-117
console.log("done");
// right: CWE-943
const user = await User.findById(new ObjectId(req.params.id));
// right: CWE-943
const all = await User.find({ active: true });
// right: CWE-89
const rows = await db.query(sql`SELECT * FROM a WHERE id = ${req.params.id}`);
// right: CWE-89
const rows2 = await db("users").where("id", req.params.id).first();
// right: CWE-89
const message = "Please select from the list " + name;
// right: CWE-89
await knex("users").where("id", id).update({ name });
// right: CWE-22
const ext = path.extname(file.originalname);
// right: CWE-22
app.use(express.static(path.join(__dirname, "public")));
// right: CWE-22
const real = await fs.promises.realpath(__filename);
// right: CWE-918
const me = await axios.get("/api/me");
// right: CWE-918
const other = await axios.post(`${BASE_URL}/users`, { name });
// right: CWE-295
const agent = new https.Agent({ keepAlive: true });
// right: CWE-295
const agent2 = new https.Agent({ rejectUnauthorized: true });
// right: CWE-347
const claims = await jwtVerify(token, key, { algorithms: ["ES256"] });
// right: CWE-347
const decoded = jwt.verify(token, publicKey, { algorithms: ["RS256"], issuer: "https://id.example.com" });
// right: CWE-942
app.use(cors({ origin: process.env.ORIGIN }));
// right: CWE-352
app.post("/save", csrfProtection, save);
// right: CWE-693
app.disable("x-powered-by");
// right: CWE-916
const hashed = await argon2.hash(password);
// right: CWE-916
const derived = crypto.scryptSync(password, crypto.randomBytes(16), 64);
// right: CWE-1004
res.cookie("id", id, { httpOnly: true, secure: process.env.NODE_ENV === "production", sameSite: "lax" });
// right: CWE-209
res.status(404).json({ error: "not found" });
// right: CWE-209
next(err);
