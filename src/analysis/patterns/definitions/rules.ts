import type { RuleTables } from "../find-patterns.ts";
import type { Setting } from "../row.ts";
import { DOCKER_SETTINGS } from "./docker-rules.ts";

const EVERYBODY: Setting["words"] = {
  what: "Anyone can read this bucket, or a rule may let them.",
  attack: "Anyone who finds its name can take what is in it.",
  mend: "Keep it private, and give access by signed addresses or by the network of delivery.",
};

/** Of the Serverless Framework and CloudFormation: argument 0 is the value of a property, argument 1 the object around it. */
const SERVERLESS_SETTINGS: readonly Setting[] = [
  {
    id: "serverless/every-right",
    title: "Overly broad IAM policy",
    cwe: 250,
    severity: "warning",
    properties: "Action",
    when: {
      all: [
        { argument: 0, is: ["*", /^[\w-]+:\*$/] },
        { argument: 1, option: "Effect", is: ["Allow"] },
        { argument: 1, option: "Resource", is: ["*"] },
      ],
    },
    wrong: `provider:
  iam:
    role:
      statements:
        - Effect: Allow
          Action: "dynamodb:*"
          Resource: "*"`,
    right: `provider:
  iam:
    role:
      statements:
        - Effect: Allow
          Action: dynamodb:GetItem
          Resource: arn:aws:dynamodb:eu-central-1:1:table/orders`,
    words: {
      what: "This role may do everything, or all of a service, with everything.",
      attack: "One fault in a function opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "serverless/admin-policy",
    title: "Administrator IAM policy",
    cwe: 250,
    severity: "warning",
    properties: "Policies ManagedPolicyArns managedPolicies iamManagedPolicies",
    when: { argument: 0, is: [/(?:^|\/)(?:AdministratorAccess|PowerUserAccess|IAMFullAccess)$/] },
    wrong: `provider:
  iam:
    role:
      managedPolicies:
        - arn:aws:iam::aws:policy/AdministratorAccess`,
    right: `provider:
  iam:
    role:
      managedPolicies:
        - arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole`,
    words: {
      what: "This role may do everything.",
      attack: "One fault in a function opens the whole account.",
      mend: "Name the actions and the resources.",
    },
  },
  {
    id: "serverless/any-principal",
    title: "Access for any AWS account",
    cwe: 284,
    severity: "warning",
    properties: "Principal",
    when: {
      all: [
        {
          any: [
            { argument: 0, is: ["*"] },
            { argument: 0, option: "AWS", is: ["*"] },
          ],
        },
        { argument: 1, option: "Effect", is: ["Allow"] },
        {
          argument: 1,
          option: "Action",
          is: [/\*$/, /:(?:Put|Delete|Create|Update|Send|Publish|Invoke|Receive|Assume)/i],
        },
        { not: { argument: 1, option: "Condition", present: true } },
      ],
    },
    wrong: `Statement:
  - Effect: Allow
    Principal: "*"
    Action: s3:PutObject
    Resource: arn:aws:s3:::files/*`,
    right: `Statement:
  - Effect: Allow
    Principal:
      Service: cloudfront.amazonaws.com
    Action: s3:GetObject
    Resource: arn:aws:s3:::files/*`,
    words: {
      what: "Anyone can do this.",
      attack: "Strangers write, delete or act as this role.",
      mend: "Name the service or the account, or add a `Condition`.",
    },
  },
  {
    id: "serverless/public-bucket",
    title: "Public S3 bucket",
    cwe: 732,
    severity: "warning",
    properties: "AccessControl",
    when: { argument: 0, is: [/^(?:PublicRead|PublicReadWrite|AuthenticatedRead)$/] },
    fix: { value: "Private" },
    wrong: `Type: AWS::S3::Bucket
Properties:
  AccessControl: PublicRead`,
    right: `Type: AWS::S3::Bucket
Properties:
  AccessControl: Private`,
    words: EVERYBODY,
  },
  {
    id: "serverless/public-bucket",
    title: "Public S3 bucket",
    cwe: 732,
    severity: "warning",
    properties: "BlockPublicAcls BlockPublicPolicy IgnorePublicAcls RestrictPublicBuckets",
    when: { argument: 0, is: [false] },
    fix: { value: "true" },
    wrong: `PublicAccessBlockConfiguration:
  BlockPublicPolicy: false`,
    right: `PublicAccessBlockConfiguration:
  BlockPublicPolicy: true`,
    words: EVERYBODY,
  },
  {
    id: "serverless/any-origin",
    title: "CORS: any origin with credentials",
    cwe: 942,
    severity: "warning",
    properties: "origin origins allowedOrigins AllowOrigin AllowOrigins",
    when: {
      all: [
        { argument: 0, is: ["*", "'*'"] },
        {
          any: ["allowCredentials", "AllowCredentials"].map((option) => ({
            ...{ argument: 1, option, is: [true, "true", "'true'"] },
          })),
        },
      ],
    },
    wrong: `cors:
  origin: "*"
  allowCredentials: true`,
    right: `cors:
  origin: https://example.com
  allowCredentials: true`,
    words: {
      what: "Every site may read the answers, in the name of the signed-in user.",
      attack: "A foreign page reads their data.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "serverless/open-answers",
    title: "CORS: any origin allowed",
    unlessSaid: "serverless/any-origin",
    cwe: 942,
    severity: "info",
    properties: "origin origins allowedOrigins AllowOrigin AllowOrigins",
    when: { argument: 0, is: ["*", "'*'"] },
    wrong: `cors:
  origin: "*"`,
    right: `cors:
  origin: https://example.com`,
    words: {
      what: "Every site may read the answers.",
      attack: "If an answer depends on the network or on who asks, other sites learn it.",
      mend: "Name the origins that may.",
    },
  },
  {
    id: "serverless/no-authorisation",
    title: "Missing authorization",
    cwe: 306,
    severity: "info",
    properties: "AuthType AuthorizationType authorizationType",
    when: { argument: 0, is: ["NONE"] },
    unless: { argument: 1, option: "HttpMethod", is: [/^options$/i] },
    wrong: `FunctionUrlConfig:
  AuthType: NONE`,
    right: `FunctionUrlConfig:
  AuthType: AWS_IAM`,
    words: {
      what: "Anyone can call this.",
      attack: "Nothing checks who the caller is.",
      mend: "Set an authorization type, or say why none is needed.",
    },
  },
  {
    id: "serverless/left-out",
    title: "Missing authorization on one function",
    cwe: 306,
    severity: "info",
    properties: "http httpApi",
    when: {
      all: [
        { argument: 0, option: "method", is: [/^(?:post|put|patch|delete)$/i] },
        { argument: 0, option: "authorizer", missing: true },
        { file: /^\s+authorizer\s*:/m },
      ],
    },
    unless: {
      any: [
        { argument: 0, option: "path", is: [/log-?in|sign-?(?:in|up)|regist|auth|token|hook|callback|public|health/i] },
        { argument: 0, option: "private", is: [true] },
      ],
    },
    confidence: 0.5,
    wrong: `functions:
  list:
    events:
      - http: { path: orders, method: get, authorizer: aws_iam }
  remove:
    events:
      - http: { path: orders, method: delete }
custom:
  authorizer: shared`,
    right: `functions:
  list:
    events:
      - http:
          path: orders
          method: get
          authorizer: aws_iam
  remove:
    events:
      - http:
          path: orders
          method: delete
          authorizer: aws_iam`,
    words: {
      what: "Its neighbours ask who is there, this function does not.",
      attack: "Anyone who knows the URL can change what it changes.",
      mend: "Give it the same `authorizer`, or say why it needs none.",
    },
  },
  {
    id: "serverless/plain-storage",
    title: "Encryption at rest disabled",
    cwe: 311,
    severity: "warning",
    properties: "StorageEncrypted Encrypted SSEEnabled AtRestEncryptionEnabled",
    when: { argument: 0, is: [false] },
    fix: { value: "true" },
    wrong: `Type: AWS::RDS::DBInstance
Properties:
  StorageEncrypted: false`,
    right: `Type: AWS::RDS::DBInstance
Properties:
  StorageEncrypted: true`,
    words: {
      what: "What is stored is not encrypted.",
      attack: "Anyone with the disk, or a copy of it, can read it.",
      mend: "Switch it on.",
    },
  },
  {
    id: "serverless/plain-transport",
    title: "Unencrypted transport allowed",
    cwe: 319,
    severity: "warning",
    properties: "TransitEncryptionEnabled EnforceHTTPS RequireTLS ViewerProtocolPolicy",
    when: { argument: 0, is: [false, "allow-all"] },
    fix: { replace: [/^(["']?)allow-all\1$/, "redirect-to-https"] },
    wrong: `DefaultCacheBehavior:
  ViewerProtocolPolicy: allow-all`,
    right: `DefaultCacheBehavior:
  ViewerProtocolPolicy: redirect-to-https`,
    words: {
      what: "Data also goes without encryption.",
      attack: "An attacker on the network can read and change it.",
      mend: "Ask for TLS.",
    },
  },
  {
    id: "serverless/old-protocol",
    title: "Outdated TLS version",
    cwe: 327,
    severity: "warning",
    properties: "MinimumProtocolVersion SecurityPolicy securityPolicy TLSSecurityPolicy SslPolicy minTlsVersion",
    when: {
      argument: 0,
      is: [
        /^(?:SSLv3|TLSv1(?:\.1)?(?:_2016)?|TLS_1_0|TLS_1_1|Policy-Min-TLS-1-0-2019-07|ELBSecurityPolicy-(?:2015-05|TLS-1-[01][\w-]*))$/i,
      ],
    },
    wrong: `customDomain:
  securityPolicy: tls_1_0`,
    right: `customDomain:
  securityPolicy: tls_1_2`,
    words: {
      what: "A protocol version below TLS 1.2 is allowed.",
      attack: "Known flaws in old versions let an attacker on the network read the traffic.",
      mend: "Ask for TLS 1.2 or above.",
    },
  },
  {
    id: "serverless/public-database",
    title: "Database exposed to the internet",
    cwe: 284,
    severity: "warning",
    properties: "PubliclyAccessible publiclyAccessible",
    when: { argument: 0, is: [true] },
    fix: { value: "false" },
    wrong: `Type: AWS::RDS::DBInstance
Properties:
  PubliclyAccessible: true`,
    right: `Type: AWS::RDS::DBInstance
Properties:
  PubliclyAccessible: false`,
    words: {
      what: "The database has an address in the internet.",
      attack: "Anyone can try passwords and known flaws against it.",
      mend: "Keep it in the private network.",
    },
  },
  {
    id: "serverless/open-port",
    title: "Port open to the internet",
    cwe: 284,
    severity: "warning",
    properties: "CidrIp CidrIpv6",
    when: {
      all: [
        { argument: 0, is: ["0.0.0.0/0", "::/0"] },
        {
          argument: 1,
          option: "FromPort",
          is: [22, 23, 1433, 1521, 2375, 3306, 3389, 5432, 5601, 5900, 6379, 9200, 11211, 27017].flatMap((port) => [
            port,
            String(port),
          ]),
        },
      ],
    },
    wrong: `SecurityGroupIngress:
  - IpProtocol: tcp
    FromPort: 5432
    ToPort: 5432
    CidrIp: 0.0.0.0/0`,
    right: `SecurityGroupIngress:
  - IpProtocol: tcp
    FromPort: 5432
    ToPort: 5432
    CidrIp: 10.0.0.0/8`,
    words: {
      what: "The whole internet reaches this port of an administrator or a database.",
      attack: "Anyone can try passwords and known flaws against it.",
      mend: "Name the addresses that may.",
    },
  },
  {
    id: "serverless/privileged",
    title: "Privileged container",
    cwe: 250,
    severity: "warning",
    properties: "Privileged PrivilegedMode",
    when: { argument: 0, is: [true] },
    wrong: `ContainerDefinitions:
  - Name: app
    Privileged: true`,
    right: `ContainerDefinitions:
  - Name: app
    Privileged: false`,
    fix: { value: "false" },
    words: {
      what: "This container has every right on its machine.",
      attack: "One fault in it opens the machine.",
      mend: "Leave it out, or name the one capability that it needs.",
    },
  },
];

/** Of Dockerfiles, and of definitions of what runs in a cloud. */
export const DEFINITION_RULES: RuleTables = {
  sources: [],
  cleaners: [],
  handlers: [],
  sinks: [],
  settings: [...DOCKER_SETTINGS, ...SERVERLESS_SETTINGS],
};
