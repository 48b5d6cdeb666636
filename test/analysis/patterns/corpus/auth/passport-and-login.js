const passport = require("passport");
const { Strategy: LocalStrategy } = require("passport-local");
const { Strategy: GoogleStrategy } = require("passport-google-oauth20");
const { Strategy: JwtStrategy, ExtractJwt } = require("passport-jwt");
const SamlStrategy = require("@node-saml/passport-saml").Strategy;
const bcrypt = require("bcrypt");
const express = require("express");
const rateLimit = require("express-rate-limit");
const { users } = require("./users");

const app = express();
const found = (id, done) => users.findById(id).then((user) => done(null, user ?? false), done);

passport.use(
  new LocalStrategy(async (name, password, done) => {
    const user = await users.byName(name);
    // wrong: CWE-256 stored password is compared as it is
    if (!user || user.password !== password) return done(null, false);
    return done(null, user);
  }),
);

passport.use(
  "hashed",
  new LocalStrategy(async (name, password, done) => {
    const user = await users.byName(name);
    // right: CWE-256 compared with a hash
    if (!user || !(await bcrypt.compare(password, user.hash))) return done(null, false);
    return done(null, user);
  }),
);

passport.use(
  new GoogleStrategy(
    {
      clientID: process.env.GOOGLE_ID,
      // wrong: CWE-798 client secret in the source
      clientSecret: "example-client-secret-in-source",
      callbackURL: "https://app.example.com/callback",
      // right: CWE-352 state is checked
      state: true,
    },
    (access, refresh, profile, done) => found(profile.id, done),
  ),
);

passport.use(
  "google-loose",
  new GoogleStrategy(
    {
      clientID: process.env.GOOGLE_ID,
      // right: CWE-798 client secret of the environment
      clientSecret: process.env.GOOGLE_SECRET,
      // wrong: CWE-319 token comes back in clear text
      callbackURL: "http://app.example.com/callback",
      // wrong: CWE-352 no state
      state: false,
    },
    (access, refresh, profile, done) => found(profile.id, done),
  ),
);

const fromQuery = {
  // wrong: CWE-598 token in the address
  jwtFromRequest: ExtractJwt.fromUrlQueryParameter("token"),
  secretOrKey: process.env.JWT_SECRET,
};
passport.use("jwt-query", new JwtStrategy(fromQuery, (payload, done) => found(payload.sub, done)));

const fromHeader = {
  // right: CWE-598 token in the header
  jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
  secretOrKey: process.env.JWT_SECRET,
};
passport.use("jwt-header", new JwtStrategy(fromHeader, (payload, done) => found(payload.sub, done)));

const saml = { entryPoint: process.env.SAML_ENTRY, issuer: "shop", idpCert: process.env.SAML_CERT };
// wrong: CWE-347 assertions need no signature
passport.use("saml-loose", new SamlStrategy({ ...saml, wantAssertionsSigned: false, wantAuthnResponseSigned: false }, found, found));
// right: CWE-347 assertions have to be signed
passport.use("saml", new SamlStrategy({ ...saml, wantAssertionsSigned: true }, found, found));

app.post("/search", rateLimit({ windowMs: 60_000, max: 60 }), (req, res) => res.json([]));
// wrong: CWE-307 login without a limit beside a route that has one
app.post("/login", passport.authenticate("hashed"), (req, res) => res.sendStatus(204));
// right: CWE-307 login with a limit
app.post("/sign-in", rateLimit({ windowMs: 60_000, max: 5 }), passport.authenticate("hashed"), (req, res) => res.sendStatus(204));

module.exports = app;
