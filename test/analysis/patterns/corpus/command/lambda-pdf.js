"use strict";
const childProcess = require("child_process");
const path = require("path");
const wkhtmltopdf = require("wkhtmltopdf");

exports.handler = async (event) => {
  const { url, size } = JSON.parse(event.body);
  // wrong: CWE-78 event body in a shell line
  childProcess.execSync("wkhtmltopdf --page-size " + size + " '" + url + "' /tmp/out.pdf");
  return { statusCode: 200 };
};

exports.resize = (event, context, callback) => {
  const key = decodeURIComponent(event.Records[0].s3.object.key);
  // wrong: CWE-78 key of an uploaded object
  childProcess.exec(`convert /tmp/${key} -resize 200x200 /tmp/small.png`, callback);
};

exports.resizeFixed = (event, context, callback) => {
  // right: CWE-78 fixed names and a number
  childProcess.exec(`convert /tmp/in.png -resize ${Number(event.width) | 0} /tmp/small.png`, callback);
};

exports.build = async () => {
  const target = path.join(__dirname, "template");
  // right: CWE-78 folder of the program itself
  childProcess.execFileSync("make", ["-C", target]);
};

exports.env = async () => {
  // right: CWE-78 input only in the environment of a fixed script
  childProcess.execFileSync("./report.sh", [], { env: { ...process.env, TITLE: "monthly" } });
};

exports.azure = async function (context, req) {
  const dir = req.query.dir || ".";
  // wrong: CWE-78 Azure function with a shell
  const child = childProcess.spawn(`du -sh ${dir}`, { shell: true });
  context.res = { body: await read(child.stdout) };
};

exports.azureSafe = async function (context, req) {
  const child = childProcess.spawn("date", ["+%F"]);
  context.res = { body: await read(child.stdout), headers: { "x-name": encodeURIComponent(req.query.name ?? "") } };
};

async function read(stream) {
  let text = "";
  for await (const chunk of stream) text += chunk;
  return text;
}

module.exports.wkhtmltopdf = wkhtmltopdf;
