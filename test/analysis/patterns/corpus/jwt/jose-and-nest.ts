import { SignJWT, UnsecuredJWT, decodeJwt, jwtVerify, createRemoteJWKSet, decodeProtectedHeader } from "jose";
import { JwtModule, JwtService } from "@nestjs/jwt";
import { PassportStrategy } from "@nestjs/passport";
import { ExtractJwt, Strategy } from "passport-jwt";
import { Injectable, Module } from "@nestjs/common";
import jwtSimple from "jwt-simple";
import fastifyJwt from "@fastify/jwt";
import { jwt as honoJwt, decode as honoDecode } from "hono/jwt";
import fastify from "fastify";
import { Hono } from "hono";

const jwks = createRemoteJWKSet(new URL("https://id.example.com/.well-known/jwks.json"));
const secret = new TextEncoder().encode(process.env.JWT_SECRET);

export async function issue(id: string) {
  // right: CWE-613 with an end
  return new SignJWT({ id }).setProtectedHeader({ alg: "HS256" }).setIssuedAt().setExpirationTime("10m").sign(secret);
}

export async function issueForever(id: string) {
  // wrong: CWE-613 without an end
  return new SignJWT({ id }).setProtectedHeader({ alg: "HS256" }).setIssuedAt().sign(secret);
}

export function issueUnsecured(id: string) {
  // wrong: CWE-347 unsecured token
  return new UnsecuredJWT({ id }).setExpirationTime("10m").encode();
}

export async function userOf(request: Request) {
  const token = request.headers.get("authorization")!.slice(7);
  // wrong: CWE-347 claims without verifying
  const claims = decodeJwt(token);
  return claims.sub;
}

export async function verifiedUserOf(request: Request) {
  const token = request.headers.get("authorization")!.slice(7);
  // right: CWE-347 verified with the published keys
  const { payload } = await jwtVerify(token, jwks, { issuer: "https://id.example.com", audience: "shop" });
  return payload.sub;
}

export async function withText(token: string) {
  // wrong: CWE-798 encoded literal as secret
  return jwtVerify(token, new TextEncoder().encode("not-a-good-secret-at-all"));
}

// right: CWE-347 header for a message only
export const algorithmOf = (token: string) => decodeProtectedHeader(token).alg;

@Module({
  imports: [
    // wrong: CWE-798 secret of the module
    JwtModule.register({ secret: "topSecretForDev", signOptions: { expiresIn: "60s" } }),
    // right: CWE-798 secret of the environment
    JwtModule.register({ secret: process.env.JWT_SECRET, signOptions: { expiresIn: "60s" } }),
  ],
})
export class AuthModule {}

@Injectable()
export class JwtStrategy extends PassportStrategy(Strategy) {
  constructor(private readonly tokens: JwtService) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      // wrong: CWE-613 expiry ignored by the strategy
      ignoreExpiration: true,
      secretOrKey: process.env.JWT_SECRET,
    });
  }

  read(token: string) {
    // wrong: CWE-347 decode of the service
    return this.tokens.decode(token);
  }

  check(token: string) {
    // right: CWE-347 verify of the service
    return this.tokens.verify(token, { algorithms: ["HS256"] });
  }
}

// wrong: CWE-347 third argument skips verification
export const simple = (token: string) => jwtSimple.decode(token, process.env.JWT_SECRET!, true);
// right: CWE-347 verified with a fixed algorithm
export const simpleSafe = (token: string) => jwtSimple.decode(token, process.env.JWT_SECRET!, false, "HS256");
// wrong: CWE-798 plugin with a literal
await fastify().register(fastifyJwt, { secret: "supersecret-literal" });
// right: CWE-798 plugin with the environment
await fastify().register(fastifyJwt, { secret: process.env.JWT_SECRET! });
// right: CWE-798 middleware with a binding
new Hono<{ Bindings: { KEY: string } }>().use("/api/*", (c, next) => honoJwt({ secret: c.env.KEY, alg: "HS256" })(c, next));
// wrong: CWE-347 decode of Hono for a user
export const honoUser = (token: string) => honoDecode(token).payload.sub;
