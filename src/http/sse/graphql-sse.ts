import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { GraphQLError } from 'graphql'
import { addCaller } from '../../auth/caller.ts'
import type { AccessMonitor } from '../../auth/access-revocation.ts'
import { PublicError } from '../../domain/errors.ts'
import { addErrorCode } from '../../gateway/error-masking.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import { chooseOperation, type Operation, type OperationWithVariables } from '../../gateway/operation.ts'
import { OperationLifetime } from '../../gateway/load/operation-lifetime.ts'
import type { Requester } from '../../gateway/requester.ts'
import type { Logger } from '../../platform/logging/log.ts'
import { addRequestDetails } from '../../platform/logging/log-context.ts'
import { DocumentCache } from '../graphql/document-cache.ts'
import { sendDocumentErrors, sendGraphqlError } from '../graphql/error-response.ts'
import { sendHead, SubscriptionStreams, toSubscriptionStream } from './subscription-streams.ts'
import type { ConnectionLimiter } from '../connection-limits.ts'
import { streamCredentialsOf } from './credentials.ts'
import { requirePost } from '../graphql/request-params.ts'
import { clientStopped, lifetimeOf } from '../requests/operation-lifetimes.ts'
import { isSafe } from '../safe-methods.ts'
import { isSubscription } from './is-subscription.ts'
import { idempotencyKeyOf, setGatewayHeaders } from '../gateway-headers.ts'
import { revocableStream } from '../revocable-stream.ts'
import { JSON_TYPES, preferredType } from '../content-negotiation.ts'
import { MULTIPART, SSE, type StreamFormat } from './stream-format.ts'
import { readParams } from './request-params.ts'
import { type Reservation, Reservations, streamTokenOf } from './reservations.ts'

interface StreamOptions {
  readonly gateway: Gateway
  readonly access?: Pick<AccessMonitor, 'open'>
  readonly introspection: boolean
  readonly log: Logger
  readonly limiter: ConnectionLimiter
}

/** How a client wants results: on a stream per operation (`sse` or `multipart`), or on the stream that it reserved. */
export type StreamType = 'sse' | 'multipart' | 'reserved'

/**
 * GraphQL over SSE (the graphql-sse protocol) at `/graphql`, with the same execution as over HTTP. In
 * distinct connections mode, each operation has its own stream. In single connection mode, many operations share a
 * stream that the client has reserved. A subscription can also have a multipart response, which is no part of the
 * protocol.
 */
export class GraphqlSse {
  private readonly distinctStreams: SubscriptionStreams
  private readonly reservations: Reservations
  private readonly documents: DocumentCache

  constructor(private readonly options: StreamOptions) {
    const { gateway, introspection, log } = options
    this.distinctStreams = new SubscriptionStreams(log)
    this.reservations = new Reservations(log)
    this.documents = new DocumentCache(gateway.supergraph.apiSchema, { introspection })
  }

  /** Number of open streams. */
  get open(): number {
    return this.distinctStreams.open + this.reservations.open
  }

  /**
   * Returns the type of stream that a GET or POST request wants; null if it prefers another response. A subscription
   * gets a stream even if its client prefers JSON but also accepts a stream, because it has no other response.
   */
  streamTypeOf(request: FastifyRequest): StreamType | null {
    if (streamTokenOf(request) !== null) return 'reserved'
    if (!mentionsStream(request)) return null
    const type = preferredType(request, [SSE_TYPE, MULTIPART.contentType])
    if (type !== undefined && requestsSubscription(request)) return type === SSE_TYPE ? 'sse' : 'multipart'
    return prefersJson(request) ? null : 'sse'
  }

  /** Responds with a stream, or runs an operation on a reserved stream. */
  async answer(request: FastifyRequest, reply: FastifyReply, type: StreamType): Promise<unknown> {
    const token = streamTokenOf(request)
    if (type !== 'reserved' || token === null)
      return this.stream(request, reply, type === 'multipart' ? MULTIPART : SSE)
    const reservation = this.reservations.get(token)
    if (prefersJson(request)) return this.runOperation(reservation, request, reply)
    await this.requesterOf(request, reservation)
    if (request.method === 'HEAD') return sendHead(reply, SSE)
    this.reservations.openStream(reservation, reply)
    return reply
  }

  /** Mounts PUT, which reserves a stream, and DELETE, which stops an operation on it. */
  mount(app: FastifyInstance): void {
    const options = { errorHandler: sendGraphqlError }
    app.put('/graphql', options, async (request, reply) => {
      const requester = await this.requesterOf(request)
      const release = this.options.limiter.acquire('sockets', requester.caller.applicationId)
      const reservation = this.reservations.create(requester.caller, release)
      await this.endWhenRevoked(reservation, requester)
      return reply.code(201).type('text/plain').send(reservation.token)
    })
    app.delete('/graphql', options, async (request, reply) => {
      const { operationId } = request.query as { operationId?: string }
      const token = streamTokenOf(request)
      if (token === null || operationId === undefined)
        throw new PublicError('not_found', 'Send both the token of the stream and `operationId`.')
      this.reservations.stop(this.reservations.get(token), operationId)
      return reply.code(200).send()
    })
  }

  async close(): Promise<void> {
    this.reservations.close()
    await this.distinctStreams.close()
  }

