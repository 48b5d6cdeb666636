import { GraphQLError } from "graphql";
import { Args, Int, Mutation, Query, Resolver } from "@nestjs/graphql";
import { DataSource } from "typeorm";
import { execFileSync, execSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";

interface Context {
  readonly pool: Pool;
}

export const resolvers = {
  Query: {
    // wrong: CWE-89 argument of a field in the text
    user: (_parent: unknown, args: { name: string }, context: Context) => context.pool.query(`SELECT * FROM users WHERE name = '${args.name}'`),
    // right: CWE-89 argument of a field as parameter
    userSafe: (_parent: unknown, args: { name: string }, { pool }: Context) => pool.query("SELECT * FROM users WHERE name = $1", [args.name]),
    // wrong: CWE-22 argument of a field as path
    page: (_parent: unknown, { name }: { name: string }) => readFileSync(join("pages", name), "utf8"),
    // right: CWE-22 constant path
    imprint: () => readFileSync(join("pages", "imprint.md"), "utf8"),
    // wrong: CWE-918 argument of a field as address
    preview: async (_parent: unknown, { url }: { url: string }) => (await fetch(url)).text(),
    // right: CWE-918 argument of a field as parameter of an address
    weather: async (_parent: unknown, { city }: { city: string }) => (await fetch(`https://weather.example.com/?c=${encodeURIComponent(city)}`)).json(),
  },
  Mutation: {
    // wrong: CWE-78 argument of a field in a command
    restart: (_parent: unknown, { service }: { service: string }) => execSync(`systemctl restart ${service}`).toString(),
    // right: CWE-78 argument of a field in a list of arguments
    status: (_parent: unknown, { service }: { service: string }) => execFileSync("systemctl", ["status", "--", service]).toString(),
  },
};

@Resolver("Post")
export class PostResolver {
  constructor(private readonly source: DataSource) {}

  @Query(() => [String])
  posts(@Args("tag") tag: string) {
    // wrong: CWE-89 argument of a resolver class
    return this.source.query("SELECT title FROM posts WHERE tag = '" + tag + "'");
  }

  @Query(() => [String])
  page(@Args("page", { type: () => Int }) page: number) {
    // right: CWE-89 an Int of the schema is a number
    return this.source.query(`SELECT title FROM posts OFFSET ${page * 10} LIMIT 10`);
  }

  @Mutation(() => Boolean)
  async publish(@Args("id") id: string) {
    try {
      await this.source.query("UPDATE posts SET published = true WHERE id = $1", [id]);
      return true;
    } catch (error) {
      // wrong: CWE-209 stack goes to the client
      throw new GraphQLError(String((error as Error).stack));
    }
  }

  @Mutation(() => Boolean)
  async hide(@Args("id") id: string) {
    try {
      await this.source.query("UPDATE posts SET published = false WHERE id = $1", [id]);
      return true;
    } catch {
      // right: CWE-209 constant message
      throw new GraphQLError("could not be hidden");
    }
  }
}
