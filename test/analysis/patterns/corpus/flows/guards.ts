import { isIP } from "node:net";
import path from "node:path";
import { readFileSync } from "node:fs";
import { execSync } from "node:child_process";
import { Router, type NextFunction, type Request, type Response } from "express";
import { body, matchedData, param, query, validationResult } from "express-validator";
import { celebrate, Joi, Segments } from "celebrate";
import validator from "validator";
import { z } from "zod";
import { pool } from "./database";

export const router = Router();
const Id = z.coerce.number().int().positive();

router.get("/ip", (req, res) => {
  const host = String(req.query.host);
  if (isIP(host) === 0) return res.sendStatus(400);
  // right: CWE-78 an address of IP
  return res.send(execSync(`ping -c 1 ${host}`));
});

router.get("/ip-thrown", (req, res) => {
  const host = String(req.query.host);
  if (!validator.isFQDN(host)) throw new Error("not a name");
  // right: CWE-78 a domain name
  return res.send(execSync(`dig ${host}`));
});

router.get("/ip-other", (req, res) => {
  const host = String(req.query.host);
  if (!validator.isFQDN(String(req.query.hostname))) throw new Error("not a name");
  // wrong: CWE-78 another variable was checked
  return res.send(execSync(`dig ${host}`));
});

router.get("/ip-inverted", (req, res) => {
  const host = String(req.query.host);
  if (validator.isFQDN(host)) return res.sendStatus(400);
  // wrong: CWE-78 check is the wrong way round
  return res.send(execSync(`dig ${host}`));
});

router.get("/ip-after", (req, res) => {
  const host = String(req.query.host);
  // wrong: CWE-78 checked afterwards
  const out = execSync(`dig ${host}`);
  if (!validator.isFQDN(host)) return res.sendStatus(400);
  return res.send(out);
});

router.get("/id", async (req, res) => {
  const id = Id.parse(req.query.id);
  // right: CWE-89 schema makes a number
  res.json(await pool.query(`SELECT * FROM items WHERE id = ${id}`));
});

router.get("/id-safe-parse", async (req, res) => {
  const parsed = Id.safeParse(req.query.id);
  if (!parsed.success) console.warn("bad id");
  // wrong: CWE-89 result of the schema is not used
  res.json(await pool.query(`SELECT * FROM items WHERE id = ${req.query.id}`));
});

router.get("/nan", async (req, res) => {
  if (isNaN(parseInt(req.query.id as string, 10))) return res.sendStatus(400);
  // wrong: CWE-89 parseInt accepts what begins with digits
  return res.json(await pool.query(`SELECT * FROM items WHERE id = ${req.query.id}`));
});

router.get("/validator/:id", param("id").isInt(), async (req, res) => {
  if (!validationResult(req).isEmpty()) return res.sendStatus(400);
  // right: CWE-89 validated and the result is looked at
  return res.json(await pool.query(`SELECT * FROM items WHERE id = ${matchedData(req).id}`));
});

router.get("/validator-ignored/:id", param("id").isInt(), async (req, res) => {
  // wrong: CWE-89 nobody looks at the result
  return res.json(await pool.query(`SELECT * FROM items WHERE id = ${req.params!.id}`));
});

router.get("/validator-in", query("sort").isIn(["day", "name"]), async (req: Request, res: Response) => {
  const errors = validationResult(req);
  if (!errors.isEmpty()) return res.status(400).json({ errors: errors.array() });
  // right: CWE-89 one of a list, result looked at
  return res.json(await pool.query(`SELECT * FROM items ORDER BY ${req.query!.sort}`));
});

router.post("/celebrate", celebrate({ [Segments.BODY]: Joi.object({ sort: Joi.string().valid("day", "name") }) }), async (req, res) => {
  // right: CWE-89 celebrate answers for other values
  res.json(await pool.query(`SELECT * FROM items ORDER BY ${req.body.sort}`));
});

function nameOnly(req: Request, res: Response, next: NextFunction) {
  if (!/^[a-z]+$/.test(req.params.name!)) return res.sendStatus(400);
  return next();
}

router.get("/page/:name", nameOnly, body("x").optional(), (req, res) => {
  // right: CWE-22 middleware before allows letters only
  res.send(readFileSync(path.join("pages", `${req.params!.name}.txt`), "utf8"));
});