  /** Runs one operation on its own stream. Errors go to the stream, because EventSource hides other responses. */
  private async stream(request: FastifyRequest, reply: FastifyReply, format: StreamFormat): Promise<unknown> {
    const requester = await this.requesterOf(request)
    const prepared = await this.prepare(requester, request, reply)
    if (request.method === 'HEAD') return sendHead(reply, format)
    if (!('operation' in prepared)) {
      if (prefersJson(request)) return sendDocumentErrors(prepared, request, reply)
      return this.distinctStreams.sendOnce(reply, { errors: prepared }, format)
    }
    const { gateway } = this.options
    if (prepared.operation.type !== 'subscription') {
      const result = await this.execute(prepared, { ...requester, lifetime: lifetimeOf(reply) })
      setGatewayHeaders(request, reply)
      return this.distinctStreams.sendOnce(reply, result, format)
    }
    const release = this.acquireStream(requester, prepared.operation)
    try {
      // An EventSource that has not received an event may send an empty header.
      const lastEventId = request.headers['last-event-id']?.toString() || undefined
      const outcome = await gateway.subscribe(prepared, requester, lastEventId)
      setGatewayHeaders(request, reply)
      if (!('resultFor' in outcome)) return await this.distinctStreams.sendOnce(reply, outcome, format)
      const subscription = await toSubscriptionStream(outcome)
      const events = await revocableStream(subscription.events, (onRevoked) =>
        this.watchAccess(requester, onRevoked),
      )
      await this.distinctStreams.send(reply, { ...subscription, events }, format)
      return reply
    } finally {
      release()
    }
  }

  /** Runs one operation whose results go to a reserved stream. */
  private async runOperation(
    reservation: Reservation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const requester = await this.requesterOf(request, reservation)
    const { operationId } = readParams(request)
    if (operationId === null)
      throw new PublicError('bad_request', 'Send the ID of the operation as `extensions.operationId`.')
    const prepared = await this.prepare(requester, request, reply)
    if (!('operation' in prepared)) return sendDocumentErrors(prepared, request, reply)
    if (request.method === 'HEAD') return reply.code(202).send()
    this.options.limiter.checkOperations(reservation.operations.size + 1)
    const isSubscription = prepared.operation.type === 'subscription'
    const lifetime = new OperationLifetime()
    const release = isSubscription
      ? this.options.limiter.acquireSubscription(requester.caller.applicationId, prepared.operation)
      : () => lifetime.end(clientStopped)
    this.reservations.addOperation(reservation, operationId, release)
    const outcome = isSubscription
      ? await this.options.gateway.subscribe(prepared, requester)
      : await this.execute(prepared, { ...requester, lifetime })
    void this.reservations.run(reservation, operationId, outcome)
    return reply.code(202).send()
  }

  private watchAccess({ credentials, caller }: Requester, onRevoked: (reason: PublicError) => void) {
    return this.options.access?.open(credentials, caller, onRevoked)
  }

  /** Ends a reserved stream when the credentials of its reservation are revoked or expire. */
  private async endWhenRevoked(reservation: Reservation, requester: Requester): Promise<void> {
    try {
      const stop = await this.watchAccess(requester, (reason) => this.reservations.end(reservation, reason))
      this.reservations.onEnd(reservation, () => stop?.())
    } catch (error) {
      this.reservations.end(reservation)
      throw error
    }
  }

  private execute(request: OperationWithVariables, requester: Requester) {
    const { gateway } = this.options
    return gateway.execute({ ...request, context: gateway.contextFor(requester) })
  }

  /** Counts a stream as one socket and one subscription. Returns a function that releases both. */
  private acquireStream({ caller: { applicationId } }: Requester, operation: Operation): () => void {
    const { limiter } = this.options
    const releaseSocket = limiter.acquire('sockets', applicationId)
    try {
      const releaseSubscription = limiter.acquireSubscription(applicationId, operation)
      return () => {
        releaseSocket()
        releaseSubscription()
      }
    } catch (error) {
      releaseSocket()
      throw error
    }
  }

  private async requesterOf(request: FastifyRequest, reservation?: Reservation): Promise<Requester> {
    const credentials = streamCredentialsOf(request)
    const logContext = request.tracking?.logContext
    addRequestDetails(logContext, { isStream: true })
    const caller = await this.options.gateway.authenticate(credentials, request.remoteAddress)
    if (reservation && JSON.stringify(caller) !== JSON.stringify(reservation.caller))
      throw new PublicError(
        'forbidden',
        'Other credentials reserved the stream. Send the credentials of the reservation.',
      )
    addCaller(logContext, caller)
    return { caller, credentials, logContext, idempotencyKey: idempotencyKeyOf(request) }
  }

  private async prepare(
    requester: Requester,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<OperationWithVariables | readonly GraphQLError[]> {
    const { query, operationName, variables } = readParams(request)
    const document = await this.documents.getInTurn(this.options.gateway, requester, { query })
    const operation = 'kind' in document ? chooseOperation(document, operationName) : document
    if (operation instanceof GraphQLError || !('type' in operation)) {
      const errors = operation instanceof GraphQLError ? [operation] : operation
      addErrorCode(request.tracking?.logContext, { errors })
      return errors
    }
    requirePost(request, reply, operation)
    return { operation, variables }
  }
}

const SSE_TYPE = 'text/event-stream'

/** Whether the Accept header names the type of a stream. If not, the slower negotiation is not needed. */
const mentionsStream = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  /text\/event-stream|multipart\/mixed/i.test(accept)

const prefersJson = (request: FastifyRequest): boolean =>
  preferredType(request, [...JSON_TYPES, SSE_TYPE]) !== SSE_TYPE

/** Whether the operation of a request is a subscription. */
function requestsSubscription({ method, body, query: search }: FastifyRequest): boolean {
  const { query, operationName } = ((isSafe({ method }) ? search : body) ?? {}) as Record<string, unknown>
  return (
    typeof query === 'string' &&
    isSubscription(query, typeof operationName === 'string' ? operationName : null)
  )
}
