import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import type { AccessMonitor } from '../../auth/access-revocation.ts'
import { errorCodes, isPublic, PublicError } from '../../domain/errors.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation, type OperationWithVariables } from '../../gateway/operation.ts'
import type { Requester } from '../../gateway/requester.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { createDocumentCache } from '../graphql/document-cache.ts'
import { SubscriptionStreams, toSubscriptionStream } from './subscription-streams.ts'
import { validationRules } from '../graphql/validation-rules.ts'
import type { ConnectionLimiter } from '../connection-limits.ts'
import { streamCredentialsOf } from './credentials.ts'
import { revocableStream } from '../revocable-stream.ts'
import { readParams } from './request-params.ts'
import { type Reservation, Reservations } from './reservations.ts'

interface StreamOptions {
  readonly gateway: Gateway
  readonly access?: Pick<AccessMonitor, 'open'>
  readonly introspection: boolean
  readonly log: Logger
  readonly limiter: ConnectionLimiter
}

/**
 * GraphQL over SSE (graphql-sse's protocol) at `/graphql`, with the same execution as over HTTP: one operation on a
 * stream of its own, or many on one stream that was reserved before.
 */
export class GraphqlSse {
  private readonly distinct: SubscriptionStreams
  private readonly reservations: Reservations
  private readonly documentOf

  constructor(private readonly options: StreamOptions) {
    const { gateway, introspection, log } = options
    this.distinct = new SubscriptionStreams(log)
    this.reservations = new Reservations(log)
    this.documentOf = createDocumentCache(gateway.supergraph.apiSchema, validationRules({ introspection }))
  }

  get open(): number {
    return this.distinct.open + this.reservations.open
  }

  /** Whether a GET or a POST is of this protocol. */
  readonly isSseRequest = (request: FastifyRequest): boolean =>
    acceptsStream(request) || this.reservations.of(request) !== null

