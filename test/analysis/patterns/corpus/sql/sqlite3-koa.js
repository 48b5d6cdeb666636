const Koa = require("koa");
const Router = require("@koa/router");
const { koaBody } = require("koa-body");
const sqlite3 = require("sqlite3").verbose();

const app = new Koa();
const router = new Router();
const db = new sqlite3.Database("./shop.sqlite");

const all = (sql, params = []) =>
  new Promise((resolve, reject) => db.all(sql, params, (err, rows) => (err ? reject(err) : resolve(rows))));

router.get("/products", async (ctx) => {
  const { category } = ctx.query;
  // wrong: CWE-89 through a promise wrapper of the driver
  ctx.body = await all("SELECT * FROM products WHERE category = '" + category + "'");
});

router.get("/products/safe", async (ctx) => {
  // right: CWE-89 wrapper with parameters
  ctx.body = await all("SELECT * FROM products WHERE category = ?", [ctx.query.category]);
});

router.get("/products/:id", (ctx) => {
  return new Promise((resolve) => {
    // wrong: CWE-89 path parameter in a template
    db.get(`SELECT * FROM products WHERE id = ${ctx.params.id}`, (err, row) => {
      ctx.body = row;
      resolve();
    });
  });
});

router.post("/stock", async (ctx) => {
  const amount = parseFloat(ctx.request.body.amount);
  const id = +ctx.request.body.id;
  // right: CWE-89 both are numbers
  db.run(`UPDATE products SET stock = stock + ${amount} WHERE id = ${id}`);
  ctx.status = 204;
});

router.post("/rename", async (ctx) => {
  const { id, name } = ctx.request.body;
  // right: CWE-89 placeholders as separate arguments
  db.run("UPDATE products SET name = ? WHERE id = ?", name, id);
  ctx.status = 204;
});

router.post("/price", async (ctx) => {
  const body = ctx.request.body;
  let sql = "UPDATE products SET price = ";
  sql += body.price;
  sql += " WHERE id = " + Number(body.id);
  // wrong: CWE-89 grown with += from the body
  db.run(sql);
  ctx.status = 204;
});

app.use(koaBody()).use(router.routes());
module.exports = app;
