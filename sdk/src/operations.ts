import { operations, type Operations, type Page } from './generated.ts'
import { Pages } from './pages.ts'
import { jsonOf, type TransportResponse, type Transport } from './transport.ts'

/** The names of the operations, as the OpenAPI document has them. */
export type OperationName = keyof Operations

/** What an operation takes: the members of its path, query and body together. */
export type Params<Name extends OperationName> = Operations[Name]['takes']

/** What it gives. */
export type Result<Name extends OperationName> = Operations[Name]['gives']

export interface CallOptions {
  /** Gives the call up, with all its retries. */
  readonly signal?: AbortSignal | undefined
}

type Arguments<Taken> =
  Record<never, never> extends Taken
    ? [takes?: Taken, options?: CallOptions]
    : [takes: Taken, options?: CallOptions]

/** An operation that gives one answer. */
export type SingleOperation<Name extends OperationName> = (
  ...args: Arguments<Params<Name>>
) => Promise<Result<Name>>

/** An operation that gives a list, page by page. */
export type ListOperation<Name extends OperationName> = (
  ...args: Arguments<Omit<Params<Name>, 'cursor'>>
) => Pages<Result<Name> extends Page<infer Item> ? Item : never>

/** What a provider answered, as it came. */
export interface RawAnswer {
  readonly status: number
  readonly contentType: string | null
  readonly bytes: Uint8Array
}

type OperationThatReturns<Kind> = {
  [Name in OperationName]: (typeof operations)[Name]['gives'] extends Kind ? Name : never
}[OperationName]

export interface OperationFunctions {
  one<Name extends OperationThatReturns<'record'>>(name: Name): SingleOperation<Name>
  list<Name extends OperationThatReturns<'page'>>(name: Name): ListOperation<Name>
  raw<Name extends OperationThatReturns<'bytes'>>(
    name: Name,
  ): (takes: Params<Name>, options?: CallOptions) => Promise<RawAnswer>
}

interface Caller {
  readonly send: Transport
  /** With no slash at the end. */
  readonly baseUrl: string
  readonly headers: Readonly<Record<string, string>>
}

type Taken = Readonly<Record<string, unknown>>

/** Operations as functions, for a caller with its headers. */
export function createOperations(caller: Caller): OperationFunctions {
  const ask = (name: OperationName, taken: Taken, { signal }: CallOptions = {}): Promise<TransportResponse> =>
    caller.send({ ...requestFor(name, taken, caller), signal })
  return {
    one: (name) =>
      (async (taken: Taken = {}, options?: CallOptions) =>
        jsonOf(await ask(name, taken, options))) as SingleOperation<typeof name>,
    list: (name) =>
      ((taken: Taken = {}, options?: CallOptions) =>
        new Pages(async (cursor) => {
          const place = cursor === undefined ? {} : { [cursorOf(name)]: cursor }
          return jsonOf(await ask(name, { ...taken, ...place }, options)) as Page<unknown>
        })) as ListOperation<typeof name>,
    raw: (name) => async (taken, options) => {
      const { status, headers, bytes } = await ask(name, taken as Taken, options)
      return { status, contentType: headers.get('content-type'), bytes }
    },
  }
}

/** A page is gone on from by `cursor`, the event log by `after`. */
const cursorOf = (name: OperationName): string => {
  const query: readonly string[] = operations[name].query
  return query.includes('cursor') ? 'cursor' : 'after'
}

/** Writes that set what they name, and those that the service recognises when they come again. */
const REPEATABLE: ReadonlySet<OperationName> = new Set(['createShortLink'])

function requestFor(name: OperationName, taken: Taken, { baseUrl, headers }: Caller) {
  const { method, path, query } = operations[name]
  const inQuery = new Set<string>(query)
  const left = new Map(Object.entries(taken).filter(([, value]) => value !== undefined))
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = left.get(parameter)
    if (typeof value !== 'string' || value === '')
      throw new TypeError(`${name} takes \`${parameter}\`, a text.`)
    left.delete(parameter)
    return encodeURIComponent(value)
  })
  const entries = [...left]
  const search = new URLSearchParams(
    entries.filter(([member]) => inQuery.has(member)).map(([member, value]) => [member, textOf(value)]),
  ).toString()
  const body = Object.fromEntries(entries.filter(([member]) => !inQuery.has(member)))
  const hasBody = method !== 'GET' && Object.keys(body).length > 0
  return {
    method,
    url: `${baseUrl}/tsp/v1${filled}${search === '' ? '' : `?${search}`}`,
    headers: hasBody ? { ...headers, 'content-type': 'application/json' } : headers,
    isIdempotent: method === 'GET' || method === 'PATCH' || REPEATABLE.has(name),
    ...(hasBody ? { body: JSON.stringify(body) } : {}),
  }
}

/** Lists are written as one value, separated by commas. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.join(',') : value instanceof Date ? value.toISOString() : String(value)
