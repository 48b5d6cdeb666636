import { Controller, Post, Body } from "@nestjs/common";
import { parseXml } from "libxmljs2";
import { parseXmlAsync } from "libxmljs";
import * as xmlJs from "xml-js";
import { create } from "xmlbuilder2";
import { Parser } from "xml2js";

@Controller("saml")
export class SamlController {
  @Post("assert")
  assert(@Body() body: string) {
    // wrong: CWE-611 named import with noent
    const doc = parseXml(body, { noent: true, nocdata: true });
    return doc.root()?.name();
  }

  @Post("assert-async")
  async assertAsync(@Body() body: string) {
    // wrong: CWE-611 asynchronous variant
    const doc = await parseXmlAsync(body, { replaceEntities: true });
    return doc.root()?.name();
  }

  @Post("assert-safe")
  assertSafe(@Body() body: string) {
    // right: CWE-611 without replacing
    const doc = parseXml(body, { nonet: true, nocdata: true });
    return doc.root()?.name();
  }

  @Post("convert")
  convert(@Body() body: string) {
    // right: CWE-611 xml-js has no external entities
    return xmlJs.xml2js(body, { compact: true });
  }

  @Post("parse")
  async parse(@Body() body: string) {
    // right: CWE-611 parser object of xml2js
    return new Parser({ explicitRoot: false }).parseStringPromise(body);
  }

  @Post("build")
  build(@Body() body: { name: string }) {
    // right: CWE-91 builder escapes text
    return create({ person: { name: body.name } }).end();
  }

  @Post("build-text")
  buildText(@Body() body: { name: string }) {
    // wrong: CWE-91 XML by concatenation
    return create("<person><name>" + body.name + "</name></person>").end();
  }
}
