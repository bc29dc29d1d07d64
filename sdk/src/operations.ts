import { operations, type Operations, type Page } from './generated.ts'
import { Pages } from './pages.ts'
import { jsonOf, type TransportResponse, type Transport } from './transport.ts'

/** Operation ids of the OpenAPI document. */
export type OperationName = keyof Operations

/** Parameters of an operation: those of its path, query and body. */
export type Params<Name extends OperationName> = Operations[Name]['params']

/** Result of an operation. */
export type Result<Name extends OperationName> = Operations[Name]['result']

export interface CallOptions {
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal | undefined
  /**
   * Key of a change. For a day, a later call with the same key and the same parameters returns the same result, without
   * a second effect. By default, each call has a random key, so the client can repeat it if the response is lost.
   */
  readonly idempotencyKey?: string | undefined
}

/**
 * Arguments of an operation. The parameters can be omitted if all of them are optional. If only `id` is required, the
 * id alone stands for them.
 */
type Arguments<Given> =
  Record<never, never> extends Given
    ? [params?: Given, options?: CallOptions]
    : [params: Given | IdAlone<Given>, options?: CallOptions]

type IdAlone<Given> = Given extends { readonly id: string }
  ? Record<never, never> extends Omit<Given, 'id'>
    ? string
    : never
  : never

/** Operation with a single result. */
export type SingleOperation<Name extends OperationName> = (
  ...args: Arguments<Params<Name>>
) => Promise<Result<Name>>

/** Operation that returns a list in pages. */
export type ListOperation<Name extends OperationName> = (
  ...args: Arguments<Omit<Params<Name>, 'cursor'>>
) => Pages<Result<Name> extends Page<infer Item> ? Item : never>

/** Unchanged response of a provider. */
export interface RawAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly bytes: Uint8Array
}

type OperationThatReturns<Kind> = {
  [Name in OperationName]: (typeof operations)[Name]['result'] extends Kind ? Name : never
}[OperationName]

export interface OperationFunctions {
  one<Name extends OperationThatReturns<'record'>>(name: Name): SingleOperation<Name>
  list<Name extends OperationThatReturns<'page'>>(name: Name): ListOperation<Name>
  raw<Name extends OperationThatReturns<'bytes'>>(
    name: Name,
  ): (params: Params<Name>, options?: CallOptions) => Promise<RawAnswer>
}

interface Caller {
  readonly send: Transport
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

type OperationParams = Readonly<Record<string, unknown>>

/** Returns the parameters for arguments that may be an id alone. */
const paramsOf = (given: OperationParams | string): OperationParams =>
  typeof given === 'string' ? { id: given } : given

/** Creates functions for the operations, with the headers of a caller. */
export function createOperations(caller: Caller): OperationFunctions {
  const call = (
    name: OperationName,
    params: OperationParams,
    { signal, idempotencyKey }: CallOptions = {},
  ): Promise<TransportResponse> => {
    const request = requestFor(name, params, caller)
    const key = request.method === 'GET' ? undefined : (idempotencyKey ?? crypto.randomUUID())
    return caller.send({ ...request, signal, idempotencyKey: key })
  }
  return {
    one: (name) =>
      (async (params: OperationParams | string = {}, options?: CallOptions) =>
        jsonOf(await call(name, paramsOf(params), options))) as SingleOperation<typeof name>,
    list: (name) =>
      ((params: OperationParams | string = {}, options?: CallOptions) =>
        new Pages(async (cursor) => {
          const page = cursor === undefined ? {} : { [cursorOf(name)]: cursor }
          return jsonOf(await call(name, { ...paramsOf(params), ...page }, options)) as Page<unknown>
        })) as ListOperation<typeof name>,
    raw: (name) => async (params, options) => {
      const { status, headers, bytes } = await call(name, params as OperationParams, options)
      return { status, contentType: headers.get('content-type'), bytes }
    },
  }
}

/** Returns the name of the parameter for the cursor of a page: `cursor`, or `after` for the event log. */
const cursorOf = (name: OperationName): string => {
  const query: readonly string[] = operations[name].query
  return query.includes('cursor') ? 'cursor' : 'after'
}

/** Idempotent POST operations: for the same parameters, the service returns the same object again. */
const IDEMPOTENT_POSTS: ReadonlySet<OperationName> = new Set([
  'createPurchaseCheck',
  'createPurchaseCapture',
  'createShortLink',
])

function requestFor(name: OperationName, params: OperationParams, { baseUrl, headers }: Caller) {
  const { method, path, query } = operations[name]
  const inQuery = new Set<string>(query)
  const remaining = new Map(Object.entries(params).filter(([, value]) => value !== undefined))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = remaining.get(parameter)
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name} requires \`${parameter}\`, a string that is not empty.`)
    remaining.delete(parameter)
    return encodeURIComponent(value)
  })
  const entries = [...remaining]
  const search = new URLSearchParams(
    entries.filter(([member]) => inQuery.has(member)).map(([member, value]) => [member, textOf(value)]),
  ).toString()
  const body = Object.fromEntries(entries.filter(([member]) => !inQuery.has(member)))
  const hasBody = method !== 'GET' && Object.keys(body).length > 0
  return {
    method,
    url: `${baseUrl}/tsp/v1${filled}${search === '' ? '' : `?${search}`}`,
    headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
    isIdempotent: method === 'GET' || method === 'PUT' || method === 'PATCH' || IDEMPOTENT_POSTS.has(name),
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  }
}

/** Converts a parameter to text. A list becomes one value, separated by commas. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : value instanceof Date ? value.toISOString() : String(value)
