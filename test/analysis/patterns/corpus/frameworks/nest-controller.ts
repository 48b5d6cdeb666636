import { Body, Controller, Get, Header, Headers, Param, ParseEnumPipe, ParseIntPipe, ParseUUIDPipe, Post, Query, Req, Res, StreamableFile, UploadedFile, UseInterceptors, ValidationPipe } from "@nestjs/common";
import { FileInterceptor } from "@nestjs/platform-express";
import { IsIn, IsString, Matches } from "class-validator";
import type { Request, Response } from "express";
import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execSync } from "node:child_process";
import { DataSource } from "typeorm";
import { NestFactory } from "@nestjs/core";

enum Sort {
  Day = "day",
  Total = "total",
}

class ListDto {
  @IsIn(["asc", "desc"])
  direction!: string;

  @IsString()
  term!: string;

  @Matches(/^[a-z-]+$/)
  slug!: string;
}

@Controller("orders")
export class OrdersController {
  constructor(private readonly source: DataSource) {}

  @Get()
  list(@Query("sort") sort: string) {
    // wrong: CWE-89 decorated parameter
    return this.source.query("SELECT * FROM orders ORDER BY " + sort);
  }

  @Get("enum")
  listEnum(@Query("sort", new ParseEnumPipe(Sort)) sort: Sort) {
    // right: CWE-89 pipe allows two words
    return this.source.query("SELECT * FROM orders ORDER BY " + sort);
  }

  @Get("dto")
  listDto(@Query(new ValidationPipe({ whitelist: true })) query: ListDto) {
    // right: CWE-89 validated to be one of two words
    return this.source.query(`SELECT * FROM orders ORDER BY day ${query.direction}`);
  }

  @Get("dto-term")
  listTerm(@Query(new ValidationPipe()) query: ListDto) {
    // wrong: CWE-89 validated to be a string, any string
    return this.source.query(`SELECT * FROM orders WHERE note LIKE '%${query.term}%'`);
  }

  @Get("file/:name")
  file(@Param("name") name: string) {
    // wrong: CWE-22 parameter in a stream of a file
    return new StreamableFile(createReadStream(join(process.cwd(), "files", name)));
  }

  @Get("file-id/:id")
  fileOf(@Param("id", ParseUUIDPipe) id: string) {
    // right: CWE-22 pipe allows an id
    return new StreamableFile(createReadStream(join(process.cwd(), "files", `${id}.pdf`)));
  }

  @Get("page")
  @Header("Content-Type", "text/html")
  page(@Query("title") title: string) {
    // wrong: CWE-79 returned text of the type HTML
    return `<h1>${title}</h1>`;
  }

  @Get("count/:n")
  count(@Param("n", ParseIntPipe) n: number, @Res() res: Response) {
    // right: CWE-79 pipe makes a number
    res.send(`<p>${n}</p>`);
  }

  @Post("upload")
  @UseInterceptors(FileInterceptor("file", { limits: { fileSize: 100_000 } }))
  upload(@UploadedFile() file: Express.Multer.File) {
    // wrong: CWE-22 name of an uploaded file
    writeFileSync(join("uploads", file.originalname), file.buffer);
  }

  @Post("run")
  run(@Body() body: { tool: string }, @Headers("user-agent") agent: string, @Req() req: Request) {
    // wrong: CWE-78 body of a decorated parameter
    execSync(`./tools/${body.tool} --agent`);
    // wrong: CWE-117 header in a log
    console.log("run by " + agent);
    // wrong: CWE-601 request object of the decorator
    req.res!.redirect(req.query.back as string);
  }
}

const app = await NestFactory.create(class {});
// wrong: CWE-915 unknown fields stay
app.useGlobalPipes(new ValidationPipe({ whitelist: false, disableErrorMessages: true }));
// right: CWE-915 unknown fields are refused
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
