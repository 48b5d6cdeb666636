import { crc32 } from "node:zlib";
import { mildToken, type SecretFormat, token, UUID } from "./secret-format.ts";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** GitHub and npm end a token with the CRC-32 of its random part in six base-62 digits. */
export function hasCrcSuffix(value: string): boolean {
  const body = value.slice(value.indexOf("_") + 1);
  let rest = crc32(body.slice(0, -6));
  let digits = "";
  for (let place = 0; place < 6; place += 1) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return body.endsWith(digits);
}

/** Code hosts, build services, package registries and quality services. */
export const CODE_HOSTS: readonly SecretFormat[] = [
  token("github-token", "a GitHub token", ["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], "gh[pousr]_[A-Za-z0-9]{36,251}", {
    proven: hasCrcSuffix,
  }),
  token("github-fine-grained-token", "a GitHub token", "github_pat_", "github_pat_[A-Za-z0-9_]{70,90}"),
  token(
    "gitlab-token",
    "a GitLab token",
    [
      "glpat-",
      "gldt-",
      "glrt-",
      "glrtr-",
      "glptt-",
      "glsoat-",
      "glcbt-",
      "glft-",
      "glffct-",
      "glimt-",
      "glagent-",
      "gloas-",
      "glwt-",
    ],
    "gl(?:pat|dt|rtr?|ptt|soat|cbt|ft|ffct|imt|agent|oas|wt)-[\\w.=-]{20,320}",
  ),
  token("gitlab-runner-token", "a GitLab runner registration token", "GR1348941", "GR1348941[\\w-]{20}"),
  token("gitlab-session", "a GitLab session cookie", "_gitlab_session=", "_gitlab_session=([0-9a-z]{32})", {
    confidence: 0.85,
  }),
  token("bitbucket-app-password", "a Bitbucket app password", "ATBB", "ATBB[A-Za-z0-9]{32}"),
  token("bitbucket-token", "a Bitbucket access token", "ATCTT3", "ATCTT3[\\w=-]{100,300}"),
  token(
    "sourcegraph-token",
    "a Sourcegraph token",
    ["sgp_", "sgd_", "sgs_", "sgph_", "slk_", "sams_"],
    "(?:sg(?:p|d|s|ph)|slk|sams)_(?:(?:[a-f0-9]{16}|local)_)?[a-f0-9]{40,64}",
  ),
  token("circleci-token", "a CircleCI token", "CCIP", "CCIP(?:AT|RJ)_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
  token("buildkite-token", "a Buildkite token", ["bkua_", "bkaj_", "bkat_", "bkct_"], "bk(?:ua|aj|at|ct)_[a-z0-9]{40}"),
  token(
    "harness-token",
    "a Harness token",
    ["pat.", "sat."],
    "(?:pat|sat)\\.[\\w-]{22}\\.[0-9a-f]{24}\\.[A-Za-z0-9]{20}",
  ),
  token("octopus-deploy-key", "an Octopus Deploy key", "API-", "API-[A-Z0-9]{25,26}", { confidence: 0.85 }),
  token("azure-devops-token", "an Azure DevOps token", "AZDO", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}", { inside: 80 }),
  token("sonar-token", "a SonarQube token", ["sqa_", "sqp_", "squ_"], "sq[apu]_[A-Za-z0-9]{40}"),
  token("snyk-service-token", "a Snyk token", "snyk_", "snyk_[us]at\\.[a-f0-9]{8}\\.[\\w.-]{40,400}"),
  token(
    "teamcity-token",
    "a TeamCity token",
    "eyJ0eXAiOiAiVENWMiJ9",
    "eyJ0eXAiOiAiVENWMiJ9\\.[\\w-]{20,60}\\.[\\w-]{40,80}",
  ),
  token("npm-token", "an npm token", "npm_", "npm_[A-Za-z0-9]{36}", { proven: hasCrcSuffix }),
  token("pypi-token", "a PyPI token", "pypi-AgE", "pypi-AgE[\\w-]{50,1000}"),
  token("rubygems-token", "a RubyGems token", "rubygems_", "rubygems_[a-f0-9]{48}"),
  token("docker-token", "a Docker Hub token", "dckr_", "dckr_[po]at_[\\w-]{27,40}"),
  token("nuget-key", "a NuGet key", "oy2", "oy2[a-z0-9]{43}", { confidence: 0.9 }),
  token("crates-token", "a crates.io token", "cio", "cio[A-Za-z0-9]{32}", { confidence: 0.8 }),
  token("packagist-token", "a Packagist token", "packagist_", "packagist_[a-z]{2,4}_[a-f0-9]{68}"),
  token("clojars-token", "a Clojars token", "CLOJARS_", "CLOJARS_[A-Za-z0-9]{60}"),
  token("artifactory-key", "an Artifactory key", "AKCp", "AKCp[A-Za-z0-9]{60,80}"),
  token("artifactory-reference-token", "an Artifactory token", "cmVmd", "cmVmd[A-Za-z0-9]{59}"),
  token("codeclimate-token", "a Qlty token", "qlt", "qlt[cpw]_[A-Za-z0-9]{32,64}"),
  token("postman-key", "a Postman key", "PMAK-", "PMAK-[a-fA-F0-9]{24}-[a-fA-F0-9]{34}"),
  token("postman-collection-key", "a Postman collection key", "PMAT-", "PMAT-[A-Z0-9]{26}"),
  token("readme-key", "a ReadMe key", "rdme_", "rdme_[a-z0-9]{70}"),
  token("pulumi-token", "a Pulumi token", "pul-", "pul-[a-f0-9]{40}"),
  token("infracost-key", "an Infracost key", "ico-", "ico-[A-Za-z0-9]{32}"),
  token("terraform-token", "a Terraform Cloud token", ".atlasv1.", "[A-Za-z0-9]{14}\\.atlasv1\\.[\\w=-]{60,80}", {
    inside: 16,
  }),
  token("prefect-token", "a Prefect token", ["pnu_", "pna_", "pnb_"], "pn[uab]_[A-Za-z0-9]{36}"),
  token("launchdarkly-key", "a LaunchDarkly key", ["api-", "sdk-"], `(?:api|sdk)-${UUID}`, { confidence: 0.85 }),
  token("wakatime-key", "a WakaTime key", "waka_", `waka_(?:sec_|tok_)?${UUID}`),
  token("deno-token", "a Deno Deploy token", ["ddp_", "ddo_", "ddw_"], "dd[pow]_[A-Za-z0-9]{36,40}"),
  token("cursor-key", "a Cursor key", "key_", "key_[a-f0-9]{64}"),
  mildToken("gitpod-token", "a Gitpod token", "gitpod_pat_", "gitpod_pat_[\\w-]{40,80}"),
];
