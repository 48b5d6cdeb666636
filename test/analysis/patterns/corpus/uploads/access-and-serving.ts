import express from "express";
import serveIndex from "serve-index";
import rateLimit from "express-rate-limit";
import { chmodSync, mkdirSync, openSync, writeFileSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";

const app = express();

// wrong: CWE-548 whole project is served
app.use(express.static(__dirname));
// right: CWE-548 public folder is served
app.use(express.static(join(__dirname, "public")));
// wrong: CWE-548 folder with its listing
app.use("/files", serveIndex("files", { icons: true }));
// wrong: CWE-548 hidden files are served
app.use("/site", express.static("site", { dotfiles: "allow" }));
// right: CWE-548 hidden files are refused
app.use("/docs", express.static("docs", { dotfiles: "deny", index: false }));
// wrong: CWE-548 dependencies are served
app.use("/modules", express.static("node_modules"));
// right: CWE-548 one package is served
app.use("/modules/chart", express.static("node_modules/chart.js/dist"));

// wrong: CWE-732 everybody may write
chmodSync("/srv/app/config.json", 0o777);
// right: CWE-732 the owner alone
chmodSync("/srv/app/config.json", 0o600);
// wrong: CWE-732 folder for everybody
mkdirSync("/srv/app/uploads", { recursive: true, mode: 0o777 });
// right: CWE-732 folder for a group
mkdirSync("/srv/app/uploads", { recursive: true, mode: 0o750 });
// wrong: CWE-732 file for everybody
writeFileSync("/srv/app/state.json", "{}", { mode: 0o666 });
// right: CWE-732 file of the owner
writeFileSync("/srv/app/state.json", "{}", { mode: 0o640 });
// wrong: CWE-732 mode as text
await chmod("/srv/app/run.sh", "777");
// right: CWE-732 script that all may run and one may change
await chmod("/srv/app/run.sh", 0o755);
// wrong: CWE-732 key that all may read
await writeFile("/srv/app/private.pem", process.env.PRIVATE_KEY!, { mode: 0o644 });
// right: CWE-732 key of the owner
await writeFile("/srv/app/private.pem", process.env.PRIVATE_KEY!, { mode: 0o400 });
// wrong: CWE-732 opened for everybody
openSync("/srv/app/spool", "w", 0o777);
// right: CWE-732 opened for the owner
openSync("/srv/app/spool", "w", 0o600);
// wrong: CWE-732 mask taken away
process.umask(0);
// right: CWE-732 strict mask
process.umask(0o077);

// wrong: CWE-348 every proxy is believed
app.set("trust proxy", true);
// right: CWE-348 one proxy is believed
app.set("trust proxy", 1);
// right: CWE-770 limit for all
app.use(rateLimit({ windowMs: 60_000, max: 100 }));

export default app;
