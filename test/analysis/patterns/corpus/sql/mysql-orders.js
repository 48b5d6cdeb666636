const express = require("express");
const mysql = require("mysql");

const router = express.Router();
const pool = mysql.createPool({ host: process.env.DB_HOST, user: process.env.DB_USER, password: process.env.DB_PASSWORD });

router.get("/orders", (req, res, next) => {
  // wrong: CWE-89 query value is concatenated
  pool.query("SELECT * FROM orders WHERE customer = '" + req.query.customer + "'", (err, rows) => {
    if (err) return next(err);
    res.json(rows);
  });
});

router.get("/orders/:id", (req, res, next) => {
  // right: CWE-89 placeholder
  pool.query("SELECT * FROM orders WHERE id = ?", [req.params.id], (err, rows) => {
    if (err) return next(err);
    res.json(rows[0]);
  });
});

router.get("/orders/by/:column", (req, res, next) => {
  const sql = `SELECT * FROM orders ORDER BY ${req.params.column} DESC`;
  // wrong: CWE-89 column name from the path
  pool.query(sql, (err, rows) => (err ? next(err) : res.json(rows)));
});

router.get("/orders/sorted/:column", (req, res, next) => {
  const columns = ["created_at", "total", "customer"];
  if (!columns.includes(req.params.column)) {
    return res.status(400).json({ error: "unknown column" });
  }
  const sql = `SELECT * FROM orders ORDER BY ${req.params.column} DESC`;
  // right: CWE-89 column is one of a list
  pool.query(sql, (err, rows) => (err ? next(err) : res.json(rows)));
});

router.get("/orders/loose/:column", (req, res, next) => {
  const columns = ["created_at", "total", "customer"];
  if (!columns.includes(req.params.column)) {
    console.warn("unexpected column");
  }
  // wrong: CWE-89 checked but never returned
  pool.query(`SELECT * FROM orders ORDER BY ${req.params.column}`, (err, rows) => (err ? next(err) : res.json(rows)));
});

router.delete("/orders/:id", (req, res, next) => {
  const id = Number.parseInt(req.params.id, 10);
  // right: CWE-89 an integer cannot carry SQL
  pool.query("DELETE FROM orders WHERE id = " + id, (err) => (err ? next(err) : res.sendStatus(204)));
});

router.get("/search", (req, res, next) => {
  // right: CWE-89 escaped by the driver
  pool.query("SELECT * FROM orders WHERE note LIKE " + mysql.escape("%" + req.query.q + "%"), (err, rows) => {
    if (err) return next(err);
    res.json(rows);
  });
});

module.exports = router;
