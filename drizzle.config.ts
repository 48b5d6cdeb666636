// What `npm run db:generate` reads.
export default { dialect: "turso", schema: "./src/store/schema.ts", out: "./drizzle" };
