const https = require("https");
const net = require("net");
const dns = require("dns/promises");
const fetch = require("node-fetch");
const { S3Client, PutObjectCommand } = require("@aws-sdk/client-s3");

exports.preview = async (event) => {
  const { link } = JSON.parse(event.body);
  // wrong: CWE-918 link of the body
  const page = await fetch(link);
  return { statusCode: 200, body: (await page.text()).slice(0, 200) };
};

exports.header = async (event) => {
  // wrong: CWE-918 address made with the host header
  const answer = await fetch(`https://${event.headers.Host}/api/me`);
  return { statusCode: answer.status };
};

exports.fixed = async (event) => {
  // right: CWE-918 fixed address, foreign payload
  const answer = await fetch("https://hooks.example.com/in", { method: "POST", body: event.body });
  return { statusCode: answer.status };
};

exports.banner = (event, context, callback) => {
  const { host, port } = event.queryStringParameters;
  // wrong: CWE-918 raw socket to a foreign host
  const socket = net.connect(Number(port), host);
  socket.once("data", (data) => callback(null, { statusCode: 200, body: data.toString("latin1") }));
};

exports.local = (event, context, callback) => {
  // right: CWE-918 constant host and port
  const socket = net.connect(6379, "127.0.0.1");
  socket.end("PING\r\n");
  socket.once("data", (data) => callback(null, { statusCode: 200, body: data.toString("latin1") }));
};

exports.options = (event, context, callback) => {
  const url = new URL(event.queryStringParameters.url);
  // wrong: CWE-918 parsed and sent all the same
  const req = https.request({ host: url.host, path: url.pathname, method: "HEAD" }, (res) => callback(null, { statusCode: res.statusCode }));
  req.end();
};

exports.env = async () => {
  // right: CWE-918 address of the environment
  const answer = await fetch(process.env.HEALTH_URL);
  return { statusCode: answer.status };
};

exports.upload = async (event) => {
  // right: CWE-918 key of an object in a bucket of our own
  await new S3Client({}).send(new PutObjectCommand({ Bucket: "reports", Key: `in/${event.requestContext.requestId}`, Body: event.body }));
  return { statusCode: 201, body: (await dns.lookup("example.com")).address };
};
