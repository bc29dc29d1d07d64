import type { z } from 'zod'
import type { ErrorCode } from '../src/domain/errors.ts'
import type { Kind } from '../src/domain/ids.ts'
import type { GraphResult, ResponseShape } from './response/response-shape.ts'

/**
 * Credentials that a route requires. `connection`: secret key and connection token. `key`: secret key alone.
 * `either`: secret key and an optional connection token, which limits the result to its connection. `none`: no
 * key, but an invalid key is refused.
 */
export type RouteAuth = 'connection' | 'key' | 'either' | 'none'

export type Variables = Readonly<Record<string, unknown>>

/** Facts about the caller on which variables can depend. */
export interface CallerFacts {
  readonly authenticated: boolean
}

/** Response header of a route. */
export interface ResponseHeader {
  readonly description: string
  /** Computes the value from the GraphQL result. Null omits the header. */
  readonly value: (data: GraphResult) => string | null
}

/** Response header of lists that returned their maximum in place of a larger `limit`. */
export const MAX_LIMIT = 'X-Max-Limit'

/** Declaration of a route: a REST path and its GraphQL operation. */
export interface RouteDeclaration<QuerySchema extends z.ZodObject> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path in OpenAPI syntax: `/vehicles/{id}`. */
  readonly path: string
  readonly summary: string
  readonly tag: Tag
  readonly auth: RouteAuth
  /** Path parameters, each with the kind of record whose id it is. */
  readonly params?: Readonly<Record<string, Kind>>
  readonly query: QuerySchema
  /** Other names of query parameters that existing clients send. Keys are the other names. */
  readonly aliases?: Readonly<Record<string, keyof QuerySchema['shape'] & string>>
  /** Schema of the JSON body. The operation receives its members as the variable `$input`. */
  readonly requestBody?: z.ZodObject
  /** Members of `$input` whose value is a path parameter, each with the name of that parameter. */
  readonly fromPath?: Readonly<Record<string, string>>
  /** Largest body in bytes, if it is not the default of the server. */
  readonly maxBodyBytes?: number
  /** Status of a successful response; 200 by default. */
  readonly status?: 201 | 202
  /** Response headers by name, besides those of every route. */
  readonly responseHeaders?: Readonly<Record<string, ResponseHeader>>
  /** Errors of the route, in addition to those that `errorsOf` derives from its declaration. */
  readonly mayFailWith?: readonly ErrorCode[]
  /**
   * GraphQL operation, which is validated and compiled at start. Its name is the operation id of OpenAPI. A type
   * after three dots, such as `...Trip`, selects the fields of the type that its REST record contains.
   */
  readonly operation: string
  /** Variables of a GET in addition to those of its path and its query. */
  readonly variables?: (caller: CallerFacts) => Variables
  readonly response: ResponseShape
}

export type Route = RouteDeclaration<z.ZodObject>

/** Declares a route. The compiler checks that its aliases stand for its query parameters. */
export const route = <QuerySchema extends z.ZodObject>(declaration: RouteDeclaration<QuerySchema>): Route =>
  declaration

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
  Purchases: 'Checks of fuel purchases.',
  Passthrough: "Requests to the provider's own API.",
} as const satisfies Record<string, string>

export type Tag = keyof typeof tags
