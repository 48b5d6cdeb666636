/** The shortest code that each rule of the static table is there for. */
export const STATIC_SAMPLES: Readonly<Record<string, string>> = {
  "no-invalid-regexp": 'new RegExp("[");',
  "no-unexpected-multiline": "const a = b\n(c || d).forEach(e);",
  "no-unreachable-loop": "while (a) { f(); break; }",
  "no-unused-private-class-members": "class A { #a = 1; }",
  "sonarjs/no-unthrown-error": 'function f() { new Error("x"); }',
  "sonarjs/no-literal-call": '"x"();',
  "sonarjs/comma-or-logical-or-case": "switch (a) { case 1, 2: f(); }",
  "sonarjs/no-useless-increment": "let i = 0; i = i++;",
  "sonarjs/no-hook-setter-in-body":
    'import { useState } from "react"; function C() { const [a, setA] = useState(0); setA(1); return <b>{a}</b>; }',
  "sonarjs/no-same-argument-assert": 'import { expect } from "chai"; expect(a).to.equal(a);',
  "sonarjs/async-test-assertions":
    'import { expect, it } from "vitest"; it("x", () => { expect(f()).resolves.toBe(1); });',
  "sonarjs/no-empty-parameterized-test-dataset": 'import { it } from "vitest"; it.each([])("x", () => {});',
  "sonarjs/no-collection-size-mischeck": "if (a.length >= 0) f();",
  "sonarjs/no-all-duplicated-branches": "if (a) { f(); } else { f(); }",
  "sonarjs/no-element-overwrite": "list[0] = f(); list[0] = g();",
  "sonarjs/no-empty-collection": "const a = []; a.forEach(f);",
  "sonarjs/non-existent-operator": "let a = 1; a =+ 2;",
  "sonarjs/no-use-of-empty-return-value": "function f() { console.log(1); } const x = f();",
  "sonarjs/no-extra-arguments": "function f(a) { return a; } f(1, 2);",
  "sonarjs/stateful-regex": 'const r = /a/g; r.test("x"); r.test("y");',
  "sonarjs/no-useless-react-setstate":
    'import { useState } from "react"; function C() { const [a, setA] = useState(0); return <b onClick={() => setA(a)} />; }',
};

/** The same for the table of the security layer. */
export const SECURITY_SAMPLES: Readonly<Record<string, string>> = {
  "no-implied-eval": 'setTimeout("run()", 1);',
  "no-new-func": 'const f = new Function("a", text);',
  "no-unsanitized/property": "element.innerHTML = text;",
  "no-unsanitized/method": 'element.insertAdjacentHTML("beforeend", text);',
  "sonarjs/sql-queries": `import { Pool } from "pg"; const pool = new Pool(); pool.query("SELECT * FROM t WHERE a = " + a);`,
  "sonarjs/os-command": 'import { exec } from "node:child_process"; exec("ls " + folder, f);',
  "sonarjs/unverified-certificate": 'import https from "https"; https.request({ rejectUnauthorized: false }, f);',
  "sonarjs/unverified-hostname":
    'import https from "https"; https.request({ checkServerIdentity: function () {} }, f);',
  "sonarjs/weak-ssl": 'import https from "node:https"; https.request({ minVersion: "TLSv1" }, f);',
  "sonarjs/no-weak-cipher": 'import crypto from "crypto"; crypto.createCipheriv("DES", key, iv);',
  "sonarjs/encryption-secure-mode": 'import crypto from "crypto"; crypto.createCipheriv("aes-128-ecb", key, iv);',
  "sonarjs/no-weak-keys": 'import crypto from "crypto"; crypto.generateKeyPairSync("rsa", { modulusLength: 1024 });',
  "sonarjs/hashing": 'import { createHash } from "node:crypto"; createHash("md5");',
  "sonarjs/insecure-jwt-token": 'import jwt from "jsonwebtoken"; jwt.sign(payload, key, { algorithm: "none" });',
  "sonarjs/slow-regex": "const r = /(a+)+$/; r.test(text);",
  "sonarjs/dynamically-constructed-templates":
    'import ejs from "ejs"; app.get("/", (req, res) => res.send(ejs.render("<p>" + req.query.name)));',
  "sonarjs/disabled-auto-escaping": 'const h = require("handlebars"); h.compile(text, { noEscape: true });',
  "sonarjs/no-angular-bypass-sanitization":
    'import { DomSanitizer } from "@angular/platform-browser"; class A { constructor(private s: DomSanitizer) {} f(x) { return this.s.bypassSecurityTrustHtml(x); } }',
  "sonarjs/dompurify-unsafe-config":
    'import DOMPurify from "dompurify"; DOMPurify.sanitize(text, { ALLOW_UNKNOWN_PROTOCOLS: true });',
  "sonarjs/xml-parser-xxe": 'const xml = require("libxmljs"); xml.parseXmlString(text, { noent: true });',
  "sonarjs/file-uploads":
    'const multer = require("multer"); const storage = multer.diskStorage({ filename: f }); multer({ storage });',
  "sonarjs/file-permissions": 'import fs from "node:fs"; fs.chmodSync("a", 0o777);',
  "sonarjs/insecure-cookie": 'import session from "express-session"; app.use(session({ cookie: { secure: false } }));',
  "sonarjs/cookie-no-httponly":
    'import session from "express-session"; app.use(session({ cookie: { httpOnly: false } }));',
  "sonarjs/session-regeneration":
    'import passport from "passport"; app.post("/in", passport.authenticate("local", {}), function (req, res) { res.redirect("/"); });',
  "sonarjs/csrf": 'const csurf = require("csurf"); app.use(csurf({ ignoreMethods: ["POST"] }));',
  "sonarjs/cors": 'import express from "express"; import cors from "cors"; const app = express(); app.use(cors());',
  "sonarjs/hidden-files": 'import serve from "serve-static"; serve("public", { dotfiles: "allow" });',
  "sonarjs/aws-s3-bucket-granted-access":
    'import * as s3 from "aws-cdk-lib/aws-s3"; new s3.Bucket(this, "b", { publicReadAccess: true });',
  "sonarjs/aws-iam-public-access":
    'import * as iam from "aws-cdk-lib/aws-iam"; new iam.PolicyStatement({ actions: ["s3:Get"], resources: ["x"], principals: [new iam.AnyPrincipal()] });',
  "sonarjs/aws-iam-all-privileges":
    'import * as iam from "aws-cdk-lib/aws-iam"; new iam.PolicyStatement({ actions: ["*"], resources: ["x"] });',
  "sonarjs/aws-restricted-ip-admin-access":
    'import * as ec2 from "aws-cdk-lib/aws-ec2"; const g = new ec2.SecurityGroup(this, "g", { vpc }); g.addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(22));',
  "sonarjs/aws-apigateway-public-api":
    'import * as api from "aws-cdk-lib/aws-apigateway"; const a = new api.RestApi(this, "a"); a.root.addMethod("GET", i, { authorizationType: api.AuthorizationType.NONE });',
};
