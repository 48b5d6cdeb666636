import asyncHandler from "express-async-handler";
import express, { type RequestHandler } from "express";
import { Op, literal, type Model, type ModelStatic } from "sequelize";
import { exec, spawn } from "child_process";
import { createReadStream, statSync } from "fs";
import { resolve } from "path";
import axios, { type AxiosInstance } from "axios";
import { JSDOM } from "jsdom";

const api: AxiosInstance = axios.create({ baseURL: "https://api.example.com", timeout: 4000 });
const dynamic = (host: string) => axios.create({ baseURL: `https://${host}/v1` });

export function routes(Item: ModelStatic<Model>): express.Router {
  const router = express.Router();

  router.get(
    "/items",
    asyncHandler(async (req, res) => {
      // wrong: CWE-89 literal inside of attributes, in a wrapped handler
      const items = await Item.findAll({ attributes: ["id", [literal(`CASE WHEN ${req.query.flag} THEN 1 END`), "flag"]] });
      res.json(items);
    }),
  );

  router.get(
    "/items/search",
    asyncHandler(async (req, res) => {
      // right: CWE-89 operators of Sequelize with strings
      const items = await Item.findAll({ where: { [Op.or]: [{ name: String(req.query.q) }, { code: { [Op.startsWith]: String(req.query.q) } }] } });
      res.json(items);
    }),
  );

  const proxy: RequestHandler = async (req, res, next) => {
    try {
      // right: CWE-918 path behind the address of an instance
      const { data } = await api.get(`/items/${encodeURIComponent(req.params.id!)}`);
      res.json(data);
    } catch (error) {
      next(error);
    }
  };
  router.get("/proxy/:id", proxy);

  router.get("/region/:host", async (req, res) => {
    const client = dynamic(req.params.host);
    // wrong: CWE-918 instance made for a foreign host
    const { data } = await client.get("/items");
    res.json(data);
  });

  router.get("/title", async (req, res) => {
    // wrong: CWE-918 jsdom fetches a foreign address
    const dom = await JSDOM.fromURL(String(req.query.url));
    res.json({ title: dom.window.document.title });
  });

  router.get("/video/:name", (req, res) => {
    const file = resolve("videos", req.params.name + ".mp4");
    // wrong: CWE-22 size of a foreign path, encoded slashes are decoded
    const { size } = statSync(file);
    res.writeHead(206, { "Content-Length": size, "Content-Type": "video/mp4" });
    // wrong: CWE-22 stream of a foreign path
    createReadStream(file).pipe(res);
  });

  router.get("/video-known/:number(\\d+)", (req, res) => {
    const file = resolve("videos", `${Number(req.params.number)}.mp4`);
    // right: CWE-22 number in a name
    createReadStream(file).pipe(res);
  });

  router.post("/encode", (req, res) => {
    const { preset = "fast", width } = req.body as { preset?: string; width?: number };
    // wrong: CWE-78 types of a body are a wish
    exec(`ffmpeg -i in.mp4 -vf scale=${width}:-1 out.mp4`);
    // right: CWE-78 argument of a program without a shell, behind its option
    spawn("ffmpeg", ["-i", "in.mp4", "-preset", preset, "out.mp4"]);
    // right: CWE-78 a number by Number
    exec(`ffmpeg -i in.mp4 -vf scale=${Number(width)}:-1 out.mp4`);
    res.sendStatus(202);
  });

  router.use((req, _res, next) => {
    // right: CWE-117 method is a word of the protocol, path is encoded by the client library
    console.debug("%s %s", req.method, encodeURI(req.path));
    next();
  });

  return router;
}
