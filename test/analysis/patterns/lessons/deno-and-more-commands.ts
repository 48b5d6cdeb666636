async function compress(name: string) {
  // wrong: CWE-78
  const p = Deno.run({ cmd: ["bash", "-c", `gzip ${name}`] });
  await p.status();
}

async function compressWell() {
  // right: CWE-78
  const p = Deno.run({ cmd: ["gzip", "data.txt"] });
  await p.status();
}

async function viaCommand(tool: string) {
  // wrong: CWE-78
  const command = new Deno.Command(tool, { args: ["--version"] });
  // right: CWE-78
  const fixed = new Deno.Command("deno", { args: ["--version"] });
  return [command, fixed];
}

import { Controller, Get, Post, Body, Query, Param, Redirect, Res, Header } from "@nestjs/common";
import { exec } from "child_process";

@Controller("tools")
export class ToolsController {
  @Get("whois")
  whois(@Query("domain") domain: string) {
    // wrong: CWE-78
    exec("whois " + domain);
  }

  @Get("old")
  old(@Query("next") next: string, @Res() res) {
    // wrong: CWE-601
    return res.redirect(next);
  }

  @Get("home")
  home(@Res() res) {
    // right: CWE-601
    return res.redirect("/home");
  }

  @Get("moved")
  moved(@Query("to") to: string) {
    // wrong: CWE-601
    return { url: to, statusCode: 302 };
  }

  @Get("frame")
  // wrong: CWE-451
  @Header("X-Frame-Options", "ALLOW-FROM *")
  frame() {
    return "ok";
  }

  @Get("open")
  // wrong: CWE-942
  @Header("Access-Control-Allow-Origin", "*")
  open() {
    return "ok";
  }

  @Get("closed")
  // right: CWE-942
  @Header("Access-Control-Allow-Origin", "https://shop.example")
  closed() {
    return "ok";
  }
}
