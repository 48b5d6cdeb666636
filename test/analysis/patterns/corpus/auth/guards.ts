import { CanActivate, Controller, Delete, ExecutionContext, Get, Injectable, Param, SetMetadata, UseGuards } from "@nestjs/common";
import { AuthGuard } from "@nestjs/passport";
import { Router, type NextFunction, type Request, type Response } from "express";
import { betterAuth } from "better-auth";
import NextAuth from "next-auth";
import GitHub from "next-auth/providers/github";
import { users } from "./users";

const Public = () => SetMetadata("public", true);

@Injectable()
export class AdminGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    // wrong: CWE-807 role comes from a header of the client
    return request.headers["x-role"] === "admin";
  }
}

@Injectable()
export class OwnerGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest();
    // right: CWE-807 role of the verified session
    return request.user?.role === "admin";
  }
}

@Controller("users")
@UseGuards(AuthGuard("jwt"))
export class UsersController {
  // wrong: CWE-306 removal open to everybody
  @Public() @Delete(":id")
  remove(@Param("id") id: string) {
    return users.delete(id);
  }

  // right: CWE-306 a public list of names
  @Public() @Get("names")
  names() {
    return users.names();
  }
}

export const router = Router();

function requireAdmin(req: Request, res: Response, next: NextFunction) {
  if (!req.session.user?.admin) return res.sendStatus(403);
  return next();
}

function seemsToRequireAdmin(req: Request, res: Response, next: NextFunction) {
  // wrong: CWE-285 answer is sent, yet the way goes on
  if (!req.session.user?.admin) res.status(403);
  return next();
}

// right: CWE-306 admin only
router.delete("/all", requireAdmin, (_req, res) => users.clear().then(() => res.sendStatus(204)));
router.delete("/most", seemsToRequireAdmin, (_req, res) => users.clear().then(() => res.sendStatus(204)));

router.get("/admin", (req, res, next) => {
  // wrong: CWE-807 cookie decides
  if (req.cookies.admin === "true") return next();
  return res.sendStatus(403);
});

router.get("/back-door", (req, res, next) => {
  // wrong: CWE-798 password in the source
  if (req.query.password === "open-sesame-2026") return next();
  return res.sendStatus(403);
});

router.get("/mode", (req, res, next) => {
  // right: CWE-798 a word that is no credential
  if (req.query.mode === "compact") return next();
  return res.sendStatus(204);
});

// wrong: CWE-798 secret of the library in the source
export const auth = betterAuth({ secret: "better-auth-secret-in-source", emailAndPassword: { enabled: true } });
// right: CWE-798 secret of the environment
export const authSafe = betterAuth({ secret: process.env.AUTH_SECRET, emailAndPassword: { enabled: true } });
// wrong: CWE-287 accounts are linked by an unverified address
export const next = NextAuth({ providers: [GitHub({ allowDangerousEmailAccountLinking: true })] });
// right: CWE-287 default linking
export const nextSafe = NextAuth({ providers: [GitHub], session: { strategy: "jwt" } });
