import { ApolloServer } from "@apollo/server";
import { ApolloServerPluginLandingPageLocalDefault } from "@apollo/server/plugin/landingPage/default";
import { ApolloServerPluginLandingPageDisabled } from "@apollo/server/plugin/disabled";
import { createYoga } from "graphql-yoga";
import { graphqlHTTP } from "express-graphql";
import { GraphQLModule } from "@nestjs/graphql";
import { ApolloDriver, type ApolloDriverConfig } from "@nestjs/apollo";
import { Module } from "@nestjs/common";
import depthLimit from "graphql-depth-limit";
import { createComplexityRule, simpleEstimator } from "graphql-query-complexity";
import mercurius from "mercurius";
import fastify from "fastify";
import { schema, typeDefs, resolvers } from "./schema";

// wrong: CWE-200 schema is told to everybody
export const open = new ApolloServer({ typeDefs, resolvers, introspection: true, validationRules: [depthLimit(8)] });
// right: CWE-200 schema is told in development
export const development = new ApolloServer({ typeDefs, resolvers, introspection: process.env.NODE_ENV === "development" });
// wrong: CWE-209 stack traces in answers
export const traced = new ApolloServer({ typeDefs, resolvers, includeStacktraceInErrorResponses: true });
// right: CWE-209 no stack traces
export const quiet = new ApolloServer({ typeDefs, resolvers, includeStacktraceInErrorResponses: false });
// right: CWE-770 depth is limited
export const shallow = new ApolloServer({ typeDefs, resolvers, validationRules: [depthLimit(5)] });
// right: CWE-770 complexity is limited
export const simple = new ApolloServer({ typeDefs, resolvers, validationRules: [createComplexityRule({ maximumComplexity: 200, estimators: [simpleEstimator()] })] });
// wrong: CWE-489 landing page in production
export const landing = new ApolloServer({ typeDefs, resolvers, plugins: [ApolloServerPluginLandingPageLocalDefault({ embed: true })] });
// right: CWE-489 landing page off
export const landed = new ApolloServer({ typeDefs, resolvers, plugins: [ApolloServerPluginLandingPageDisabled()] });
// wrong: CWE-770 batches without a limit
export const batched = new ApolloServer({ typeDefs, resolvers, allowBatchedHttpRequests: true });
// right: CWE-770 batches are refused
export const single = new ApolloServer({ typeDefs, resolvers, allowBatchedHttpRequests: false });

// wrong: CWE-489 console of Yoga
export const yoga = createYoga({ schema, graphiql: true });
// right: CWE-489 console off
export const yogaQuiet = createYoga({ schema, graphiql: false, maskedErrors: true });
// wrong: CWE-209 errors are not masked
export const yogaLoud = createYoga({ schema, maskedErrors: false, graphiql: false });

// wrong: CWE-489 console of express-graphql
export const middleware = graphqlHTTP({ schema, graphiql: true });
// right: CWE-489 console in development only
export const middlewareSafe = graphqlHTTP({ schema, graphiql: process.env.NODE_ENV !== "production", validationRules: [depthLimit(6)] });

@Module({
  imports: [
    GraphQLModule.forRoot<ApolloDriverConfig>({
      driver: ApolloDriver,
      autoSchemaFile: true,
      // wrong: CWE-489 playground
      playground: true,
      // wrong: CWE-352 prevention off
      csrfPrevention: false,
      // right: CWE-200 schema is not told
      introspection: false,
      // wrong: CWE-489 debug output
      debug: true,
    }),
  ],
})
export class OpenModule {}

const app = fastify();
// wrong: CWE-489 console of Mercurius
app.register(mercurius, { schema, graphiql: true });
// right: CWE-770 depth of Mercurius
app.register(mercurius, { schema, graphiql: false, queryDepth: 7 });
