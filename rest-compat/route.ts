import type { z } from 'zod'
import type { ErrorCode } from '../src/domain/errors.ts'
import type { Kind } from '../src/domain/ids.ts'
import type { GraphResult, ResponseShape } from './response/response-shape.ts'

/**
 * What a caller must send: both headers, the secret key alone, the key and perhaps a connection token that narrows what
 * is read, or nothing (a key that is sent is checked).
 */
export type Headers = 'connection' | 'key' | 'either' | 'none'

export type Variables = Readonly<Record<string, unknown>>

/** What variables may depend on besides the path, the query and the body. */
export interface Asked {
  readonly authenticated: boolean
}

/** A header of an answer. */
export interface AnswerHeader {
  readonly description: string
  /** Made of what the graph answered; the header is left out where it is null. */
  readonly value: (data: GraphResult) => string | null
}

export interface Declaration<Query extends z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** As OpenAPI writes it: `/vehicles/{id}`. */
  readonly path: string
  /** What it does, in a few words. */
  readonly summary: string
  /** Under which heading it is published. */
  readonly tag: Tag
  readonly headers: Headers
  /** Of which kind of record each parameter in the path is the id. */
  readonly params?: Readonly<Record<string, Kind>>
  readonly query: Query
  /** Other names that clients know for query parameters. */
  readonly aliases?: Readonly<Record<string, keyof Query['shape'] & string>>
  /** The members of the JSON body; the operation gets them as its variable `$input`. */
  readonly members?: z.ZodObject
  /** Members of `$input` that the path gives, each with the parameter that it is. */
  readonly fromPath?: Readonly<Record<string, string>>
  /** Where the body may be larger than those of other routes. */
  readonly largestBody?: number
  /** 200 unless told. */
  readonly status?: 201 | 202
  /** Headers that the answer may have, by their names. */
  readonly answerHeaders?: Readonly<Record<string, AnswerHeader>>
  /** Errors that not every route can give. */
  readonly mayFailWith?: readonly ErrorCode[]
  /** Checked against the schema and compiled when the service starts. Its name is the operation's id. */
  readonly operation: string
  /** Variables besides those that the path, the query and the body give by themselves. */
  readonly variables?: (asked: Asked) => Variables
  readonly body: ResponseShape
}

export type Route = Declaration<z.ZodObject>

/** One path of the specification, and the operation that answers it. */
export const route = <Query extends z.ZodObject>(declaration: Declaration<Query>): Route => declaration

export const tags = {
  Connections: 'Fleets that have linked their accounts.',
  Providers: 'The telematics providers whose accounts can be linked.',
  Vehicles: 'Vehicles, where they are and were, and what they report.',
  Drivers: 'The people who drive.',
  Trailers: 'Trailers and where they are.',
  Groups: 'Sets of vehicles and drivers that a fleet keeps together.',
  Devices: 'Hardware in vehicles.',
  Trips: 'Drives from start to stop.',
  'Hours of Service': 'Duty statuses of drivers, by moment, by day, and what time is left.',
  Safety: 'Unsafe driving and its recordings.',
  'Fault Codes': 'What engines report as broken.',
  IFTA: 'Distance by jurisdiction, for fuel tax.',
  Events: 'What happened, in the order in which it did.',
  Syncs: 'Runs of reading from the provider.',
  Webhooks: 'Where events are sent to, and what came of it.',
  Issues: 'What keeps data from being whole.',
  Passthrough: "Calls to the provider's own interface.",
} as const satisfies Record<string, string>

export type Tag = keyof typeof tags
