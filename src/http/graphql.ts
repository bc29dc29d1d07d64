import { ApolloServer } from '@apollo/server'
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled'
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled'
import type { GatewayInterface } from '@apollo/server-gateway-interface'
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from '@as-integrations/fastify'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import type { Credentials } from '../auth/caller.ts'
import { errorCodes, isPublic } from '../errors.ts'
import type { Context } from '../gateway/context.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Logger } from '../log.ts'

interface GraphqlOptions {
  readonly gateway: Gateway
  readonly introspection: boolean
  readonly log: Logger
}

/** GraphQL over HTTP: Apollo Server's protocol, our execution. */
export async function mountGraphql(
  app: FastifyInstance,
  { gateway, introspection, log }: GraphqlOptions,
): Promise<void> {
  const apollo = new ApolloServer<Context>({
    gateway: ours(gateway),
    introspection,
    includeStacktraceInErrorResponses: false,
    logger: {
      debug: () => {},
      info: () => {},
      warn: (message) => log.warn(message),
      error: (message) => log.error(message),
    },
    plugins: [
      // It would wrap every resolver of the schema, at a cost of half the speed, for a cache that we do not offer.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      fastifyApolloDrainPlugin(app),
    ],
  })
  await apollo.start()
  app.route({
    url: '/graphql',
    method: ['GET', 'POST'],
    handler: fastifyApolloHandler(apollo, { context: (request) => contextOf(gateway, request) }),
  })
}

export const credentialsOf = ({ headers }: Pick<FastifyRequest, 'headers'>): Credentials => ({
  authorization: headers.authorization,
  connectionToken: headers['connection-token']?.toString(),
})

async function contextOf(gateway: Gateway, request: FastifyRequest): Promise<Context> {
  const credentials = credentialsOf(request)
  try {
    return gateway.contextFor(await gateway.authenticate(credentials), credentials)
  } catch (error) {
    if (!isPublic(error)) throw error
    throw new GraphQLError(error.message, {
      extensions: { ...error.extensions, http: { status: errorCodes[error.code].status } },
    })
  }
}

/** Apollo Server parses and validates; the gateway runs what is left. */
function ours({ supergraph, execute }: Gateway): GatewayInterface {
  const listeners: Parameters<GatewayInterface['onSchemaLoadOrUpdate']>[0][] = []
  return {
    onSchemaLoadOrUpdate(listener) {
      listeners.push(listener)
      return () => {}
    },
    async load() {
      for (const listener of listeners)
        listener({ apiSchema: supergraph.apiSchema, coreSupergraphSdl: supergraph.sdl })
      return {
        executor: ({ document, operationName, request, context }) =>
          execute({ document, operationName, variables: request.variables, context }),
      }
    },
    stop: () => Promise.resolve(),
  }
}
