import type { APIGatewayProxyHandlerV2, S3Event, SNSEvent, SQSHandler, ScheduledEvent } from "aws-lambda";
import { execFile, exec } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join, basename } from "node:path";
import { Pool } from "pg";
import { z } from "zod";
import { DynamoDBClient, ExecuteStatementCommand, ScanCommand } from "@aws-sdk/client-dynamodb";

const pool = new Pool();
const dynamo = new DynamoDBClient({});
const Order = z.object({ id: z.uuid(), note: z.string().max(200), column: z.enum(["day", "total"]) });

export const list: APIGatewayProxyHandlerV2 = async (event) => {
  const { sort = "day" } = event.queryStringParameters ?? {};
  // wrong: CWE-89 query string of the gateway
  const { rows } = await pool.query(`SELECT * FROM orders ORDER BY ${sort}`);
  return { statusCode: 200, body: JSON.stringify(rows) };
};

export const listParsed: APIGatewayProxyHandlerV2 = async (event) => {
  const { column } = Order.parse(JSON.parse(event.body ?? "{}"));
  // right: CWE-89 enum of a schema
  const { rows } = await pool.query(`SELECT * FROM orders ORDER BY ${column}`);
  return { statusCode: 200, body: JSON.stringify(rows) };
};

export const note: APIGatewayProxyHandlerV2 = async (event) => {
  const { note: text } = Order.parse(JSON.parse(event.body ?? "{}"));
  // wrong: CWE-89 the schema allows any string
  await pool.query("UPDATE orders SET note = '" + text + "'");
  return { statusCode: 204 };
};

export const file: APIGatewayProxyHandlerV2 = async (event) => {
  // wrong: CWE-22 path parameter of the gateway
  const text = await readFile("/opt/pages/" + event.pathParameters!.page, "utf8");
  return { statusCode: 200, body: text, headers: { "content-type": "text/plain" } };
};

export const fileOf: APIGatewayProxyHandlerV2 = async (event) => {
  // right: CWE-22 name of the platform
  const text = await readFile(join("/opt/pages", `${event.requestContext.stage}.txt`), "utf8");
  return { statusCode: 200, body: text, headers: { "content-type": "text/plain" } };
};

export const uploaded = async (event: S3Event) => {
  for (const { s3 } of event.Records) {
    // wrong: CWE-78 key of an object in a command
    exec(`pdftotext /tmp/${s3.object.key}`);
    // right: CWE-78 key of an object as one argument
    execFile("pdftotext", ["--", join("/tmp", basename(s3.object.key))]);
  }
};

export const published = async (event: SNSEvent) => {
  const message = JSON.parse(event.Records[0]!.Sns.Message);
  // wrong: CWE-918 address of a message
  await fetch(message.callbackUrl);
  // right: CWE-918 fixed address
  await fetch("https://hooks.example.com/published", { method: "POST", body: JSON.stringify({ id: message.id }) });
};

export const jobs: SQSHandler = async (event) => {
  for (const record of event.Records) {
    const job = JSON.parse(record.body);
    // wrong: CWE-22 name of a job
    await writeFile(`/mnt/out/${job.name}.json`, record.body);
    // right: CWE-22 id of the platform
    await writeFile(`/mnt/out/${record.messageId}.json`, record.body);
  }
};

export const statement: APIGatewayProxyHandlerV2 = async (event) => {
  // wrong: CWE-89 PartiQL with a query value
  await dynamo.send(new ExecuteStatementCommand({ Statement: `SELECT * FROM Users WHERE id = '${event.queryStringParameters?.id}'` }));
  // right: CWE-89 PartiQL with a parameter
  await dynamo.send(new ExecuteStatementCommand({ Statement: "SELECT * FROM Users WHERE id = ?", Parameters: [{ S: event.queryStringParameters?.id ?? "" }] }));
  // wrong: CWE-943 expression of the client
  await dynamo.send(new ScanCommand({ TableName: "Users", FilterExpression: event.queryStringParameters?.filter }));
  return { statusCode: 204 };
};

export const nightly = async (event: ScheduledEvent) => {
  // right: CWE-78 time of the platform, no shell
  execFile("logrotate", ["--state", `/tmp/${event.id}`]);
};
