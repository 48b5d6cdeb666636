import { BadRequestException, Body, Controller, Get, Headers, Param, Post, Query } from "@nestjs/common";
import { HttpService } from "@nestjs/axios";
import { firstValueFrom } from "rxjs";
import { request as undiciRequest, fetch as undiciFetch } from "undici";
import https from "node:https";
import http from "node:http";

const UPSTREAM = process.env.UPSTREAM_URL ?? "https://catalogue.example.com";

@Controller("proxy")
export class ProxyController {
  constructor(private readonly http: HttpService) {}

  @Get()
  async proxy(@Query("url") url: string) {
    // wrong: CWE-918 HttpService with a query value
    const { data } = await firstValueFrom(this.http.get(url));
    return data;
  }

  @Get("upstream/:id")
  async upstream(@Param("id") id: string) {
    // right: CWE-918 base of the configuration
    const { data } = await firstValueFrom(this.http.get(`${UPSTREAM}/items/${encodeURIComponent(id)}`));
    return data;
  }

  @Post("undici")
  async undici(@Body("target") target: string) {
    // wrong: CWE-918 undici request
    const { body } = await undiciRequest(target);
    return body.text();
  }

  @Post("undici-fixed")
  async undiciFixed(@Body() payload: object) {
    // right: CWE-918 fixed target with a foreign body
    const { statusCode } = await undiciRequest(`${UPSTREAM}/events`, { method: "POST", body: JSON.stringify(payload) });
    return statusCode;
  }

  @Get("host")
  host(@Headers("x-backend") backend: string) {
    return new Promise((resolve) => {
      // wrong: CWE-918 host of a header
      https.get({ hostname: backend, path: "/health" }, (answer) => resolve(answer.statusCode));
    });
  }

  @Get("port")
  port(@Query("port") port: string) {
    const allowed = [8081, 8082].find((one) => one === Number(port));
    if (allowed === undefined) throw new BadRequestException();
    return new Promise((resolve) => {
      // right: CWE-918 fixed host, port of a list
      http.get({ hostname: "127.0.0.1", port: allowed, path: "/health" }, (answer) => resolve(answer.statusCode));
    });
  }

  @Get("relative")
  async relative(@Query("path") path: string) {
    // wrong: CWE-918 an absolute path argument replaces the base
    const answer = await undiciFetch(new URL(path, UPSTREAM));
    return answer.text();
  }

  @Get("relative-checked")
  async relativeChecked(@Query("path") path: string) {
    const url = new URL(path, UPSTREAM);
    if (url.origin !== new URL(UPSTREAM).origin) throw new BadRequestException();
    // right: CWE-918 origin is compared afterwards
    const answer = await undiciFetch(url);
    return answer.text();
  }
}
