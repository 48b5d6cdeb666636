import * as cdk from "aws-cdk-lib";
import * as s3 from "aws-cdk-lib/aws-s3";
import * as sqs from "aws-cdk-lib/aws-sqs";
import * as iam from "aws-cdk-lib/aws-iam";
import * as ec2 from "aws-cdk-lib/aws-ec2";
import * as rds from "aws-cdk-lib/aws-rds";
import * as codebuild from "aws-cdk-lib/aws-codebuild";
import * as kms from "aws-cdk-lib/aws-kms";
import { Topic } from "aws-cdk-lib/aws-sns";
import { Function as Fn, FunctionUrlAuthType } from "aws-cdk-lib/aws-lambda";

export class Stack extends cdk.Stack {
  constructor(scope, id) {
    super(scope, id);
    // wrong: CWE-311
    const a = new s3.Bucket(this, "a");
    // right: CWE-311
    const b = new s3.Bucket(this, "b", { encryption: s3.BucketEncryption.S3_MANAGED, enforceSSL: true, blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL, versioned: true });
    // wrong: CWE-319
    const c = new s3.Bucket(this, "c", { encryption: s3.BucketEncryption.KMS, enforceSSL: false });
    // wrong: CWE-732
    const d = new s3.Bucket(this, "d", { publicReadAccess: true });
    // wrong: CWE-311
    const e = new s3.Bucket(this, "e", { encryption: s3.BucketEncryption.UNENCRYPTED });
    // wrong: CWE-732
    a.grantPublicAccess();
    // wrong: CWE-311
    const q = new sqs.Queue(this, "q");
    // right: CWE-311
    const q2 = new sqs.Queue(this, "q2", { encryption: sqs.QueueEncryption.KMS_MANAGED });
    // wrong: CWE-311
    const q3 = new sqs.Queue(this, "q3", { encryption: sqs.QueueEncryption.UNENCRYPTED });
    // wrong: CWE-306
    const p = new codebuild.Project(this, "p", { badge: true, publicBuilds: true });
    // wrong: CWE-250
    role.addToPolicy(new iam.PolicyStatement({ actions: ["*"], resources: ["*"] }));
    // right: CWE-250
    role.addToPolicy(new iam.PolicyStatement({ actions: ["s3:GetObject"], resources: [b.bucketArn] }));
    // wrong: CWE-284
    group.addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(22));
    // right: CWE-284
    group.addIngressRule(ec2.Peer.ipv4("10.0.0.0/16"), ec2.Port.tcp(22));
    // wrong: CWE-284
    group.addIngressRule(ec2.Peer.anyIpv6(), ec2.Port.allTraffic());
    // wrong: CWE-284
    const db = new rds.DatabaseInstance(this, "db", { engine, vpc, publiclyAccessible: true, storageEncrypted: true });
    // wrong: CWE-311
    const db2 = new rds.DatabaseInstance(this, "db2", { engine, vpc, storageEncrypted: false });
    // right: CWE-311
    const db3 = new rds.DatabaseInstance(this, "db3", { engine, vpc, storageEncrypted: true });
    // wrong: CWE-320
    const key = new kms.Key(this, "k", { enableKeyRotation: false });
    // right: CWE-320
    const key2 = new kms.Key(this, "k2", { enableKeyRotation: true });
    // wrong: CWE-306
    fn.addFunctionUrl({ authType: FunctionUrlAuthType.NONE });
    // right: CWE-306
    fn.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM });
    // wrong: CWE-798
    new Fn(this, "f", { environment: { DB_PASSWORD: "hunter2hunter2" } });
    // wrong: CWE-250
    role.addManagedPolicy(iam.ManagedPolicy.fromAwsManagedPolicyName("AdministratorAccess"));
    // wrong: CWE-284
    new iam.Role(this, "r", { assumedBy: new iam.AnyPrincipal() });
    // right: CWE-284
    new iam.Role(this, "r2", { assumedBy: new iam.ServicePrincipal("lambda.amazonaws.com") });
    // wrong: CWE-319
    listener.addTargets("t", { protocol: ApplicationProtocol.HTTP, port: 80 });
    // wrong: CWE-284
    new ec2.CfnSecurityGroupIngress(this, "i", { ipProtocol: "-1", cidrIp: "0.0.0.0/0" });
  }
}

import * as aws from "@pulumi/aws";
// wrong: CWE-732
const bucket = new aws.s3.Bucket("files", { acl: "public-read" });
// right: CWE-732
const own = new aws.s3.Bucket("own", { acl: "private" });
// wrong: CWE-284
const sg = new aws.ec2.SecurityGroup("sg", { ingress: [{ protocol: "tcp", fromPort: 22, toPort: 22, cidrBlocks: ["0.0.0.0/0"] }] });

const grpc = require("@grpc/grpc-js");
// wrong: CWE-319
const client = new proto.Greeter("api.example.com:50051", grpc.credentials.createInsecure());
// right: CWE-319
const secure = new proto.Greeter("api.example.com:50051", grpc.credentials.createSsl());
// wrong: CWE-319
server.bindAsync("0.0.0.0:50051", grpc.ServerCredentials.createInsecure(), done);

const s3c = new AWS.S3();
// wrong: CWE-732
s3c.putObject({ Bucket: "b", Key: "k", Body: body, ACL: "public-read" });
// right: CWE-732
s3c.putObject({ Bucket: "b", Key: "k", Body: body });
