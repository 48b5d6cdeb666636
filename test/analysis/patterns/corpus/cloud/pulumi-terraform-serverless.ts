import * as aws from "@pulumi/aws";
import * as gcp from "@pulumi/gcp";
import * as pulumi from "@pulumi/pulumi";
import type { AWS } from "@serverless/typescript";

const config = new pulumi.Config();

export const bucket = new aws.s3.Bucket("site", {
  // wrong: CWE-732 everybody may read
  acl: "public-read",
});
export const bucketSafe = new aws.s3.Bucket("data", {
  // right: CWE-732 private
  acl: "private",
});

export const group = new aws.ec2.SecurityGroup("web", {
  // wrong: CWE-284 remote desktop for the world
  ingress: [{ protocol: "tcp", fromPort: 3389, toPort: 3389, cidrBlocks: ["0.0.0.0/0"] }],
  // right: CWE-284 way out
  egress: [{ protocol: "tcp", fromPort: 443, toPort: 443, cidrBlocks: ["0.0.0.0/0"] }],
});

export const db = new aws.rds.Instance("db", {
  engine: "postgres",
  instanceClass: "db.t3.micro",
  // wrong: CWE-284 reachable from everywhere
  publiclyAccessible: true,
  // right: CWE-311 encrypted
  storageEncrypted: true,
  username: "shop",
  // wrong: CWE-798 password in the source
  password: "Copper-kettle-26",
});

export const dbSafe = new aws.rds.Instance("db-safe", {
  engine: "postgres",
  instanceClass: "db.t3.micro",
  // wrong: CWE-311 not encrypted
  storageEncrypted: false,
  username: "shop",
  // right: CWE-798 secret of the configuration
  password: config.requireSecret("dbPassword"),
});

export const policy = new aws.iam.Policy("deploy", {
  policy: {
    Version: "2012-10-17",
    // wrong: CWE-269 everything on everything
    Statement: [{ Effect: "Allow", Action: "*", Resource: "*" }],
  },
});

export const member = new gcp.storage.BucketIAMMember("public", {
  bucket: "assets",
  role: "roles/storage.objectViewer",
  // wrong: CWE-732 everybody of the world
  member: "allUsers",
});

export const memberSafe = new gcp.storage.BucketIAMMember("team", {
  bucket: "assets",
  role: "roles/storage.objectViewer",
  // right: CWE-732 a group
  member: "group:team@example.com",
});

export const service: AWS = {
  service: "shop",
  provider: {
    name: "aws",
    runtime: "nodejs20.x",
    // wrong: CWE-798 secret in the variables
    environment: { SESSION_SECRET: "violet-lamp-under-the-stairs" },
    iamRoleStatements: [
      // wrong: CWE-269 all of DynamoDB on everything
      { Effect: "Allow", Action: "dynamodb:*", Resource: "*" },
      // right: CWE-269 two actions on one table
      { Effect: "Allow", Action: ["dynamodb:GetItem", "dynamodb:PutItem"], Resource: "arn:aws:dynamodb:eu-central-1:*:table/orders" },
    ],
  },
  functions: {
    // right: CWE-306 route with an authorizer
    remove: { handler: "src/remove.handler", events: [{ http: { method: "delete", path: "orders/{id}", authorizer: "aws_iam" } }] },
  },
};
