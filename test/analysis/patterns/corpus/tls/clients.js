const https = require("https");
const tls = require("tls");
const axios = require("axios");
const request = require("request");
const got = require("got");
const nodemailer = require("nodemailer");
const { Client } = require("pg");
const mysql = require("mysql2");
const fs = require("fs");
const { Agent, setGlobalDispatcher } = require("undici");

const ca = fs.readFileSync("/etc/ssl/our-ca.pem");

// wrong: CWE-295 for the whole process
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
// right: CWE-295 the strict value
process.env.NODE_TLS_REJECT_UNAUTHORIZED = "1";

// wrong: CWE-295 agent that takes any certificate
const loose = new https.Agent({ rejectUnauthorized: false });
// right: CWE-295 agent with a root of our own
const strict = new https.Agent({ ca, keepAlive: true });

// wrong: CWE-295 inside of a call
axios.get("https://api.example.com", { httpsAgent: new https.Agent({ rejectUnauthorized: false }) });
// right: CWE-295 root given
axios.get("https://api.example.com", { httpsAgent: strict });

// wrong: CWE-295 strictSSL of request
request({ url: "https://api.example.com", strictSSL: false }, () => {});
// right: CWE-295 strictSSL on
request({ url: "https://api.example.com", strictSSL: true }, () => {});

// wrong: CWE-295 option of got
got("https://api.example.com", { https: { rejectUnauthorized: false } });
// right: CWE-295 authority for got
got("https://api.example.com", { https: { certificateAuthority: ca } });

// wrong: CWE-295 database without a check
const db = new Client({ ssl: { rejectUnauthorized: false } });
// right: CWE-295 database with a root
const dbStrict = new Client({ ssl: { ca, rejectUnauthorized: true } });

// wrong: CWE-295 mysql without a check
mysql.createConnection({ host: process.env.DB_HOST, ssl: { rejectUnauthorized: false } });
// right: CWE-295 mysql with a bundled root
mysql.createConnection({ host: process.env.DB_HOST, ssl: { ca } });

// wrong: CWE-295 mail without a check
nodemailer.createTransport({ host: process.env.SMTP_HOST, port: 465, secure: true, tls: { rejectUnauthorized: false } });
// right: CWE-295 mail with STARTTLS required
nodemailer.createTransport({ host: process.env.SMTP_HOST, port: 587, requireTLS: true });

// wrong: CWE-297 host name is never compared
tls.connect({ host: "db.example.com", port: 5433, checkServerIdentity: () => undefined });
// right: CWE-297 default comparison
tls.connect({ host: "db.example.com", port: 5433, servername: "db.example.com" });

// wrong: CWE-295 dispatcher of undici
setGlobalDispatcher(new Agent({ connect: { rejectUnauthorized: false } }));
// right: CWE-295 dispatcher with a root
setGlobalDispatcher(new Agent({ connect: { ca } }));

module.exports = { loose, strict, db, dbStrict };
