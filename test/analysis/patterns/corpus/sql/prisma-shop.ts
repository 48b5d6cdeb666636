import { Prisma, PrismaClient } from "@prisma/client";
import { NextResponse, type NextRequest } from "next/server";

const prisma = new PrismaClient();

export async function GET(request: NextRequest) {
  const term = request.nextUrl.searchParams.get("term") ?? "";
  // wrong: CWE-89 unsafe raw query with a template
  const rows = await prisma.$queryRawUnsafe(`SELECT * FROM "Product" WHERE name ILIKE '%${term}%'`);
  return NextResponse.json(rows);
}

export async function POST(request: NextRequest) {
  const { term } = await request.json();
  // right: CWE-89 tagged template binds its values
  const rows = await prisma.$queryRaw`SELECT * FROM "Product" WHERE name ILIKE ${"%" + term + "%"}`;
  return NextResponse.json(rows);
}

export async function PUT(request: NextRequest) {
  const { id, price } = await request.json();
  // wrong: CWE-89 execute with concatenation
  await prisma.$executeRawUnsafe("UPDATE \"Product\" SET price = " + price + " WHERE id = '" + id + "'");
  return new NextResponse(null, { status: 204 });
}

export async function PATCH(request: NextRequest) {
  const { id, price } = await request.json();
  // right: CWE-89 unsafe variant, yet with parameters
  await prisma.$executeRawUnsafe('UPDATE "Product" SET price = $1 WHERE id = $2', price, id);
  return new NextResponse(null, { status: 204 });
}

export async function DELETE(request: NextRequest) {
  const id = request.nextUrl.searchParams.get("id");
  // wrong: CWE-89 Prisma.raw inside the tagged template
  await prisma.$executeRaw`DELETE FROM "Product" WHERE id = ${Prisma.raw(String(id))}`;
  return new NextResponse(null, { status: 204 });
}

export async function cleanUp() {
  // right: CWE-89 constant text
  await prisma.$executeRawUnsafe('VACUUM ANALYZE "Product"');
}

export async function many(request: NextRequest) {
  const ids = request.nextUrl.searchParams.getAll("id");
  // right: CWE-89 Prisma.join binds each item
  return prisma.$queryRaw`SELECT * FROM "Product" WHERE id IN (${Prisma.join(ids)})`;
}
