import knexFactory from "knex";
import { Router } from "express";

const knex = knexFactory({ client: "pg", connection: process.env.DATABASE_URL });
export const catalogue = Router();

catalogue.get("/books", async (req, res) => {
  // wrong: CWE-89 raw with a template
  const books = await knex.raw(`select * from books where author = '${req.query.author}'`);
  res.json(books.rows);
});

catalogue.get("/books/bound", async (req, res) => {
  // right: CWE-89 raw with bindings
  const books = await knex.raw("select * from books where author = ?", [String(req.query.author)]);
  res.json(books.rows);
});

catalogue.get("/books/named", async (req, res) => {
  // right: CWE-89 named binding and identifier binding
  const books = await knex.raw("select * from :table: where author = :author", { table: "books", author: req.query.author as string });
  res.json(books.rows);
});

catalogue.get("/books/where", async (req, res) => {
  // wrong: CWE-89 whereRaw takes SQL text
  const books = await knex("books").whereRaw("price < " + req.query.max);
  res.json(books);
});

catalogue.get("/books/where-safe", async (req, res) => {
  // right: CWE-89 builder method binds its value
  const books = await knex("books").where("price", "<", req.query.max as string);
  res.json(books);
});

catalogue.get("/books/order", async (req, res) => {
  // wrong: CWE-89 orderByRaw with a query value
  const books = await knex.select("*").from("books").orderByRaw(`${req.query.sort} desc nulls last`);
  res.json(books);
});

const SORTS: Record<string, string> = { title: "title asc", newest: "published desc" };

catalogue.get("/books/order-safe", async (req, res) => {
  const sort = SORTS[String(req.query.sort)] ?? "title asc";
  // right: CWE-89 looked up in a table of constants
  const books = await knex.select("*").from("books").orderByRaw(sort);
  res.json(books);
});

catalogue.get("/books/having", async (req, res) => {
  const { min } = req.query;
  // wrong: CWE-89 raw inside of having
  const rows = await knex("sales").groupBy("book").having(knex.raw(`sum(amount) > ${min}`));
  res.json(rows);
});

catalogue.get("/books/increment/:id", async (req, res) => {
  // right: CWE-89 raw expression is constant
  await knex("books").where({ id: req.params.id }).update({ views: knex.raw("views + 1") });
  res.sendStatus(204);
});
