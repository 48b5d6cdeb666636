import type { Setting } from "../row.ts";

/** Infrastructure that is defined in code. */
export const CLOUD_SETTINGS: readonly Setting[] = [
  {
    id: "cloud/any-principal",
    title: "Access for any AWS account",
    cwe: 284,
    severity: "warning",
    calls:
      "aws-cdk-lib/aws-iam:AnyPrincipal|StarPrincipal iam.AnyPrincipal|StarPrincipal *.AnyPrincipal|StarPrincipal AnyPrincipal StarPrincipal",
    unless: { statement: /deny/i },
    wrong: `new iam.Role(this, "role", { assumedBy: new iam.AnyPrincipal() });`,
    right: `new iam.Role(this, "role", { assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com") });`,
    words: {
      what: "Anyone with an account at this cloud provider can take this role or right.",
      attack: "Strangers act with it.",
      mend: "Name the service or the account.",
    },
  },
  {
    id: "cloud/public-object",
    title: "Public S3 object",
    cwe: 732,
    severity: "warning",
    properties: "ACL",
    when: { argument: 0, is: [/^public-read/, /^authenticated-read$/] },
    wrong: `await client.putObject({ Bucket: "files", Key: key, Body: body, ACL: "public-read" });`,
    right: `await client.putObject({ Bucket: "files", Key: key, Body: body, ACL: "private" });`,
    fix: { value: '"private"' },
    words: {
      what: "Anyone can read this object.",
      attack: "Anyone who finds its address can take it.",
      mend: "Leave it private and give access by signed addresses.",
    },
  },
  {
    id: "cloud/public-builds",
    title: "Public CodeBuild results",
    fix: { without: true },
    cwe: 306,
    severity: "warning",
    calls:
      "aws-cdk-lib/aws-codebuild:Project|PipelineProject codebuild.Project|PipelineProject *.Project|PipelineProject",
    on: /^(?:codebuild|aws-cdk-lib\/aws-codebuild|@aws-cdk\/aws-codebuild)$/,
    when: { argument: 2, option: "badge", is: [true] },
    wrong: `new codebuild.Project(this, "build", { badge: true, source });`,
    right: `new codebuild.Project(this, "build", { source });`,
    words: {
      what: "What this project builds is shown to everybody.",
      attack: "Logs of builds hold names, addresses and sometimes secrets.",
      mend: "Leave `badge` out.",
    },
  },
  {
    id: "cloud/public-bucket",
    title: "Public S3 bucket",
    fix: { replace: [/^true$/, "false"] },
    cwe: 732,
    severity: "error",
    calls:
      "aws-cdk-lib|aws-cdk-lib/aws-s3|@aws-cdk/aws-s3|@pulumi/aws:..Bucket|CfnBucket aws-cdk-lib/aws-s3|@aws-cdk/aws-s3:Bucket|CfnBucket *.Bucket|CfnBucket",
    when: {
      any: [
        { argument: 2, option: "publicReadAccess", is: [true] },
        { argument: 2, option: "accessControl", reads: /PUBLIC|Public|AUTHENTICATED_READ/ },
        { argument: 1, option: "acl", is: [/^public-read/] },
        {
          argument: 2,
          option: "blockPublicAccess",
          reads: /BLOCK_ACLS|blockPublicPolicy:\s*false|blockPublicAcls:\s*false|restrictPublicBuckets:\s*false/,
        },
      ],
    },
    wrong: `const files = new s3.Bucket(this, "files", { publicReadAccess: true, encryption: s3.BucketEncryption.KMS, enforceSSL: true });`,
    right: `const files = new s3.Bucket(this, "files", { publicReadAccess: false, encryption: s3.BucketEncryption.KMS, enforceSSL: true });`,
    words: {
      what: "Anyone can read this bucket.",
      attack: "Anyone who finds its name can take what is in it.",
      mend: "Leave it private and give access through a distribution or signed addresses.",
    },
  },
  {
    id: "cloud/plain-bucket",
    title: "S3 bucket encryption not set",
    cwe: 311,
    severity: "info",
    calls: "aws-cdk-lib/aws-s3|@aws-cdk/aws-s3:Bucket s3.Bucket *.Bucket",
    on: /^(?:s3|aws-cdk-lib\/aws-s3|@aws-cdk\/aws-s3|aws_s3)$/,
    when: {
      any: [
        { argument: 2, option: "encryption", missing: true },
        { argument: 2, option: "encryption", reads: /UNENCRYPTED/ },
      ],
    },
    wrong: `const s3 = require("aws-cdk-lib/aws-s3");
const files = new s3.Bucket(this, "files", { enforceSSL: true });`,
    right: `const s3 = require("aws-cdk-lib/aws-s3");
const files = new s3.Bucket(this, "files", { enforceSSL: true, encryption: s3.BucketEncryption.S3_MANAGED });`,
    words: {
      what: "This bucket does not say how it is encrypted.",
      attack: "Anyone with access to the storage can read it.",
      mend: "Set `encryption`.",
    },
  },
  {
    id: "cloud/bucket-transport",
    title: "S3 bucket without enforced TLS",
    fix: { value: "true" },
    cwe: 319,
    severity: "info",
    calls: "aws-cdk-lib/aws-s3|@aws-cdk/aws-s3:Bucket s3.Bucket *.Bucket",
    on: /^(?:s3|aws-cdk-lib\/aws-s3|@aws-cdk\/aws-s3|aws_s3)$/,
    when: {
      any: [
        { argument: 2, option: "enforceSSL", missing: true },
        { argument: 2, option: "enforceSSL", is: [false] },
      ],
    },
    unless: { file: /aws:SecureTransport/ },
    wrong: `const s3 = require("aws-cdk-lib/aws-s3");
const files = new s3.Bucket(this, "files", { encryption: s3.BucketEncryption.KMS });`,
    right: `const s3 = require("aws-cdk-lib/aws-s3");
const files = new s3.Bucket(this, "files", { encryption: s3.BucketEncryption.KMS, enforceSSL: true });`,
    words: {
      what: "This bucket also answers plain HTTP.",
      attack: "An attacker on the network can read what is fetched.",
      mend: "Set `enforceSSL: true`.",
    },
  },
  {
    id: "cloud/public-grant",
    title: "Public S3 bucket",
    cwe: 732,
    severity: "error",
    calls: "*!.grantPublicAccess",
    wrong: `files.grantPublicAccess("*");`,
    right: `files.grantRead(reader);`,
    words: {
      what: "Anyone can read this bucket.",
      attack: "Anyone who finds its name can take what is in it.",
      mend: "Grant it to those who need it.",
    },
  },
  {
    id: "cloud/plain-queue",
    title: "Encryption without a customer key",
    cwe: 311,
    severity: "info",
    calls:
      "aws-cdk-lib/aws-sqs|@aws-cdk/aws-sqs:Queue sqs.Queue *.Queue aws-cdk-lib/aws-sns|@aws-cdk/aws-sns:Topic sns.Topic *.Topic",
    on: /^(?:sqs|sns|aws-cdk-lib\/aws-s[qn]s|@aws-cdk\/aws-s[qn]s|aws_sqs|aws_sns)$/,
    when: {
      all: [
        {
          any: [
            { argument: 2, option: "encryption", missing: true },
            { argument: 2, option: "encryption", reads: /UNENCRYPTED/ },
          ],
        },
        { argument: 2, option: "masterKey", missing: true },
        { argument: 2, option: "encryptionMasterKey", missing: true },
      ],
    },
    wrong: `const sqs = require("aws-cdk-lib/aws-sqs");
const jobs = new sqs.Queue(this, "jobs", {});`,
    right: `const sqs = require("aws-cdk-lib/aws-sqs");
const jobs = new sqs.Queue(this, "jobs", { encryption: sqs.QueueEncryption.KMS_MANAGED });`,
    words: {
      what: "What goes through here is not encrypted by a key of yours.",
      attack: "Anyone with access to the storage can read it.",
      mend: "Set a key.",
    },
  },
  {
    id: "cloud/plain-storage",
    title: "Encryption at rest disabled",
    fix: { replace: [/^false$/, "true"] },
    cwe: 311,
    severity: "warning",
    properties:
      "storageEncrypted encrypted encryptionAtRest encryptionInTransit transitEncryptionEnabled atRestEncryptionEnabled encryptAtRest nodeToNodeEncryption enforceHttps encryptionDisabled",
    when: {
      any: [
        { all: [{ argument: 0, is: [false] }, { not: { text: /^encryptionDisabled/ } }] },
        { all: [{ argument: 0, is: [true] }, { text: /^encryptionDisabled/ }] },
      ],
    },
    wrong: `const db = new DatabaseInstance(this, "db", { storageEncrypted: false });`,
    right: `const db = new DatabaseInstance(this, "db", { storageEncrypted: true });`,
    words: {
      what: "Encryption is switched off.",
      attack: "Anyone with access to the storage or the wire can read it.",
      mend: "Switch it on.",
    },
  },
  {
    id: "cloud/no-storage-encryption",
    title: "Encryption at rest disabled",
    fix: { value: "true" },
    cwe: 311,
    severity: "info",
    calls:
      "aws-cdk-lib/aws-rds|@aws-cdk/aws-rds:DatabaseInstance|DatabaseCluster rds.DatabaseInstance|DatabaseCluster *.DatabaseInstance|DatabaseCluster aws-cdk-lib/aws-efs:FileSystem efs.FileSystem ec2.Volume aws-cdk-lib/aws-ec2:Volume aws-cdk-lib/aws-redshift-alpha:Cluster aws-cdk-lib/aws-docdb:DatabaseCluster",
    when: {
      all: [
        { any: [{ argument: 2, option: "storageEncrypted", missing: true }] },
        { argument: 2, option: "encrypted", missing: true },
        { argument: 2, option: "storageEncryptionKey", missing: true },
        { argument: 2, option: "kmsKey", missing: true },
      ],
    },
    wrong: `const db = new rds.DatabaseInstance(this, "db", { engine });`,
    right: `const db = new rds.DatabaseInstance(this, "db", { engine, storageEncrypted: true });`,
    words: {
      what: "The storage of this database is not encrypted.",
      attack: "Anyone with access to the storage or a snapshot can read it.",
      mend: "Set `storageEncrypted: true`.",
    },
  },
  {
    id: "cloud/public-resource",
    title: "Resource exposed to the internet",
    cwe: 284,
    severity: "warning",
    properties: "publiclyAccessible publicAccess associatePublicIpAddress",
    when: { argument: 0, is: [true] },
    fix: { value: "false" },
    wrong: `const db = new DatabaseInstance(this, "db", { storageEncrypted: true, publiclyAccessible: true });`,
    right: `const db = new DatabaseInstance(this, "db", { storageEncrypted: true, publiclyAccessible: false });`,
    words: {
      what: "This is reached from the whole internet.",
      attack: "Anyone can try passwords and known flaws against it.",
      mend: "Keep it in a private network.",
    },
  },
  {
    id: "cloud/open-port",
    title: "Port open to the internet",
    cwe: 284,
    severity: "warning",
    calls: "*.addIngressRule|allowFromAnyIpv4|allowDefaultPortFromAnyIpv4|allowFrom",
    when: {
      any: [
        { text: /allow\w*FromAnyIpv4/ },
        {
          all: [
            { argument: 0, reads: /anyIpv[46]\(\)|ipv4\(\s*["']0\.0\.0\.0\/0/ },
            { not: { argument: 1, reads: /\btcp\(\s*(?:80|443)\s*\)|HTTPS?\b/ } },
          ],
        },
      ],
    },
    wrong: `group.addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(22));`,
    right: `group.addIngressRule(ec2.Peer.ipv4("10.0.0.0/8"), ec2.Port.tcp(22));`,
    words: {
      what: "The whole internet reaches this port.",
      attack: "Anyone can try passwords and known flaws against it.",
      mend: "Name the addresses that may.",
    },
  },
  {
    id: "cloud/open-range",
    title: "Ports open to the internet",
    cwe: 284,
    severity: "warning",
    properties: "cidrIp cidrIpv6 cidr_blocks cidrBlocks CidrIp",
    when: { argument: 0, is: ["0.0.0.0/0", "::/0"] },
    unless: {
      any: [
        { argument: 1, option: "fromPort", is: [80, 443] },
        { argument: 1, option: "type", is: ["egress"] },
      ],
    },
    wrong: `const group = new CfnSecurityGroup(this, "a", { ingress: [{ fromPort: 22, cidrIp: "0.0.0.0/0" }] });`,
    right: `const group = new CfnSecurityGroup(this, "a", { ingress: [{ fromPort: 22, cidrIp: "10.0.0.0/8" }] });`,
    words: {
      what: "The whole internet reaches this.",
      attack: "Anyone can try passwords and known flaws against it.",
      mend: "Name the addresses that may.",
    },
  },
  {
    id: "cloud/every-right",
    title: "Overly broad IAM policy",
    cwe: 250,
    severity: "warning",
    calls:
      "aws-cdk-lib/aws-iam|@aws-cdk/aws-iam:PolicyStatement iam.PolicyStatement *.PolicyStatement *.addToPolicy|addToRolePolicy",
    when: {
      all: [
        {
          any: [
            { argument: 0, option: "actions", is: ["*", /^[\w-]+:\*$/] },
            { argument: 0, option: "principals", reads: /AnyPrincipal|StarPrincipal|ArnPrincipal\(\s*["']\*/ },
          ],
        },
        { not: { argument: 0, option: "effect", reads: /DENY/ } },
      ],
    },
    wrong: `role.addToPolicy(new iam.PolicyStatement({ actions: ["*"], resources: ["*"] }));`,
    right: `role.addToPolicy(new iam.PolicyStatement({ actions: ["s3:GetObject"], resources: [arn] }));`,
    words: {
      what: "This policy allows everything of a service, or everybody.",
      attack: "One fault in the program opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "cloud/every-right-document",
    title: "Overly broad IAM policy",
    cwe: 250,
    severity: "warning",
    properties: "Action Principal",
    when: {
      all: [
        { argument: 0, is: ["*"] },
        { argument: 1, option: "Effect", is: ["Allow"] },
      ],
    },
    wrong: `const statement = { Effect: "Allow", Action: "*", Resource: "*" };`,
    right: `const statement = { Effect: "Allow", Action: "s3:GetObject", Resource: arn };`,
    words: {
      what: "This policy allows everything, or everybody.",
      attack: "One fault in the program opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "cloud/admin-policy",
    title: "Administrator IAM policy",
    cwe: 250,
    severity: "warning",
    calls: "*.fromAwsManagedPolicyName",
    when: { argument: 0, is: [/^(?:AdministratorAccess|PowerUserAccess|IAMFullAccess)$/] },
    wrong: `role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName("AdministratorAccess"));`,
    right: `role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName("service-role/AWSLambdaBasicExecutionRole"));`,
    words: {
      what: "This role may do everything.",
      attack: "One fault in the program opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "cloud/no-authorisation",
    title: "Missing authorization",
    cwe: 306,
    severity: "info",
    properties: "authorizationType authType functionUrlAuthType",
    when: {
      any: [
        { argument: 0, reads: /\.NONE$/ },
        { argument: 0, is: ["NONE"] },
      ],
    },
    wrong: `const resource = api.addMethod("GET", integration, { authorizationType: AuthorizationType.NONE });`,
    right: `const resource = api.addMethod("GET", integration, { authorizationType: AuthorizationType.IAM });`,
    words: {
      what: "Anyone can call this.",
      attack: "Nothing checks who the caller is.",
      mend: "Set an authorization type, or say why none is needed.",
    },
  },
  {
    id: "cloud/privileged-build",
    title: "Privileged build",
    fix: { without: true },
    cwe: 250,
    severity: "warning",
    properties: "privileged privilegedMode allowPrivilegeEscalation hostNetwork hostPID",
    when: {
      all: [
        { argument: 0, is: [true] },
        { file: /aws-cdk|cdk8s|pulumi|kubernetes|codebuild|containerDefinitions|securityContext/i },
      ],
    },
    wrong: `const cdk = require("aws-cdk-lib");
const project = new Project(this, "a", { environment: { privileged: true } });`,
    right: `const cdk = require("aws-cdk-lib");
const project = new Project(this, "a", { environment: { privileged: false } });`,
    words: {
      what: "It runs with the rights of the machine.",
      attack: "An attacker who gets in can leave the container.",
      mend: "Leave it out.",
    },
  },
  {
    id: "cloud/key-rotation",
    title: "Key rotation disabled",
    fix: { value: "true" },
    cwe: 326,
    severity: "info",
    calls: "aws-cdk-lib/aws-kms|@aws-cdk/aws-kms:Key kms.Key *.Key",
    on: /^(?:kms|aws_kms|aws-cdk-lib\/aws-kms|@aws-cdk\/aws-kms)$/,
    when: {
      any: [
        { argument: 2, option: "enableKeyRotation", missing: true },
        { argument: 2, option: "enableKeyRotation", is: [false] },
      ],
    },
    wrong: `const key = new kms.Key(this, "key", { alias: "a" });`,
    right: `const key = new kms.Key(this, "key", { alias: "a", enableKeyRotation: true });`,
    words: {
      what: "This key never changes.",
      attack: "One that got out once opens everything for ever.",
      mend: "Set `enableKeyRotation: true`.",
    },
  },
];
