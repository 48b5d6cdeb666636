import mongoose, { Schema, model } from "mongoose";
import { Router } from "express";
import { z } from "zod";

const Post = model("Post", new Schema({ title: String, slug: String, author: String, hidden: Boolean }));
export const posts = Router();
const filterShape = z.object({ author: z.string(), slug: z.string().optional() });

posts.post("/find", async (req, res) => {
  // wrong: CWE-943 filter is the query object itself
  res.json(await Post.find(req.query));
});

posts.post("/find-parsed", async (req, res) => {
  const filter = filterShape.parse(req.body);
  // right: CWE-943 schema allows strings only
  res.json(await Post.find(filter));
});

posts.get("/one", async (req, res) => {
  const { slug } = req.query;
  // wrong: CWE-943 slug[$ne]= makes an object
  const post = await Post.findOne({ slug }).exec();
  res.json(post);
});

posts.get("/one/:slug", async (req, res) => {
  // right: CWE-943 path parameters are strings
  const post = await Post.findOne({ slug: req.params.slug }).exec();
  res.json(post);
});

posts.get("/by-id", async (req, res) => {
  if (!mongoose.isValidObjectId(req.query.id)) return res.sendStatus(404);
  // right: CWE-943 findById casts to an id
  return res.json(await Post.findById(String(req.query.id)));
});

posts.get("/where", async (req, res) => {
  // wrong: CWE-943 $where through the query builder
  res.json(await Post.find().$where(`this.author === '${req.query.author}'`));
});

posts.post("/sanitised", async (req, res) => {
  const filter = mongoose.sanitizeFilter({ author: req.body.author });
  // right: CWE-943 sanitizeFilter wraps operators
  res.json(await Post.find(filter));
});

posts.patch("/update", async (req, res) => {
  // wrong: CWE-943 condition of an update
  await Post.updateOne({ slug: req.body.slug }, { $set: { hidden: true } });
  res.sendStatus(204);
});

posts.post("/aggregate", async (req, res) => {
  // wrong: CWE-943 pipeline of the client
  res.json(await Post.aggregate(req.body.pipeline));
});

posts.post("/aggregate-safe", async (req, res) => {
  // right: CWE-943 only a string stands in the pipeline
  res.json(await Post.aggregate([{ $match: { author: `${req.body.author}` } }, { $count: "n" }]));
});
