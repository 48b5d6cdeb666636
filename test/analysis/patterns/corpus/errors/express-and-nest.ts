import express, { type NextFunction, type Request, type Response } from "express";
import errorHandler from "errorhandler";
import { ArgumentsHost, Catch, ExceptionFilter, HttpException, InternalServerErrorException } from "@nestjs/common";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import createError from "http-errors";

const app = express();

app.get("/a", async (_req, res) => {
  try {
    res.json(await app.locals.work());
  } catch (error) {
    // wrong: CWE-209 stack for the client
    res.status(500).send((error as Error).stack);
  }
});

app.get("/b", async (_req, res) => {
  try {
    res.json(await app.locals.work());
  } catch (error) {
    console.error(error);
    // right: CWE-209 constant answer
    res.status(500).json({ error: "something went wrong" });
  }
});

app.get("/c", (_req, res) => {
  app.locals.db.query("SELECT 1", (err: Error | null, rows: unknown) => {
    // wrong: CWE-209 error of a database as it is
    if (err) return res.status(500).json({ error: err });
    return res.json(rows);
  });
});

app.get("/d", (_req, _res, next) => {
  // right: CWE-209 message that is written here
  next(createError(404, "no such order"));
});

// wrong: CWE-209 handler for development without a condition
app.use(errorHandler());
// right: CWE-209 handler for development, in development
if (process.env.NODE_ENV === "development") app.use(errorHandler({ log: true }));

app.use((err: Error, _req: Request, res: Response, _next: NextFunction) => {
  // wrong: CWE-209 message and stack in JSON
  res.status(500).json({ message: err.message, stack: err.stack });
});

app.use((err: Error & { status?: number; expose?: boolean }, _req: Request, res: Response, _next: NextFunction) => {
  // right: CWE-209 message only where it may be shown
  res.status(err.status ?? 500).json({ message: err.expose ? err.message : "internal error" });
});

@Catch()
export class LoudFilter implements ExceptionFilter {
  catch(error: Error, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse();
    // wrong: CWE-209 filter that tells all
    response.status(500).json({ error: error.stack });
  }
}

@Catch(HttpException)
export class QuietFilter implements ExceptionFilter {
  catch(error: HttpException, host: ArgumentsHost) {
    const response = host.switchToHttp().getResponse();
    // right: CWE-209 status only
    response.status(error.getStatus()).json({ status: error.getStatus() });
  }
}

export const server = fastify();
// wrong: CWE-209 stack of Fastify
server.setErrorHandler((error, _request, reply) => reply.code(500).send({ stack: error.stack }));
// right: CWE-209 code of Fastify
server.setErrorHandler((error, _request, reply) => reply.code(500).send({ code: error.statusCode ?? 500 }));
export const hono = new Hono();
// wrong: CWE-209 text of an error in Hono
hono.onError((error, c) => c.text(String(error.stack), 500));
// right: CWE-209 constant text in Hono
hono.onError((_error, c) => c.text("internal error", 500));
export const koa = new Koa();
// wrong: CWE-209 Koa body with the stack
koa.use(async (ctx, next) => next().catch((error) => void (ctx.body = error.stack)));
// right: CWE-209 exception of Nest with a constant text
export const failure = () => new InternalServerErrorException("payment failed");
