import fastify from "fastify";
import fastifyMongo from "@fastify/mongodb";

const app = fastify();
await app.register(fastifyMongo, { url: process.env.MONGO_URL });

const devices = () => app.mongo.db!.collection("devices");

app.post<{ Body: { serial: string } }>("/devices/lookup", async (request) => {
  // wrong: CWE-943 the type of Body is checked by nobody
  return devices().findOne({ serial: request.body.serial });
});

app.post<{ Body: { serial: string } }>(
  "/devices/lookup-schema",
  { schema: { body: { type: "object", required: ["serial"], properties: { serial: { type: "string" } } } } },
  async (request) => {
    // right: CWE-943 route schema demands a string
    return devices().findOne({ serial: request.body.serial });
  },
);

app.get<{ Querystring: { script: string } }>("/devices/group", async (request) => {
  return devices()
    .aggregate([
      // wrong: CWE-943 $function body from the client
      { $addFields: { value: { $function: { body: request.query.script, args: ["$state"], lang: "js" } } } },
    ])
    .toArray();
});

app.post("/devices/reduce", async (request) => {
  const { field } = request.body as { field: string };
  // wrong: CWE-943 mapReduce with built code
  return app.mongo.db!.command({ mapReduce: "devices", map: `function () { emit(this.${field}, 1); }`, reduce: "function (k, v) { return v.length; }", out: { inline: 1 } });
});

app.post("/devices/filter", async (request) => {
  const filter = JSON.parse((request.body as { filter: string }).filter);
  // wrong: CWE-943 parsed JSON as filter
  return devices().find(filter).toArray();
});

app.get("/devices/online", async () => {
  // right: CWE-943 constant filter
  return devices().find({ online: true, seen: { $gt: new Date(Date.now() - 60_000) } }).toArray();
});
