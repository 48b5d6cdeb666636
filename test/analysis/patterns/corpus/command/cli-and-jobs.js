#!/usr/bin/env node
const cp = require("node:child_process");
const { Worker } = require("bullmq");
const amqp = require("amqplib");

function quote(text) {
  return "'" + String(text).replace(/'/g, "'\\''") + "'";
}

new Worker("thumbnails", async (job) => {
  // wrong: CWE-78 data of a job in a shell line
  cp.execSync(`ffmpeg -i ${job.data.file} -frames:v 1 thumb.png`);
});

new Worker("thumbnails-quoted", async (job) => {
  // right: CWE-78 quoted for a POSIX shell
  cp.execSync(`ffmpeg -i ${quote(job.data.file)} -frames:v 1 thumb.png`);
});

new Worker("thumbnails-list", async (job) => {
  // right: CWE-78 argument list
  cp.spawnSync("ffmpeg", ["-i", `file:${job.data.file}`, "-frames:v", "1", "thumb.png"], { stdio: "inherit" });
});

async function consume() {
  const connection = await amqp.connect(process.env.AMQP_URL);
  const channel = await connection.createChannel();
  await channel.consume("deploys", (message) => {
    const { service } = JSON.parse(message.content.toString());
    // wrong: CWE-78 message of a queue
    cp.exec("systemctl restart " + service, (err) => (err ? channel.nack(message) : channel.ack(message)));
  });
}

const SERVICES = new Set(["web", "worker", "mailer"]);

async function consumeKnown() {
  const connection = await amqp.connect(process.env.AMQP_URL);
  const channel = await connection.createChannel();
  await channel.consume("deploys-known", (message) => {
    const { service } = JSON.parse(message.content.toString());
    if (!SERVICES.has(service)) return channel.nack(message, false, false);
    // right: CWE-78 one of a set
    cp.exec("systemctl restart " + service, (err) => (err ? channel.nack(message) : channel.ack(message)));
  });
}

const pattern = /(\d+)/g;
let match;
while ((match = pattern.exec(process.argv[2] ?? ""))) {
  // right: CWE-78 exec of a regular expression
  console.log(pattern.exec(match[1]));
}

// right: CWE-78 fork of a file of our own with arguments
cp.fork("./worker.js", process.argv.slice(2));

consume();
consumeKnown();
