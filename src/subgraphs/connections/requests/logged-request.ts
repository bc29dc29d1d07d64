import { Field, Float, ID, Int, ObjectType, registerEnumType } from 'type-graphql'
import { Entity } from 'typeorm'
import type { Id } from '../../../domain/ids.ts'
import {
  IdColumn,
  Indexes,
  InstantColumn,
  KeyColumn,
  NumberColumn,
  TextColumn,
} from '../../../storage/sql/columns.ts'
import type { Instant } from '../../../domain/time.ts'
import { DateTime } from '../../schema/scalars.ts'

export const RequestInterface = {
  GRAPHQL: 'graphql',
  SSE: 'sse',
  WEBSOCKET: 'websocket',
  REST: 'rest',
} as const

registerEnumType(RequestInterface, {
  name: 'RequestInterface',
  description: 'The interface that a request used.',
  valuesConfig: {
    GRAPHQL: { description: 'GraphQL over HTTP.' },
    SSE: { description: 'GraphQL over an event stream or a multipart response.' },
    WEBSOCKET: { description: 'An operation on a websocket.' },
    REST: { description: 'REST under `/tsp/v1`.' },
  },
})

/**
 * Row of the request log: one request that the API has answered. It contains no secrets, no variables, no literals and
 * no data of the answer.
 */
@Entity('request_log')
@Indexes(
  ['applicationId', 'at', 'id'],
  ['applicationId', 'errorCode', 'at', 'id'],
  ['connectionId', 'at', 'id'],
  ['requestId', 'at', 'id'],
)
@ObjectType({
  simpleResolvers: true,
  description:
    'A request that the API has answered. It contains no secrets, no variables, no literals and no data of the answer.',
})
export class LoggedRequest {
  @Field(() => ID, { description: 'The id of the entry, with the prefix `req_`.' })
  @KeyColumn()
  id: Id<'loggedRequest'>

  @Field(() => ID, {
    description:
      'The request id, which the response has in its header `X-Request-Id` or in its error. Requests have the same id if the client sent the same one.',
  })
  @TextColumn()
  requestId: string

  @Field(() => DateTime, { description: 'When the request arrived.' })
  @InstantColumn()
  at: Instant

  /** Empty for a request that was not authenticated. */
  @IdColumn()
  applicationId: Id<'application'>

  @Field(() => ID, {
    nullable: true,
    description:
      'The id of the connection, if the request had a connection token, or a session for this connection alone. Otherwise null.',
  })
  @IdColumn({ nullable: true })
  connectionId: Id<'connection'> | null

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the secret key. Null if the request used a session.',
  })
  @IdColumn({ nullable: true })
  keyId: Id<'key'> | null

  @Field(() => ID, {
    nullable: true,
    description: 'The id of the session. Null if the request used a secret key.',
  })
  @IdColumn({ nullable: true })
  sessionId: Id<'session'> | null

  @Field(() => RequestInterface, { description: 'The interface that the request used.' })
  @IdColumn()
  interface: (typeof RequestInterface)[keyof typeof RequestInterface]

  @Field(() => String, {
    nullable: true,
    description:
      'The name of the GraphQL operation, or the method and the route of a REST request. `anonymous` for an operation without a name. Null if no operation was found.',
  })
  @TextColumn({ nullable: true })
  operation: string | null

  @Field(() => String, {
    nullable: true,
    description:
      'SHA-256 of the GraphQL document, in hexadecimal. Before hashing, each string in the document becomes `""` and each number `0`. Null for REST and for an invalid document.',
  })
  @TextColumn({ nullable: true })
  documentHash: string | null

  @Field(() => Float, {
    nullable: true,
    description: 'The estimated cost, as in the header `X-Query-Cost`. Null if no operation ran.',
  })
  @NumberColumn({ nullable: true })
  cost: number | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The HTTP status. Null for an operation on a websocket, and if the client left before the answer.',
  })
  @NumberColumn({ nullable: true })
  status: number | null

  @Field(() => String, {
    nullable: true,
    description:
      'The code of the first error, as REST spells it, such as not_found. A code that REST does not have is unchanged. Null without an error.',
  })
  @TextColumn({ nullable: true })
  errorCode: string | null

  @Field(() => Float, {
    description: 'Milliseconds from the request to the end of its answer. A stream counts until it ends.',
  })
  @NumberColumn()
  durationMs: number
}
