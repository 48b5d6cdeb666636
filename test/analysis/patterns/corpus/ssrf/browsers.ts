import puppeteer from "puppeteer";
import { chromium } from "playwright";
import type { Request, Response } from "express";

const PAGES = { invoice: "https://app.example.com/print/invoice", report: "https://app.example.com/print/report" };

export async function screenshot(req: Request, res: Response) {
  const browser = await puppeteer.launch();
  const page = await browser.newPage();
  // wrong: CWE-918 browser opens a foreign address
  await page.goto(req.query.url as string, { waitUntil: "networkidle0" });
  res.type("png").send(await page.screenshot());
  await browser.close();
}

export async function printKnown(req: Request, res: Response) {
  const target = req.params.page === "report" ? PAGES.report : PAGES.invoice;
  const browser = await puppeteer.launch();
  const page = await browser.newPage();
  // right: CWE-918 one of two addresses
  await page.goto(target);
  res.type("pdf").send(await page.pdf());
  await browser.close();
}

export async function pdf(req: Request, res: Response) {
  const browser = await chromium.launch();
  const page = await browser.newPage();
  // wrong: CWE-79 foreign markup inside the browser
  await page.setContent(`<h1>${req.body.title}</h1>`);
  res.type("pdf").send(await page.pdf());
  await browser.close();
}

export async function pdfText(req: Request, res: Response) {
  const browser = await chromium.launch();
  const page = await browser.newPage();
  // right: CWE-79 constant markup
  await page.setContent("<h1 id='title'></h1>");
  // right: CWE-94 input is an argument of the function
  await page.evaluate((title) => (document.querySelector("#title")!.textContent = title), String(req.body.title));
  res.type("pdf").send(await page.pdf());
  await browser.close();
}

export async function measure(req: Request, res: Response) {
  const browser = await puppeteer.launch();
  const page = await browser.newPage();
  await page.goto("https://app.example.com/");
  // wrong: CWE-94 foreign code in the page
  const value = await page.evaluate(req.body.expression);
  res.json({ value });
  await browser.close();
}

export async function inject(req: Request, res: Response) {
  const browser = await chromium.launch();
  const context = await browser.newContext();
  // wrong: CWE-94 script text of the body
  await context.addInitScript({ content: "window.config = " + req.body.config });
  const page = await context.newPage();
  // wrong: CWE-918 goto of Playwright
  await page.goto("http://" + req.body.host + "/status");
  res.send(await page.content());
  await browser.close();
}

export async function style(_req: Request, res: Response) {
  const browser = await puppeteer.launch();
  const page = await browser.newPage();
  // right: CWE-94 constant style
  await page.addStyleTag({ content: "body { color: black }" });
  res.send(await page.content());
  await browser.close();
}
