import { EventEmitter } from "node:events";
import { exec } from "node:child_process";
import { readFileSync, watch } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { Kafka } from "kafkajs";
import mqtt from "mqtt";
import { createClient } from "redis";
import { parse } from "csv-parse/sync";
import { Pool } from "pg";

const pool = new Pool();
const bus = new EventEmitter();
const kafka = new Kafka({ brokers: ["kafka.internal:9093"], ssl: true });

export function onRequest(req: { body: { text: string } }): void {
  bus.emit("request", req.body.text);
}

bus.on("tick", (count: number) => {
  // right: CWE-78 constant command
  exec("sync");
  console.debug(count);
});

const consumer = kafka.consumer({ groupId: "shop" });
await consumer.run({
  eachMessage: async ({ message }) => {
    const order = JSON.parse(message.value!.toString());
    // wrong: CWE-89 message of Kafka
    await pool.query(`INSERT INTO orders (note) VALUES ('${order.note}')`);
    // right: CWE-89 message of Kafka as parameter
    await pool.query("INSERT INTO orders (note) VALUES ($1)", [order.note]);
  },
});

const broker = mqtt.connect("mqtts://broker.internal");
broker.on("message", (_topic, payload) => {
  // wrong: CWE-78 message of MQTT
  exec("./switch " + payload.toString());
});
broker.on("message", (_topic, payload) => {
  // right: CWE-78 one of two constants
  exec(payload.toString() === "on" ? "./switch on" : "./switch off");
});

const subscriber = createClient({ url: process.env.REDIS_URL });
await subscriber.subscribe("pages", (name) => {
  // wrong: CWE-22 message of Redis
  console.info(readFileSync("pages/" + name, "utf8").length);
});

createServer((socket) => {
  createInterface({ input: socket }).on("line", (line) => {
    // wrong: CWE-94 line of a socket as code
    socket.write(String(new Function(`return ${line}`)()));
    // right: CWE-94 line of a socket as a number
    socket.write(String(Number(line) * 2));
  });
}).listen(7000, "127.0.0.1");

export async function importFile(upload: { buffer: Buffer }): Promise<void> {
  for (const row of parse(upload.buffer, { columns: true }) as Record<string, string>[]) {
    // wrong: CWE-89 row of an uploaded table
    await pool.query("INSERT INTO people (name) VALUES ('" + row.name + "')");
    // right: CWE-89 row of an uploaded table as parameter
    await pool.query("INSERT INTO people (name) VALUES ($1)", [row.name]);
  }
}

watch("inbox", (_event, name) => {
  // wrong: CWE-78 name of a file in a shell line
  exec(`mv inbox/${name} done/`);
});

export async function stored(id: number): Promise<void> {
  const { rows } = await pool.query("SELECT name FROM people WHERE id = $1", [id]);
  // wrong: CWE-89 stored name, second order
  await pool.query(`DELETE FROM logins WHERE name = '${rows[0].name}'`);
  // right: CWE-89 stored name as parameter
  await pool.query("DELETE FROM logins WHERE name = $1", [rows[0].name]);
}

export async function answered(): Promise<void> {
  const answer = await fetch("https://partner.example.org/next");
  const { command } = (await answer.json()) as { command: string };
  // wrong: CWE-78 answer of another server as a command
  exec(command);
}