  readonly answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      const reservation = this.reservations.of(request)
      if (reservation && !acceptsStream(request)) return await this.runOperation(reservation, request, reply)
      if (!reservation) return await this.stream(request, reply)
      await this.requesterOf(request, reservation)
      this.reservations.fulfil(reservation, reply)
      return reply
    } catch (error) {
      return refuse(error, reply)
    }
  }

  /** Serves the two methods that are of this protocol alone. */
  mount(app: FastifyInstance): void {
    app.put('/graphql', async (request, reply) => {
      try {
        const requester = await this.requesterOf(request)
        const left = this.options.limiter.take('sockets', requester.caller.applicationId)
        const reservation = this.reservations.make(requester.caller, left)
        await this.keepOpen(reservation, requester)
        return reply.code(201).type('text/plain').send(reservation.token)
      } catch (error) {
        return refuse(error, reply)
      }
    })
    app.delete('/graphql', async (request, reply) => {
      const { operationId } = request.query as { operationId?: string }
      const reservation = this.reservations.of(request)
      if (!reservation || operationId === undefined)
        return refuse(new PublicError('not_found', 'There is no such stream.'), reply)
      this.reservations.stop(reservation, operationId)
      return reply.code(200).send()
    })
  }

  async close(): Promise<void> {
    this.reservations.close()
    await this.distinct.close()
  }

  /** One operation on a stream of its own. What is wrong with it is told there: a browser sees nothing else. */
  private async stream(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const requester = await this.requesterOf(request)
    const ready = this.prepare(request)
    if (!('operation' in ready)) return this.distinct.sendOnce(reply, { errors: ready })
    const { gateway } = this.options
    if (ready.operation.type !== 'subscription')
      return this.distinct.sendOnce(reply, await this.executed(ready, requester))
    const left = this.claimStream(requester)
    try {
      // An EventSource that has seen no event yet may send it empty.
      const lastEventId = request.headers['last-event-id']?.toString() || undefined
      const outcome = await gateway.subscribe(ready, requester, lastEventId)
      if (!('answerTo' in outcome)) return await this.distinct.sendOnce(reply, outcome)
      const answers = await toSubscriptionStream(outcome)
      const events = await revocableStream(answers.events, (ended) => this.opened(requester, ended))
      await this.distinct.send(reply, { ...answers, events })
      return reply
    } finally {
      left()
    }
  }

  /** One operation whose answers go to the stream of a reservation. */
  private async runOperation(
    reservation: Reservation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const requester = await this.requesterOf(request, reservation)
    const { operationId } = readParams(request)
    if (operationId === null) throw new PublicError('bad_request', 'The operation has no id.')
    const ready = this.prepare(request)
    if (!('operation' in ready)) return reply.code(400).send({ errors: ready })
    this.options.limiter.checkOperations(reservation.operations.size + 1)
    const isStream = ready.operation.type === 'subscription'
    const left = isStream
      ? this.options.limiter.take('subscriptions', requester.caller.applicationId)
      : () => undefined
    this.reservations.reserve(reservation, operationId, left)
    const outcome = isStream
      ? await this.options.gateway.subscribe(ready, requester)
      : await this.executed(ready, requester)
    void this.reservations.run(reservation, operationId, outcome)
    return reply.code(202).send()
  }

  private opened({ credentials, caller }: Requester, ended: (why: PublicError) => void) {
    return this.options.access?.open(credentials, caller, ended)
  }

  /** A stream that was reserved stays as long as what it was reserved with is good. */
  private async keepOpen(reservation: Reservation, requester: Requester): Promise<void> {
    try {
      const stop = await this.opened(requester, (why) => this.reservations.end(reservation, why))
      this.reservations.onDisconnect(reservation, () => stop?.())
    } catch (error) {
      this.reservations.end(reservation)
      throw error
    }
  }

  private executed(request: OperationWithVariables, { caller, credentials, logContext }: Requester) {
    const { gateway } = this.options
    return gateway.execute({ ...request, context: gateway.contextFor(caller, credentials, logContext) })
  }

  /** What a stream of its own counts for. */
  private claimStream({ caller: { applicationId } }: Requester): () => void {
    const { limiter } = this.options
    const socket = limiter.take('sockets', applicationId)
    try {
      const subscription = limiter.take('subscriptions', applicationId)
      return () => {
        socket()
        subscription()
      }
    } catch (error) {
      socket()
      throw error
    }
  }

  private async requesterOf(request: FastifyRequest, reservation?: Reservation): Promise<Requester> {
    const credentials = streamCredentialsOf(request)
    const caller = await this.options.gateway.authenticate(credentials)
    if (reservation && JSON.stringify(caller) !== JSON.stringify(reservation.caller))
      throw new PublicError('forbidden', 'The stream was reserved by somebody else.')
    const logContext = request.tracking?.logContext
    return { caller, credentials, ...(logContext ? { logContext } : {}) }
  }

  private prepare(request: FastifyRequest): OperationWithVariables | readonly GraphQLError[] {
    const { query, operationName, variables } = readParams(request)
    const document = this.documentOf(query)
    if (!('kind' in document)) return document
    const operation = chooseOperation(document, operationName)
    if (operation instanceof GraphQLError) return [operation]
    if (request.method === 'GET' && operation.type === 'mutation')
      throw new PublicError('method_not_allowed', 'A mutation is sent by POST.')
    return { operation, variables }
  }
}

const acceptsStream = ({ headers }: FastifyRequest): boolean =>
  headers.accept?.includes('text/event-stream') ?? false

function refuse(error: unknown, reply: FastifyReply): FastifyReply {
  if (reply.sent || !isPublic(error)) throw error
  const { code, message, extensions, retryAfterSeconds } = error
  if (retryAfterSeconds !== undefined) void reply.header('retry-after', retryAfterSeconds)
  return reply.code(errorCodes[code].status).send({ errors: [new GraphQLError(message, { extensions })] })
}
