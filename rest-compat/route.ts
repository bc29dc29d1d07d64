import type { z } from 'zod'
import type { ErrorCode } from '../src/domain/errors.ts'
import type { Kind } from '../src/domain/ids.ts'
import type { GraphResult, ResponseShape } from './response/response-shape.ts'

/**
 * Credentials of a route. `connection`: secret key and connection token. `key`: secret key alone. `either`:
 * secret key and an optional connection token, which limits the result. `none`: no key needed, but a key that
 * is sent is checked.
 */
export type RouteAuth = 'connection' | 'key' | 'either' | 'none'

export type Variables = Readonly<Record<string, unknown>>

/** Facts about the caller for `variables`. */
export interface CallerFacts {
  readonly authenticated: boolean
}

/** Response header. */
export interface ResponseHeader {
  readonly description: string
  /** Computes the value from the GraphQL result. Null omits the header. */
  readonly value: (data: GraphResult) => string | null
}

export interface Declaration<Query extends z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path in OpenAPI syntax: `/vehicles/{id}`. */
  readonly path: string
  readonly summary: string
  readonly tag: Tag
  readonly auth: RouteAuth
  /** Kind of the record id in each path parameter. */
  readonly params?: Readonly<Record<string, Kind>>
  readonly query: Query
  /** Alternative names of query parameters, for existing clients. */
  readonly aliases?: Readonly<Record<string, keyof Query['shape'] & string>>
  /** Members of the JSON body. The operation receives them as its variable `$input`. */
  readonly requestBody?: z.ZodObject
  /** Maps members of `$input` to path parameters. */
  readonly fromPath?: Readonly<Record<string, string>>
  /** Body limit in bytes, if it differs from other routes. */
  readonly maxBodyBytes?: number
  /** 200 by default. */
  readonly status?: 201 | 202
  /** Optional response headers by name. */
  readonly responseHeaders?: Readonly<Record<string, ResponseHeader>>
  /** Errors that not every route has. */
  readonly mayFailWith?: readonly ErrorCode[]
  /**
   * GraphQL operation. It is validated and compiled at start. Its name is the operation id. A spread of a type,
   * such as `...Trip`, selects the fields that records of the type have in REST.
   */
  readonly operation: string
  /** Variables in addition to those of the path, the query and the body. */
  readonly variables?: (caller: CallerFacts) => Variables
  readonly response: ResponseShape
}

export type Route = Declaration<z.ZodObject>

/** Declares a route: a REST path and its GraphQL operation. */
export const route = <Query extends z.ZodObject>(declaration: Declaration<Query>): Route => declaration

export const tags = {
  Connections: 'Fleets that have linked their accounts.',
  Providers: 'The telematics providers whose accounts can be linked.',
  Vehicles: 'Vehicles, their locations and their measurements.',
  Drivers: 'People who drive vehicles.',
  Trailers: 'Trailers and their locations.',
  Groups: 'Groups of vehicles and drivers.',
  Devices: 'Hardware in vehicles.',
  Trips: 'Journeys of vehicles from start to stop.',
  'Hours of Service': 'Duty statuses, daily logs and available time of drivers.',
  Safety: 'Safety events and their camera recordings.',
  'Fault Codes': 'Fault codes that vehicles report.',
  IFTA: 'Distance by jurisdiction, for fuel tax reports.',
  Events: 'The event log, in its order.',
  Syncs: 'Syncs, which read records from the provider.',
  Webhooks: 'Webhook endpoints and their deliveries.',
  Issues: 'Problems that make data incomplete.',
  Passthrough: "Requests to the provider's own API.",
} as const satisfies Record<string, string>

export type Tag = keyof typeof tags
