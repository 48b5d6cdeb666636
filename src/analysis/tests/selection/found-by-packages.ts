/** What a package looks for by itself when it is loaded: no text of the repository names these files. */
interface Found {
  readonly packages: string;
  /** Names of folders, whole. */
  readonly folders?: string;
  /** Names of files without their endings. */
  readonly stems?: string;
  /** Ends of names, behind what a program is called. */
  readonly ends?: string;
}

const FOUND: readonly Found[] = [
  { packages: "config node-config @feathersjs/configuration config-lite", folders: "config conf" },
  { packages: "dynaconf hydra omegaconf", folders: "config conf", ends: "settings.toml settings.yaml" },
  {
    packages: "rc lilconfig cosmiconfig c12 unconfig joycon load-rc config-chain",
    ends: "rc rc.json rc.yaml rc.yml rc.js rc.cjs rc.mjs rc.ts .config.json .config.js .config.cjs .config.mjs .config.ts",
  },
  {
    packages:
      "i18n i18next i18next-fs-backend i18next-http-middleware next-i18next nestjs-i18n node-polyglot babel gettext",
    folders: "locales locale i18n lang languages translations messages",
  },
  {
    packages:
      "express-handlebars express-ejs-layouts express-hbs hbs koa-views consolidate @fastify/view @hapi/vision nunjucks email-templates jinja2 django flask fastapi",
    folders: "views layouts partials templates emails static",
  },
  {
    packages:
      "knex sequelize sequelize-cli umzug typeorm objection node-pg-migrate db-migrate postgres-migrations drizzle-orm @mikro-orm/core alembic yoyo django flask_migrate",
    folders: "migrations migrate seeds seeders drizzle alembic fixtures",
  },
  { packages: "@prisma/client prisma", folders: "prisma" },
  { packages: "@oclif/core @oclif/test @oclif/command yargs", folders: "commands cmds hooks" },
  {
    packages: "unplugin-auto-import unplugin-vue-components nuxt @nuxt/kit",
    folders: "composables components utils stores",
  },
  // Of each application that is named there.
  { packages: "INSTALLED_APPS", folders: "templatetags management", stems: "apps models admin" },
  {
    packages: "nock nock-record @pollyjs/core vcr vcrpy pytest_recording betamax",
    folders: "fixtures cassettes recordings",
  },
];

/** Under which keys of mentions the files are found, by the first part of what is imported. */
const KEYS: ReadonlyMap<string, readonly string[]> = keysByPackage();

function keysByPackage() {
  const keys = new Map<string, string[]>();
  for (const { packages, folders, stems, ends } of FOUND)
    for (const name of packages.split(" ")) {
      const own = keys.get(name) ?? [];
      for (const folder of folders?.split(" ") ?? []) own.push(`folder ${folder}`);
      for (const stem of stems?.split(" ") ?? []) own.push(`stem ${stem}`);
      for (const end of ends?.split(" ") ?? []) own.push(`suffix ${end}`);
      keys.set(name, own);
    }
  return keys;
}

/** Keys of what a package finds by itself; none of most. @param name of a package, as it is imported */
export function foundBy(name: string): readonly string[] {
  return KEYS.get(name) ?? [];
}
