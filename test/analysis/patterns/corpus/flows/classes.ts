import type { Request, Response } from "express";
import { execFileSync, execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Connection } from "mysql2/promise";

class Repository {
  constructor(private readonly connection: Connection) {}

  byName(name: string) {
    // wrong: CWE-89 method called by the controller below
    return this.connection.query(`SELECT * FROM people WHERE name = "${name}"`);
  }

  byId(id: number) {
    // right: CWE-89 called with a number
    return this.connection.query(`SELECT * FROM people WHERE id = ${id}`);
  }

  bound(name: string) {
    // right: CWE-89 placeholder in a method
    return this.connection.execute("SELECT * FROM people WHERE name = ?", [name]);
  }
}

class Job {
  private readonly folder: string;
  private target = "";

  constructor(folder: string) {
    this.folder = folder;
  }

  set to(value: string) {
    this.target = value;
  }

  pack() {
    // wrong: CWE-78 field that a request filled
    return execSync(`tar czf ${this.target}.tgz ${this.folder}`);
  }

  list() {
    // right: CWE-78 constant of the constructor, no shell
    return execFileSync("ls", ["-l", this.folder]);
  }
}

export class PeopleController {
  private readonly repository: Repository;

  constructor(connection: Connection) {
    this.repository = new Repository(connection);
    this.page = this.page.bind(this);
  }

  find = async (req: Request, res: Response) => {
    res.json(await this.repository.byName(req.query.name as string));
  };

  findId = async (req: Request, res: Response) => {
    res.json(await this.repository.byId(Number(req.params.id)));
  };

  findBound = async (req: Request, res: Response) => {
    res.json(await this.repository.bound(req.query.name as string));
  };

  pack(req: Request, res: Response) {
    const job = new Job("/srv/exports");
    job.to = req.body.target;
    job.pack();
    res.sendStatus(204);
  }

  page(req: Request, res: Response) {
    // wrong: CWE-22 method bound in the constructor
    res.send(readFileSync(resolve("pages", req.params.page!), "utf8"));
  }

  static hello(req: Request, res: Response) {
    // wrong: CWE-79 static handler
    res.send(`<i>${req.query.who}</i>`);
  }

  static health(_req: Request, res: Response) {
    // right: CWE-79 constant of a static handler
    res.send("<i>fine</i>");
  }
}
