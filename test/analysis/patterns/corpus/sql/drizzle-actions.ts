"use server";

import { drizzle } from "drizzle-orm/node-postgres";
import { eq, sql } from "drizzle-orm";
import { z } from "zod";
import { orders } from "./schema";

const db = drizzle(process.env.DATABASE_URL!);
const sortable = z.enum(["total", "created"]);

export async function searchOrders(formData: FormData) {
  const term = formData.get("term");
  // wrong: CWE-89 sql.raw with a form value
  return db.execute(sql.raw(`select * from orders where note like '%${term}%'`));
}

export async function searchOrdersBound(formData: FormData) {
  const term = formData.get("term");
  // right: CWE-89 sql tag binds
  return db.execute(sql`select * from orders where note like ${`%${term}%`}`);
}

export async function sortOrders(formData: FormData) {
  const column = String(formData.get("column"));
  // wrong: CWE-89 raw column in the order
  return db.select().from(orders).orderBy(sql.raw(column));
}

export async function sortOrdersParsed(formData: FormData) {
  const column = sortable.parse(formData.get("column"));
  // right: CWE-89 enum of the schema
  return db.select().from(orders).orderBy(sql.raw(column));
}

export async function findOrder(formData: FormData) {
  // right: CWE-89 operator function
  return db.select().from(orders).where(eq(orders.id, Number(formData.get("id"))));
}

export async function whereOrders(formData: FormData) {
  const state = formData.get("state") as string;
  // wrong: CWE-89 a type assertion is no check
  return db.select().from(orders).where(sql.raw("state = '" + state + "'"));
}
