import type { z } from 'zod'
import type { Kind } from '../src/ids.ts'
import type { Body } from './body.ts'

/** What a caller must send: both headers, the secret key alone, or nothing (a key that is sent is checked). */
export type Headers = 'connection' | 'key' | 'none'

export type Variables = Readonly<Record<string, unknown>>

export interface Declaration<Query extends z.ZodObject> {
  readonly method: 'GET'
  /** As OpenAPI writes it: `/vehicles/{id}`. */
  readonly path: string
  readonly headers: Headers
  /** Of which kind of record each parameter in the path is the id. */
  readonly params?: Readonly<Record<string, Kind>>
  readonly query: Query
  /** Other names that clients know for query parameters. */
  readonly aliases?: Readonly<Record<string, keyof Query['shape'] & string>>
  /** Checked against the schema and compiled when the service starts. */
  readonly operation: string
  /** Variables besides those that the path and the query give by themselves. */
  readonly variables?: (asked: { readonly authenticated: boolean }) => Variables
  readonly body: Body
}

export type Route = Declaration<z.ZodObject>

/** One path of the specification, and the operation that answers it. */
export const route = <Query extends z.ZodObject>(declaration: Declaration<Query>): Route => declaration
