import { unserialize } from "node-serialize";
import serialize from "serialize-javascript";
import yaml from "js-yaml";
import { createClient } from "redis";
import { readFileSync } from "node:fs";
import { runInThisContext } from "node:vm";
import type { SQSEvent } from "aws-lambda";
import superjson from "superjson";

const redis = createClient({ url: process.env.REDIS_URL });

export async function restore(id: string) {
  const text = await redis.get(`session:${id}`);
  // wrong: CWE-502 named import of node-serialize
  return unserialize(text!);
}

export async function restoreFunction(id: string) {
  const text = await redis.get(`job:${id}`);
  // wrong: CWE-94 what serialize-javascript wrote is evaluated
  return eval("(" + text + ")");
}

export async function restorePlain(id: string) {
  const text = await redis.get(`job:${id}`);
  // right: CWE-502 superjson restores dates and maps, no code
  return superjson.parse(text!);
}

export function store(value: object): string {
  // right: CWE-502 isJSON leaves functions out
  return serialize(value, { isJSON: true });
}

export async function onMessages(event: SQSEvent) {
  for (const record of event.Records) {
    // wrong: CWE-502 body of a queue
    const job = unserialize(record.body);
    await handle(job);
  }
}

export async function onMessagesJson(event: SQSEvent) {
  for (const record of event.Records) {
    // right: CWE-502 JSON of a queue
    const job = JSON.parse(record.body);
    await handle(job);
  }
}

export function settings(): unknown {
  // right: CWE-502 load of js-yaml 4 is safe
  return yaml.load(readFileSync("settings.yml", "utf8"));
}

export async function remote(url: string) {
  const answer = await fetch(url);
  // wrong: CWE-94 downloaded text is run
  return runInThisContext(await answer.text());
}

export async function remoteJson() {
  const answer = await fetch("https://config.example.com/rules.json");
  // right: CWE-502 JSON of an answer
  return (await answer.json()) as unknown;
}

async function handle(job: unknown): Promise<void> {
  console.info(typeof job);
}
