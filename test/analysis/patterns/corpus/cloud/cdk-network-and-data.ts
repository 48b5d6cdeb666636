import * as cdk from "aws-cdk-lib";
import * as ec2 from "aws-cdk-lib/aws-ec2";
import * as rds from "aws-cdk-lib/aws-rds";
import * as elb from "aws-cdk-lib/aws-elasticloadbalancingv2";
import * as redshift from "@aws-cdk/aws-redshift-alpha";
import * as opensearch from "aws-cdk-lib/aws-opensearchservice";
import { CfnReplicationGroup } from "aws-cdk-lib/aws-elasticache";
import { CfnInstance } from "aws-cdk-lib/aws-ec2";

export class DataStack extends cdk.Stack {
  constructor(app: cdk.App, vpc: ec2.Vpc) {
    super(app, "Data");
    const group = new ec2.SecurityGroup(this, "Group", { vpc, allowAllOutbound: false });

    // wrong: CWE-284 ssh for the world
    group.addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(22), "ssh");
    // wrong: CWE-284 everything for the world of IPv6
    group.addIngressRule(ec2.Peer.anyIpv6(), ec2.Port.allTraffic());
    // wrong: CWE-284 database for the world by its numbers
    group.addIngressRule(ec2.Peer.ipv4("0.0.0.0/0"), ec2.Port.tcp(5432));
    // right: CWE-284 ssh inside of the network
    group.addIngressRule(ec2.Peer.ipv4("10.0.0.0/16"), ec2.Port.tcp(22));
    // right: CWE-284 web by TLS for everybody
    group.addIngressRule(ec2.Peer.anyIpv4(), ec2.Port.tcp(443));
    // right: CWE-284 another group
    group.addIngressRule(ec2.Peer.securityGroupId("sg-0123456789abcdef0"), ec2.Port.tcp(5432));
    // wrong: CWE-284 connections of every address
    group.connections.allowFromAnyIpv4(ec2.Port.tcp(3306));

    const engine = rds.DatabaseInstanceEngine.postgres({ version: rds.PostgresEngineVersion.VER_16 });
    new rds.DatabaseInstance(this, "Open", {
      engine,
      vpc,
      // wrong: CWE-284 reachable from everywhere
      publiclyAccessible: true,
      // wrong: CWE-311 not encrypted
      storageEncrypted: false,
      // wrong: CWE-798 password in the source
      credentials: rds.Credentials.fromPassword("shop", cdk.SecretValue.unsafePlainText("Harbour.lights.26")),
    });
    new rds.DatabaseInstance(this, "Closed", {
      engine,
      vpc,
      // right: CWE-284 private
      publiclyAccessible: false,
      // right: CWE-311 encrypted
      storageEncrypted: true,
      // right: CWE-798 generated secret
      credentials: rds.Credentials.fromGeneratedSecret("shop"),
      deletionProtection: true,
    });
    // right: CWE-311 cluster with encryption
    new rds.DatabaseCluster(this, "Cluster", { engine: rds.DatabaseClusterEngine.AURORA_POSTGRESQL, vpc, storageEncrypted: true, writer: rds.ClusterInstance.serverlessV2("w") });
    // wrong: CWE-311 warehouse without encryption
    new redshift.Cluster(this, "House", { vpc, masterUser: { masterUsername: "admin" }, encrypted: false });

    const balancer = new elb.ApplicationLoadBalancer(this, "Balancer", { vpc, internetFacing: true });
    // wrong: CWE-319 listener in clear text
    balancer.addListener("Http", { port: 80, protocol: elb.ApplicationProtocol.HTTP, defaultAction: elb.ListenerAction.fixedResponse(200) });
    // right: CWE-319 port 80 only leads to 443
    balancer.addListener("Away", { port: 80, defaultAction: elb.ListenerAction.redirect({ protocol: "HTTPS", port: "443", permanent: true }) });
    // wrong: CWE-327 policy with old protocols
    balancer.addListener("Old", { port: 443, sslPolicy: elb.SslPolicy.TLS10_EXT, certificates: [] });

    new opensearch.Domain(this, "Search", {
      version: opensearch.EngineVersion.OPENSEARCH_2_5,
      // wrong: CWE-319 clear text allowed
      enforceHttps: false,
      // wrong: CWE-319 nodes talk in clear text
      nodeToNodeEncryption: false,
      // right: CWE-311 encrypted at rest
      encryptionAtRest: { enabled: true },
    });
    // wrong: CWE-319 cache without TLS
    new CfnReplicationGroup(this, "Cache", { replicationGroupDescription: "cache", transitEncryptionEnabled: false, atRestEncryptionEnabled: true });
    // wrong: CWE-918 metadata service without a token
    new CfnInstance(this, "Box", { imageId: "ami-0", metadataOptions: { httpTokens: "optional" } } as ec2.CfnInstanceProps);
    // right: CWE-918 metadata service with a token
    new ec2.Instance(this, "BoxSafe", { vpc, instanceType: new ec2.InstanceType("t3.micro"), machineImage: ec2.MachineImage.latestAmazonLinux2023(), requireImdsv2: true });
  }
}
