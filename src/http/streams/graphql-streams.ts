import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { getOperationAST, GraphQLError, OperationTypeNode } from 'graphql'
import type { LiveAccess } from '../../auth/live-access.ts'
import { errorCodes, isPublic, PublicError } from '../../errors.ts'
import type { Asker, SubscriptionRequest } from '../../gateway/follow.ts'
import type { Gateway } from '../../gateway/gateway.ts'
import type { Logger } from '../../log.ts'
import { documents } from '../documents.ts'
import { EventStreams, streamed } from '../event-streams.ts'
import { rulesOf } from '../introspection.ts'
import type { LiveUse } from '../live-use.ts'
import { resumedAfter } from '../resume.ts'
import { streamCredentialsOf } from '../stream-credentials.ts'
import { whileAllowed } from '../while-allowed.ts'
import { paramsOf } from './params.ts'
import { type Reservation, Reservations } from './reservations.ts'

interface StreamOptions {
  readonly gateway: Gateway
  readonly access?: Pick<LiveAccess, 'open'>
  readonly introspection: boolean
  readonly log: Logger
  readonly use: LiveUse
}

/** An operation that is ready to be run. */
interface Ready {
  readonly request: SubscriptionRequest
  readonly type: OperationTypeNode
}

/**
 * GraphQL over SSE (graphql-sse's protocol) at `/graphql`, with the same execution as over HTTP: one operation on a
 * stream of its own, or many on one stream that was reserved before.
 */
export class GraphqlStreams {
  private readonly distinct: EventStreams
  private readonly reservations: Reservations
  private readonly documentOf

  constructor(private readonly options: StreamOptions) {
    const { gateway, introspection, log } = options
    this.distinct = new EventStreams(log)
    this.reservations = new Reservations(log)
    this.documentOf = documents(gateway.supergraph.apiSchema, rulesOf({ introspection }))
  }

  get open(): number {
    return this.distinct.open + this.reservations.open
  }

  /** Whether a GET or a POST is of this protocol. */
  readonly isAsked = (request: FastifyRequest): boolean =>
    acceptsStream(request) || this.reservations.of(request) !== null

  readonly answer = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    try {
      const reservation = this.reservations.of(request)
      if (reservation && !acceptsStream(request)) return await this.perform(reservation, request, reply)
      if (!reservation) return await this.stream(request, reply)
      await this.askerOf(request, reservation)
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
        const asker = await this.askerOf(request)
        const left = this.options.use.take('sockets', asker.caller.applicationId)
        const reservation = this.reservations.make(asker.caller, left)
        await this.hold(reservation, asker)
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
    const asker = await this.askerOf(request)
    const ready = this.readyFor(request)
    if (!('type' in ready)) return this.distinct.sendOnce(reply, { errors: ready })
    const { gateway } = this.options
    if (ready.type !== OperationTypeNode.SUBSCRIPTION)
      return this.distinct.sendOnce(reply, await this.executed(ready.request, asker))
    const left = this.taken(asker)
    try {
      const lastEventId = request.headers['last-event-id']?.toString()
      const { document } = ready.request
      const from = lastEventId ? resumedAfter(document, lastEventId) : document
      const outcome = await gateway.follow(ready.request, asker, from)
      if (!('answered' in outcome)) return await this.distinct.sendOnce(reply, outcome)
      const answers = await streamed(outcome)
      const events = await whileAllowed(answers.events, (ended) => this.opened(asker, ended))
      await this.distinct.send(reply, { ...answers, events })
      return reply
    } finally {
      left()
    }
  }

  /** One operation whose answers go to the stream of a reservation. */
  private async perform(
    reservation: Reservation,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<unknown> {
    const asker = await this.askerOf(request, reservation)
    const { operationId } = paramsOf(request)
    if (operationId === null) throw new PublicError('bad_request', 'The operation has no id.')
    const ready = this.readyFor(request)
    if (!('type' in ready)) return reply.code(400).send({ errors: ready })
    this.options.use.checkOperations(reservation.operations.size + 1)
    const isStream = ready.type === OperationTypeNode.SUBSCRIPTION
    const left = isStream
      ? this.options.use.take('subscriptions', asker.caller.applicationId)
      : () => undefined
    this.reservations.reserve(reservation, operationId, left)
    const outcome = isStream
      ? await this.options.gateway.follow(ready.request, asker)
      : await this.executed(ready.request, asker)
    void this.reservations.run(reservation, operationId, outcome)
    return reply.code(202).send()
  }

  private opened({ credentials, caller }: Asker, ended: (why: PublicError) => void) {
    return this.options.access?.open(credentials, caller, ended)
  }

  /** A stream that was reserved stays as long as what it was reserved with is good. */
  private async hold(reservation: Reservation, asker: Asker): Promise<void> {
    try {
      const stop = await this.opened(asker, (why) => this.reservations.end(reservation, why))
      this.reservations.whenLeft(reservation, () => stop?.())
    } catch (error) {
      this.reservations.end(reservation)
      throw error
    }
  }

  private executed(request: SubscriptionRequest, { caller, credentials, scope }: Asker) {
    const { gateway } = this.options
    return gateway.execute({ ...request, context: gateway.contextFor(caller, credentials, scope) })
  }

  /** What a stream of its own counts for. */
  private taken({ caller: { applicationId } }: Asker): () => void {
    const { use } = this.options
    const socket = use.take('sockets', applicationId)
    try {
      const subscription = use.take('subscriptions', applicationId)
      return () => {
        socket()
        subscription()
      }
    } catch (error) {
      socket()
      throw error
    }
  }

  private async askerOf(request: FastifyRequest, reservation?: Reservation): Promise<Asker> {
    const credentials = streamCredentialsOf(request)
    const caller = await this.options.gateway.authenticate(credentials)
    if (reservation && JSON.stringify(caller) !== JSON.stringify(reservation.caller))
      throw new PublicError('forbidden', 'The stream was reserved by somebody else.')
    const scope = request.taken?.scope
    return { caller, credentials, ...(scope ? { scope } : {}) }
  }

  private readyFor(request: FastifyRequest): Ready | readonly GraphQLError[] {
    const { query, operationName, variables } = paramsOf(request)
    const document = this.documentOf(query)
    if (!('kind' in document)) return document
    const operation = getOperationAST(document, operationName)
    if (!operation) return [new GraphQLError('Unable to identify operation.')]
    if (request.method === 'GET' && operation.operation === OperationTypeNode.MUTATION)
      throw new PublicError('method_not_allowed', 'A mutation is sent by POST.')
    return { request: { document, operationName, variables }, type: operation.operation }
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
