import { createServer as createHttpsServer, request as httpsRequest } from "node:https";
import tls, { createSecureContext } from "node:tls";
import http2 from "node:http2";
import { constants } from "node:crypto";
import { readFileSync } from "node:fs";
import WebSocket from "ws";
import mqtt from "mqtt";
import { Kafka } from "kafkajs";
import { createClient } from "redis";

const files = { key: readFileSync("server.key"), cert: readFileSync("server.crt") };

// wrong: CWE-327 old version allowed
export const old = createHttpsServer({ ...files, minVersion: "TLSv1" });
// right: CWE-327 at least 1.2
export const modern = createHttpsServer({ ...files, minVersion: "TLSv1.2" });
// wrong: CWE-327 method of a broken protocol
export const context = createSecureContext({ ...files, secureProtocol: "SSLv3_method" });
// right: CWE-327 method of a modern version
export const contextNew = createSecureContext({ ...files, secureProtocol: "TLSv1_2_method" });
// wrong: CWE-327 maximum is an old version
export const capped = tls.createServer({ ...files, maxVersion: "TLSv1.1" });
// wrong: CWE-327 default of the process lowered
tls.DEFAULT_MIN_VERSION = "TLSv1";
// right: CWE-327 default of the process raised
tls.DEFAULT_MIN_VERSION = "TLSv1.3";
// wrong: CWE-327 ciphers without encryption
export const weak = createHttpsServer({ ...files, ciphers: "NULL:RC4:DES-CBC3-SHA" });
// right: CWE-327 strong ciphers
export const strong = createHttpsServer({ ...files, ciphers: "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-RSA-AES128-GCM-SHA256" });
// right: CWE-327 old protocols excluded by options
export const excluded = http2.createSecureServer({ ...files, secureOptions: constants.SSL_OP_NO_TLSv1 | constants.SSL_OP_NO_TLSv1_1 });

// wrong: CWE-295 client certificates asked for and not verified
export const mutual = createHttpsServer({ ...files, requestCert: true, rejectUnauthorized: false });
// right: CWE-295 client certificates verified
export const mutualStrict = createHttpsServer({ ...files, requestCert: true, rejectUnauthorized: true, ca: readFileSync("clients.pem") });

const verify = false;
// wrong: CWE-295 constant given by name
httpsRequest({ host: "api.example.com", rejectUnauthorized: verify }).end();
// right: CWE-295 the strict value
httpsRequest({ host: "api.example.com", rejectUnauthorized: true }).end();

// wrong: CWE-295 socket without a check
export const socket = new WebSocket("wss://feed.example.com", { rejectUnauthorized: false });
// right: CWE-295 socket with defaults
export const socketStrict = new WebSocket("wss://feed.example.com", { handshakeTimeout: 5000 });
// wrong: CWE-295 broker without a check
export const broker = mqtt.connect("mqtts://broker.example.com", { rejectUnauthorized: false });
// right: CWE-295 broker with a root
export const brokerStrict = mqtt.connect("mqtts://broker.example.com", { ca: readFileSync("ca.pem") });
// wrong: CWE-295 Kafka without a check
export const kafka = new Kafka({ brokers: ["k.example.com:9093"], ssl: { rejectUnauthorized: false } });
// right: CWE-295 Kafka with a check
export const kafkaStrict = new Kafka({ brokers: ["k.example.com:9093"], ssl: true });
// wrong: CWE-295 Redis without a check
export const redis = createClient({ url: process.env.REDIS_URL, socket: { tls: true, rejectUnauthorized: false } });
// right: CWE-295 Redis with a check
export const redisStrict = createClient({ url: process.env.REDIS_URL, socket: { tls: true } });
