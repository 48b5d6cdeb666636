import { Logger, Injectable } from "@nestjs/common";
import pino from "pino";
import bunyan from "bunyan";
import debug from "debug";
import morgan from "morgan";
import util from "node:util";

const trace = debug("app:auth");

// right: CWE-532 redacted by the logger
export const log = pino({ redact: ["req.headers.authorization", "password", "*.token"] });
export const bun = bunyan.createLogger({ name: "app" });

@Injectable()
export class SessionService {
  private readonly logger = new Logger(SessionService.name);

  open(user: { id: string; email: string }, accessToken: string, refreshToken: string) {
    // wrong: CWE-532 token in a log of Nest
    this.logger.log(`session of ${user.id}: ${accessToken}`);
    // right: CWE-532 id of a user
    this.logger.log(`session of ${user.id} opened`);
    // wrong: CWE-532 refresh token in debug
    trace("refresh %s", refreshToken);
    // right: CWE-532 words only
    trace("refresh token issued");
  }

  connect(config: { host: string; password: string }) {
    // wrong: CWE-532 object that holds a password
    this.logger.debug("connect " + util.inspect(config));
    // right: CWE-532 one harmless field
    this.logger.debug("connect " + config.host);
  }

  fail(secretKey: string, error: Error) {
    // wrong: CWE-532 key in an error log
    console.error("signing failed with", secretKey, error);
    // right: CWE-532 message only
    console.error("signing failed", error.message);
  }

  environment() {
    // wrong: CWE-532 whole environment
    console.log(process.env);
    // right: CWE-532 one harmless variable
    console.log(process.env.NODE_ENV);
    // wrong: CWE-532 a secret of the environment
    bun.info("using key " + process.env.STRIPE_SECRET_KEY);
    // right: CWE-532 whether it is set
    bun.info("key set: " + (process.env.STRIPE_SECRET_KEY !== undefined));
  }

  reset(passwordResetUrl: string, passwordLength: number) {
    // wrong: CWE-532 the link is as good as a password
    this.logger.warn(`reset link ${passwordResetUrl}`);
    // right: CWE-532 a length
    this.logger.warn(`password too short: ${passwordLength}`);
  }
}

// wrong: CWE-532 format with the authorization header
export const access = morgan(":method :url :req[authorization]");
// right: CWE-532 a short predefined format
export const accessShort = morgan("tiny");

export function keyName(tokenName: string): void {
  // right: CWE-532 the name of a token is no token
  console.log(`token "${tokenName}" was removed`);
}
