import type { Switches } from '../switches.ts'
import type { Database } from './database.ts'
import { feed } from './feed.ts'
import { countOf, get } from './get.ts'
import type { Limits } from './limits.ts'
import { missingMethod, Refusal } from './refusal.ts'
import { type Credentials, type Sessions, unknownDatabase } from './sessions.ts'

/** Host that receives a call. Authenticate at the first can name the second as the host of later calls. */
export type Host = 'first' | 'second'

export interface MethodCall {
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

export function call(context: CallContext, called: MethodCall, host: Host): Answer {
  if (called.method === 'Authenticate') return authenticate(context, called.params, host)
  const credentials = context.sessions.check(called.params['credentials'] as Partial<Credentials> | undefined)
  const database = context.databaseOf(credentials.database)
  if (!database || lacksDatabases(context, host)) throw unknownDatabase(credentials.database)
  if (called.method === 'ExecuteMultiCall') return multiCall(context, called, credentials, database)
  const headers = countCall(context, called, credentials)
  return { result: resultOf(context, called, credentials, database), headers }
}

function authenticate(context: CallContext, params: MethodCall['params'], host: Host): Answer {
  const [database, user, password] = ['database', 'userName', 'password'].map((name) =>
    String(params[name] ?? ''),
  )
  const spending = {
    method: 'Authenticate',
    typeName: '',
    user: user as string,
    database: database as string,
  }
  const headers = context.limits.count(spending)
  // Only the first host knows on which host a database is.
  if (host === 'second' && lacksDatabases(context, host)) throw unknownDatabase(database as string)
  const credentials = context.sessions.open(database as string, user as string, password as string)
  const path = lacksDatabases(context, host) ? context.secondHost() : 'ThisServer'
  return { result: { credentials, path }, headers }
}

/** Whether a host has no databases: the other host has all of them. */
const lacksDatabases = ({ switches }: CallContext, host: Host): boolean =>
  (switches.path === 'another') !== (host === 'second')

function resultOf(
  context: CallContext,
  { method, params }: MethodCall,
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

/** Runs calls in order. The first error is the response, and no later call runs. */
function multiCall(
  context: CallContext,
  { params }: MethodCall,
  credentials: Credentials,
  database: Database,
): Answer {
  const calls = Array.isArray(params['calls']) ? (params['calls'] as MethodCall[]) : []
  const isOnce = context.switches.multiCallSpends === 'once'
  let headers = isOnce ? countCall(context, { method: 'ExecuteMultiCall', params: {} }, credentials) : {}
  const results = calls.map((one, index) => {
    try {
      const called = { method: one.method, params: one.params ?? {} }
      if (!isOnce) headers = countCall(context, called, credentials)
      return resultOf(context, called, credentials, database)
    } catch (error) {
      if (error instanceof Refusal) error.requestIndex = index
      throw error
    }
  })
  return { result: results, headers }
}

const countCall = (
  { limits }: CallContext,
  { method, params }: MethodCall,
  { userName, database }: Credentials,
) => limits.count({ method, typeName: typeNameOf(params), user: userName, database })

const typeNameOf = (params: MethodCall['params']): string => String(params['typeName'] ?? '')
