import { Duration, RemovalPolicy, Stack, aws_s3 as s3, type StackProps } from "aws-cdk-lib";
import { AttributeType, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { FileSystem } from "aws-cdk-lib/aws-efs";
import { Volume } from "aws-cdk-lib/aws-ec2";
import * as ec2 from "aws-cdk-lib/aws-ec2";
import * as kms from "aws-cdk-lib/aws-kms";
import * as sns from "aws-cdk-lib/aws-sns";
import * as sqs from "aws-cdk-lib/aws-sqs";
import { Repository } from "aws-cdk-lib/aws-ecr";
import type { Construct } from "constructs";

export class StorageStack extends Stack {
  constructor(scope: Construct, id: string, props: StackProps & { vpc: ec2.IVpc }) {
    super(scope, id, props);
    const key = new kms.Key(this, "Key", { enableKeyRotation: true });

    new s3.Bucket(this, "Open", {
      // wrong: CWE-732 everybody may read
      publicReadAccess: true,
      // wrong: CWE-311 not encrypted
      encryption: s3.BucketEncryption.UNENCRYPTED,
      // wrong: CWE-319 clear text allowed
      enforceSSL: false,
    });
    new s3.Bucket(this, "Closed", {
      // right: CWE-732 public access is blocked
      blockPublicAccess: s3.BlockPublicAccess.BLOCK_ALL,
      // right: CWE-311 encrypted with a key
      encryption: s3.BucketEncryption.KMS,
      encryptionKey: key,
      // right: CWE-319 TLS only
      enforceSSL: true,
      versioned: true,
    });
    // wrong: CWE-732 list of rights for everybody
    new s3.Bucket(this, "Acl", { accessControl: s3.BucketAccessControl.PUBLIC_READ_WRITE, enforceSSL: true });
    // right: CWE-732 private list of rights
    new s3.Bucket(this, "Private", { accessControl: s3.BucketAccessControl.PRIVATE, enforceSSL: true });
    const site = new s3.Bucket(this, "Site", { enforceSSL: true });
    // wrong: CWE-732 granted to everybody
    site.grantPublicAccess();
    new s3.Bucket(this, "Partly", {
      enforceSSL: true,
      // wrong: CWE-732 policies may open it
      blockPublicAccess: new s3.BlockPublicAccess({ blockPublicPolicy: false, restrictPublicBuckets: false }),
    });

    // right: CWE-311 table with a key of ours
    new Table(this, "Orders", { partitionKey: { name: "id", type: AttributeType.STRING }, encryption: TableEncryption.CUSTOMER_MANAGED, encryptionKey: key });
    // wrong: CWE-311 file system without encryption
    new FileSystem(this, "Files", { vpc: props.vpc, encrypted: false });
    // right: CWE-311 file system with encryption
    new FileSystem(this, "FilesSafe", { vpc: props.vpc, encrypted: true, removalPolicy: RemovalPolicy.RETAIN });
    // wrong: CWE-311 volume without encryption
    new Volume(this, "Disk", { availabilityZone: "eu-central-1a", encrypted: false });
    // right: CWE-311 volume with encryption
    new Volume(this, "DiskSafe", { availabilityZone: "eu-central-1a", encrypted: true, encryptionKey: key });
    // wrong: CWE-311 queue without encryption
    new sqs.Queue(this, "Jobs", { encryption: sqs.QueueEncryption.UNENCRYPTED });
    // right: CWE-311 queue with a key
    new sqs.Queue(this, "JobsSafe", { encryption: sqs.QueueEncryption.KMS, encryptionMasterKey: key, retentionPeriod: Duration.days(4) });
    // right: CWE-311 topic with a key
    new sns.Topic(this, "NewsSafe", { masterKey: key });
    // wrong: CWE-311 topic without a key
    new sns.Topic(this, "News", { displayName: "news" });
    // wrong: CWE-320 key that never changes
    new kms.Key(this, "Still", { enableKeyRotation: false });
    // right: CWE-320 key that changes
    new kms.Key(this, "Rotating", { enableKeyRotation: true });
    // wrong: CWE-1104 images are not looked through
    new Repository(this, "Images", { imageScanOnPush: false });
    // right: CWE-1104 images are looked through
    new Repository(this, "ImagesSafe", { imageScanOnPush: true });
  }
}
