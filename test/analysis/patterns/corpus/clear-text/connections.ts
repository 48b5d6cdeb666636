import http from "node:http";
import { WebSocket } from "ws";
import axios from "axios";
import mqtt from "mqtt";
import grpc from "@grpc/grpc-js";
import ftp from "basic-ftp";
import nodemailer from "nodemailer";
import ldap from "ldapjs";
import { Client as PgClient } from "pg";
import { connect } from "amqplib";
import { Telnet } from "telnet-client";
import { Service } from "./generated";

// wrong: CWE-319 login in clear text
await axios.post("http://accounts.example.com/login", { user: process.env.USER, password: process.env.PASSWORD });
// right: CWE-319 login by https
await axios.post("https://accounts.example.com/login", { user: process.env.USER, password: process.env.PASSWORD });
// right: CWE-319 this machine
await axios.get("http://localhost:3000/health");
// right: CWE-319 loopback address
await fetch("http://127.0.0.1:9200/_cluster/health");
// wrong: CWE-319 token in clear text
await fetch("http://api.example.com/v1/orders", { headers: { authorization: `Bearer ${process.env.API_TOKEN}` } });
// right: CWE-319 token by https
await fetch("https://api.example.com/v1/orders", { headers: { authorization: `Bearer ${process.env.API_TOKEN}` } });
// wrong: CWE-319 socket in clear text
export const feed = new WebSocket("ws://feed.example.com/prices");
// right: CWE-319 socket by TLS
export const feedSafe = new WebSocket("wss://feed.example.com/prices");
// wrong: CWE-319 request of node:http
http.get("http://updates.example.com/latest.json", (answer) => answer.resume());
// right: CWE-319 name of a namespace and no address to call
export const namespace = "http://www.w3.org/2000/svg";
// wrong: CWE-319 broker in clear text
export const broker = mqtt.connect("mqtt://broker.example.com", { username: "sensor", password: process.env.MQTT_PASSWORD! });
// right: CWE-319 broker by TLS
export const brokerSafe = mqtt.connect("mqtts://broker.example.com", { username: "sensor", password: process.env.MQTT_PASSWORD! });
// wrong: CWE-319 gRPC without TLS
export const client = new Service("grpc.example.com:50051", grpc.credentials.createInsecure());
// right: CWE-319 gRPC with TLS
export const clientSafe = new Service("grpc.example.com:50051", grpc.credentials.createSsl());
// wrong: CWE-319 gRPC server without TLS
new grpc.Server().bindAsync("0.0.0.0:50051", grpc.ServerCredentials.createInsecure(), () => {});
// right: CWE-319 gRPC server with TLS
new grpc.Server().bindAsync("0.0.0.0:50052", grpc.ServerCredentials.createSsl(null, [], true), () => {});
// wrong: CWE-319 files in clear text
await new ftp.Client().access({ host: "files.example.com", user: "up", password: process.env.FTP_PASSWORD!, secure: false });
// right: CWE-319 files by TLS
await new ftp.Client().access({ host: "files.example.com", user: "up", password: process.env.FTP_PASSWORD!, secure: true });
// wrong: CWE-319 TLS of mail is ignored
export const mail = nodemailer.createTransport({ host: "smtp.example.com", port: 25, secure: false, ignoreTLS: true });
// right: CWE-319 TLS of mail is required
export const mailSafe = nodemailer.createTransport({ host: "smtp.example.com", port: 587, secure: false, requireTLS: true });
// wrong: CWE-319 directory in clear text
export const directory = ldap.createClient({ url: "ldap://directory.example.com" });
// right: CWE-319 directory by TLS
export const directorySafe = ldap.createClient({ url: "ldaps://directory.example.com" });
// wrong: CWE-319 database without TLS on another host
export const db = new PgClient({ host: "db.example.com", password: process.env.PGPASSWORD, ssl: false });
// right: CWE-319 database with TLS
export const dbSafe = new PgClient({ host: "db.example.com", password: process.env.PGPASSWORD, ssl: true });
// wrong: CWE-319 queue in clear text
await connect({ protocol: "amqp", hostname: "queue.example.com", username: "w", password: process.env.AMQP_PASSWORD! });
// right: CWE-319 queue by TLS
await connect({ protocol: "amqps", hostname: "queue.example.com", username: "w", password: process.env.AMQP_PASSWORD! });
// wrong: CWE-319 telnet
await new Telnet().connect({ host: "switch.example.com", port: 23, username: "ops", password: process.env.SWITCH_PASSWORD! });
