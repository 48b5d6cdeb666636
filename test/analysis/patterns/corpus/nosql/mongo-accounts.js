const { MongoClient, ObjectId } = require("mongodb");
const express = require("express");

const client = new MongoClient(process.env.MONGO_URL);
const accounts = client.db("bank").collection("accounts");
const router = express.Router();

router.post("/login", async (req, res) => {
  // wrong: CWE-943 body values may be operator objects
  const user = await accounts.findOne({ name: req.body.name, pin: req.body.pin });
  res.json({ ok: Boolean(user) });
});

router.post("/login-strings", async (req, res) => {
  // right: CWE-943 both are made strings
  const user = await accounts.findOne({ name: String(req.body.name), pin: String(req.body.pin) });
  res.json({ ok: Boolean(user) });
});

router.post("/login-checked", async (req, res) => {
  const { name, pin } = req.body;
  if (typeof name !== "string" || typeof pin !== "string") return res.sendStatus(400);
  // right: CWE-943 types are checked before
  const user = await accounts.findOne({ name, pin });
  res.json({ ok: Boolean(user) });
});

router.post("/login-half", async (req, res) => {
  const { name, pin } = req.body;
  if (typeof name !== "string") return res.sendStatus(400);
  // wrong: CWE-943 only the name is checked
  const user = await accounts.findOne({ name, pin });
  res.json({ ok: Boolean(user) });
});

router.get("/accounts/:id", async (req, res) => {
  // right: CWE-943 ObjectId takes a string of the path
  res.json(await accounts.findOne({ _id: new ObjectId(req.params.id) }));
});

router.post("/search", async (req, res) => {
  // wrong: CWE-943 the whole filter comes from the client
  res.json(await accounts.find(req.body).toArray());
});

router.get("/rich", async (req, res) => {
  // wrong: CWE-943 $where is JavaScript
  const rows = await accounts.find({ $where: "this.balance > " + req.query.min }).toArray();
  res.json(rows);
});

router.get("/rich-safe", async (req, res) => {
  // right: CWE-943 operator with a number
  const rows = await accounts.find({ balance: { $gt: Number(req.query.min) } }).toArray();
  res.json(rows);
});

router.post("/equal", async (req, res) => {
  // right: CWE-943 $eq takes the value as it is
  res.json(await accounts.findOne({ token: { $eq: req.body.token } }));
});

router.delete("/sessions", async (req, res) => {
  // wrong: CWE-943 deleteMany with an object of the body
  await accounts.deleteMany({ session: req.body.session });
  res.sendStatus(204);
});

module.exports = router;
