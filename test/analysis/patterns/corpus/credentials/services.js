const AWS = require("aws-sdk");
const { S3Client } = require("@aws-sdk/client-s3");
const nodemailer = require("nodemailer");
const axios = require("axios");
const twilio = require("twilio");
const basicAuth = require("express-basic-auth");
const { Octokit } = require("@octokit/rest");
const OpenAI = require("openai");
const amqp = require("amqplib");
const ftp = require("basic-ftp");
const { Client: SshClient } = require("ssh2");
const request = require("request");
const fs = require("fs");

// wrong: CWE-798 keys of the old kit
AWS.config.update({ accessKeyId: process.env.AWS_ID, secretAccessKey: "invented/secret/access/key/value" });
// right: CWE-798 region only
AWS.config.update({ region: "eu-central-1" });
// wrong: CWE-798 credentials of a client
const s3 = new S3Client({ credentials: { accessKeyId: "invented-id", secretAccessKey: "invented-secret-of-bucket" } });
// right: CWE-798 default chain of credentials
const s3Default = new S3Client({ region: "eu-central-1" });
// wrong: CWE-798 password of a mail box
const mail = nodemailer.createTransport({ host: "smtp.internal", port: 465, secure: true, auth: { user: "bot", pass: "Mail.harbour41" } });
// right: CWE-798 password of the environment
const mailEnv = nodemailer.createTransport({ host: "smtp.internal", port: 465, secure: true, auth: { user: "bot", pass: process.env.MAIL_PASS } });
// wrong: CWE-798 basic auth of axios
axios.get("https://api.example.com", { auth: { username: "bot", password: "Axios.harbour41" } });
// right: CWE-798 basic auth of the environment
axios.get("https://api.example.com", { auth: { username: "bot", password: process.env.API_PASSWORD } });
// wrong: CWE-798 header with a name and a password
fetch("https://api.example.com", { headers: { Authorization: "Basic " + Buffer.from("bot:Fetch.harbour41").toString("base64") } });
// right: CWE-798 header of the environment
fetch("https://api.example.com", { headers: { Authorization: `Bearer ${process.env.API_TOKEN}` } });
// wrong: CWE-798 password in an address of http
fetch("https://bot:Url.harbour41@api.example.com/v1/items");
// right: CWE-798 an address with a port only
fetch("https://api.example.com:8443/v1/items");
// wrong: CWE-798 second argument of twilio
const sms = twilio(process.env.TWILIO_SID, "invented-auth-token-text");
// right: CWE-798 second argument of the environment
const smsEnv = twilio(process.env.TWILIO_SID, process.env.TWILIO_TOKEN);
// wrong: CWE-798 users of a basic guard
const guard = basicAuth({ users: { admin: "Guard.harbour41" }, challenge: true });
// right: CWE-798 users of the environment
const guardEnv = basicAuth({ users: { admin: process.env.ADMIN_PASSWORD }, challenge: true });
// wrong: CWE-798 token of a client
const octokit = new Octokit({ auth: "an-invented-token-for-octokit" });
// right: CWE-798 client without a token
const octokitOpen = new Octokit({ userAgent: "shop 1.0" });
// wrong: CWE-798 key of a model service
const ai = new OpenAI({ apiKey: "an-invented-key-for-models" });
// right: CWE-798 key is read from the environment by default
const aiEnv = new OpenAI();
// wrong: CWE-798 password of a broker
amqp.connect("amqp://worker:Broker.harbour41@queue.internal");
// right: CWE-798 broker of the environment
amqp.connect(process.env.AMQP_URL);

async function upload() {
  const client = new ftp.Client();
  // wrong: CWE-798 password of a file server
  await client.access({ host: "files.internal", user: "up", password: "Ftp.harbour41", secure: true });
  // right: CWE-798 password of a file server from the environment
  await client.access({ host: "files.internal", user: "up", password: process.env.FTP_PASSWORD, secure: true });
}

// wrong: CWE-798 password for ssh
new SshClient().connect({ host: "box.internal", username: "deploy", password: "Ssh.harbour41" });
// right: CWE-798 key file for ssh
new SshClient().connect({ host: "box.internal", username: "deploy", privateKey: fs.readFileSync("/run/secrets/id") });

// wrong: CWE-798 auth of request
request.get("https://api.example.com").auth("bot", "Request.harbour41");
// right: CWE-798 a label that only says password
const labels = { password: "Your password", token: "Token" };

module.exports = { s3, s3Default, mail, mailEnv, sms, smsEnv, guard, guardEnv, octokit, octokitOpen, ai, aiEnv, upload, labels };
