import type { Request, Response } from "express";
import mysql, { type RowDataPacket } from "mysql2/promise";

const TABLE = "users";

export class UserController {
  private readonly pool: mysql.Pool;

  constructor(pool: mysql.Pool) {
    this.pool = pool;
  }

  async find(req: Request, res: Response) {
    const { email } = req.query as { email: string };
    // wrong: CWE-89 template with a query value
    const [rows] = await this.pool.query<RowDataPacket[]>(`SELECT id, name FROM users WHERE email = '${email}'`);
    res.json(rows);
  }

  async findSafely(req: Request, res: Response) {
    const { email } = req.query as { email: string };
    // right: CWE-89 prepared statement
    const [rows] = await this.pool.execute<RowDataPacket[]>("SELECT id, name FROM users WHERE email = ?", [email]);
    res.json(rows);
  }

  async count(_req: Request, res: Response) {
    // right: CWE-89 only a constant in the template
    const [rows] = await this.pool.query<RowDataPacket[]>(`SELECT COUNT(*) AS n FROM ${TABLE}`);
    res.json(rows[0]);
  }

  async login(req: Request, res: Response) {
    const name = req.body.name.trim().toLowerCase();
    const sql = ["SELECT * FROM users WHERE name = '", name, "' LIMIT 1"].join("");
    // wrong: CWE-89 joined array holds body text
    const [rows] = await this.pool.execute<RowDataPacket[]>(sql);
    res.json({ found: rows.length === 1 });
  }

  async many(req: Request, res: Response) {
    const ids: string[] = req.body.ids;
    const marks = ids.map(() => "?").join(", ");
    // right: CWE-89 only question marks are generated
    const [rows] = await this.pool.query(`SELECT * FROM users WHERE id IN (${marks})`, ids);
    res.json(rows);
  }

  async manyLoosely(req: Request, res: Response) {
    const ids: string[] = req.body.ids;
    // wrong: CWE-89 list of strings joined into the text
    const [rows] = await this.pool.query(`SELECT * FROM users WHERE id IN (${ids.join(",")})`);
    res.json(rows);
  }

  async table(req: Request, res: Response) {
    // right: CWE-89 identifier placeholder of the driver
    const [rows] = await this.pool.query("SELECT * FROM ?? LIMIT 10", [req.query.table]);
    res.json(rows);
  }

  async object(req: Request, res: Response) {
    // wrong: CWE-89 options object with a concatenated text
    const [rows] = await this.pool.query({ sql: "SELECT * FROM notes WHERE owner = " + req.headers["x-owner"], timeout: 4000 });
    res.json(rows);
  }
}
