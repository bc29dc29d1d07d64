import type { Switches } from '../switches.ts'
import type { Database } from './database.ts'
import { feed } from './feed.ts'
import { countOf, get } from './get.ts'
import type { Limits } from './limits.ts'
import { missingMethod, Refusal } from './refusal.ts'
import { type Credentials, type Sessions, unknownDatabase } from './sessions.ts'

/** Host name of a call; Authenticate on the first may redirect to the second. */
export type Host = 'first' | 'second'

export interface Called {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly result: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** State that calls use. */
export interface CallContext {
  readonly switches: Readonly<Switches>
  readonly sessions: Sessions
  readonly limits: Limits
  readonly databaseOf: (name: string) => Database | null
  readonly secondHost: () => string
}

export function call(context: CallContext, called: Called, host: Host): Answer {
  if (called.method === 'Authenticate') return authenticate(context, called.params, host)
  const credentials = context.sessions.check(called.params['credentials'] as Partial<Credentials> | undefined)
  const database = context.databaseOf(credentials.database)
  if (!database || isElsewhere(context, host)) throw unknownDatabase(credentials.database)
  if (called.method === 'ExecuteMultiCall') return multiCall(context, called, credentials, database)
  const headers = spend(context, called, credentials)
  return { result: resultOf(context, called, credentials, database), headers }
}

function authenticate(context: CallContext, params: Called['params'], host: Host): Answer {
  const [database, user, password] = ['database', 'userName', 'password'].map((name) =>
    String(params[name] ?? ''),
  )
  const spending = {
    method: 'Authenticate',
    typeName: '',
    user: user as string,
    database: database as string,
  }
  const headers = context.limits.spend(spending)
  // The first host knows where other databases are.
  if (host === 'second' && isElsewhere(context, host)) throw unknownDatabase(database as string)
  const credentials = context.sessions.open(database as string, user as string, password as string)
  const path = isElsewhere(context, host) ? context.secondHost() : 'ThisServer'
  return { result: { credentials, path }, headers }
}

/** One host has the databases, and the other has none. */
const isElsewhere = ({ switches }: CallContext, host: Host): boolean =>
  (switches.path === 'another') !== (host === 'second')

function resultOf(
  context: CallContext,
  { method, params }: Called,
  credentials: Credentials,
  database: Database,
): unknown {
  if (method === 'Get') return get(database, params)
  if (method === 'GetFeed') return feed(database, params)
  if (method === 'GetCountOf') return countOf(database, params)
  if (method !== 'ExtendSession') throw missingMethod(method)
  context.sessions.extend(credentials)
  return null
}

/** Runs calls in order. The first failure is the response to all, and the later calls do not run. */
function multiCall(
  context: CallContext,
  { params }: Called,
  credentials: Credentials,
  database: Database,
): Answer {
  const calls = Array.isArray(params['calls']) ? (params['calls'] as Called[]) : []
  const isOnce = context.switches.multiCallSpends === 'once'
  let headers = isOnce ? spend(context, { method: 'ExecuteMultiCall', params: {} }, credentials) : {}
  const results = calls.map((one, index) => {
    try {
      const called = { method: one.method, params: one.params ?? {} }
      if (!isOnce) headers = spend(context, called, credentials)
      return resultOf(context, called, credentials, database)
    } catch (error) {
      if (error instanceof Refusal) error.requestIndex = index
      throw error
    }
  })
  return { result: results, headers }
}

const spend = ({ limits }: CallContext, { method, params }: Called, { userName, database }: Credentials) =>
  limits.spend({ method, typeName: typeNameOf(params), user: userName, database })

const typeNameOf = (params: Called['params']): string => String(params['typeName'] ?? '')
