import { type EslintRule, weakness } from "./eslint-rule.ts";

/** Infrastructure written with the AWS CDK that is open to the world. */
export const AWS_RULES: readonly EslintRule[] = [
  weakness(
    "sonarjs/aws-s3-bucket-granted-access",
    "Everybody can read this bucket.",
    "Whatever is put into it is public.",
    { sonarKey: "S6265", severity: "error", confidence: 0.72 },
  ),
  weakness(
    "sonarjs/aws-iam-public-access",
    "This policy applies to everybody.",
    "Accounts of strangers get what it grants.",
    { sonarKey: "S6270", severity: "error", confidence: 0.75 },
  ),
  weakness(
    "sonarjs/aws-iam-all-privileges",
    "This policy grants every action.",
    "Whoever gets hold of the role owns the account: name the actions.",
    { sonarKey: "S6302", confidence: 0.8 },
  ),
  weakness(
    "sonarjs/aws-restricted-ip-admin-access",
    "Administration ports are open to the whole Internet.",
    "They are tried by strangers within minutes: restrict the addresses.",
    { sonarKey: "S6321", severity: "error", confidence: 0.8 },
  ),
  weakness(
    "sonarjs/aws-apigateway-public-api",
    "This method can be called without signing in.",
    "That is right for a public API only.",
    { sonarKey: "S6333", severity: "info", confidence: 0.6 },
  ),
];
