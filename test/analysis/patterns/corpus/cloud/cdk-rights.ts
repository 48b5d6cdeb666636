import { App, Stack, SecretValue, aws_iam as iam, aws_lambda as lambda, aws_apigateway as apigateway, aws_cognito as cognito, aws_cloudfront as cloudfront } from "aws-cdk-lib";
import { Effect, PolicyStatement, ManagedPolicy, AnyPrincipal, ServicePrincipal, Role } from "aws-cdk-lib/aws-iam";
import type { Bucket } from "aws-cdk-lib/aws-s3";
import type { IOrigin } from "aws-cdk-lib/aws-cloudfront";

export class RightsStack extends Stack {
  constructor(app: App, bucket: Bucket, fn: lambda.Function, origin: IOrigin) {
    super(app, "Rights");
    const role = new Role(this, "Role", { assumedBy: new ServicePrincipal("lambda.amazonaws.com") });

    // wrong: CWE-269 every action on everything
    role.addToPolicy(new PolicyStatement({ effect: Effect.ALLOW, actions: ["*"], resources: ["*"] }));
    // right: CWE-269 one action on one bucket
    role.addToPolicy(new PolicyStatement({ actions: ["s3:GetObject"], resources: [bucket.arnForObjects("*")] }));
    // wrong: CWE-269 all of a service on everything
    fn.addToRolePolicy(new iam.PolicyStatement({ actions: ["iam:*"], resources: ["*"] }));
    // right: CWE-269 deny is no grant
    role.addToPolicy(new PolicyStatement({ effect: Effect.DENY, actions: ["*"], resources: ["*"] }));
    // wrong: CWE-269 policy of administrators
    role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName("AdministratorAccess"));
    // right: CWE-269 policy for reading
    role.addManagedPolicy(ManagedPolicy.fromAwsManagedPolicyName("CloudWatchReadOnlyAccess"));
    // wrong: CWE-732 everybody may read the bucket
    bucket.addToResourcePolicy(new PolicyStatement({ actions: ["s3:GetObject"], resources: [bucket.arnForObjects("*")], principals: [new AnyPrincipal()] }));
    // right: CWE-732 a service may read the bucket
    bucket.addToResourcePolicy(new PolicyStatement({ actions: ["s3:GetObject"], resources: [bucket.arnForObjects("*")], principals: [new ServicePrincipal("cloudfront.amazonaws.com")] }));
    // wrong: CWE-732 star as a principal
    bucket.addToResourcePolicy(new PolicyStatement({ actions: ["s3:*"], resources: [bucket.bucketArn], principals: [new iam.StarPrincipal()] }));
    // right: CWE-269 grant of the construct
    bucket.grantRead(fn);
    // wrong: CWE-732 role that all may assume
    new Role(this, "Open", { assumedBy: new iam.AnyPrincipal() });

    // wrong: CWE-306 address of a function without a login
    fn.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.NONE });
    // right: CWE-306 address of a function with signatures
    fn.addFunctionUrl({ authType: lambda.FunctionUrlAuthType.AWS_IAM });
    const api = new apigateway.RestApi(this, "Api");
    // wrong: CWE-306 method without a login
    api.root.addMethod("DELETE", undefined, { authorizationType: apigateway.AuthorizationType.NONE });
    // right: CWE-306 method with signatures
    api.root.addMethod("POST", undefined, { authorizationType: apigateway.AuthorizationType.IAM });
    // wrong: CWE-942 gateway for every origin
    api.root.addCorsPreflight({ allowOrigins: apigateway.Cors.ALL_ORIGINS, allowCredentials: true });
    // right: CWE-942 gateway for one origin
    api.root.addCorsPreflight({ allowOrigins: ["https://app.example.com"], allowCredentials: true });
    // wrong: CWE-521 short passwords
    new cognito.UserPool(this, "Users", { passwordPolicy: { minLength: 6, requireDigits: false } });
    // right: CWE-521 long passwords and a second factor
    new cognito.UserPool(this, "UsersSafe", { mfa: cognito.Mfa.REQUIRED, passwordPolicy: { minLength: 12 } });
    // wrong: CWE-319 visitors in clear text
    new cloudfront.Distribution(this, "Site", { defaultBehavior: { origin, viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.ALLOW_ALL } });
    // right: CWE-319 visitors by TLS
    new cloudfront.Distribution(this, "SiteSafe", { defaultBehavior: { origin, viewerProtocolPolicy: cloudfront.ViewerProtocolPolicy.REDIRECT_TO_HTTPS }, minimumProtocolVersion: cloudfront.SecurityPolicyProtocol.TLS_V1_2_2021 });
    // wrong: CWE-798 secret in the variables of a function
    fn.addEnvironment("DB_PASSWORD", "Lantern.street.26");
    // right: CWE-798 name of a secret in the variables of a function
    fn.addEnvironment("DB_SECRET_NAME", "shop/db");
    // right: CWE-798 reference to a secret
    new iam.User(this, "User", { password: SecretValue.secretsManager("user-password") });
    // wrong: CWE-798 password of a user in the source
    new iam.User(this, "UserPlain", { password: SecretValue.unsafePlainText("Lantern.street.27") });
  }
}
