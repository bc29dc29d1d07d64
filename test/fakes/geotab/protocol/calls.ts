import type { Switches } from '../switches.ts'
import type { Database } from './database.ts'
import { feed } from './feed.ts'
import { countOf, get } from './get.ts'
import type { Limits } from './limits.ts'
import { missingMethod, Refusal } from './refusal.ts'
import { type Credentials, type Sessions, unknownDatabase } from './sessions.ts'

/** The name by which a caller came; Authenticate on the first may send it to the second. */
export type Host = 'first' | 'second'

export interface Called {
  readonly method: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Answer {
  readonly result: unknown
  readonly headers: Readonly<Record<string, string>>
}

/** What the calls work upon. */
export interface Office {
  readonly switches: Readonly<Switches>
  readonly sessions: Sessions
  readonly limits: Limits
  readonly databaseOf: (name: string) => Database | null
  readonly secondHost: () => string
}

export function call(office: Office, called: Called, host: Host): Answer {
  if (called.method === 'Authenticate') return authenticate(office, called.params, host)
  const credentials = office.sessions.check(called.params['credentials'] as Partial<Credentials> | undefined)
  const database = office.databaseOf(credentials.database)
  if (!database || isElsewhere(office, host)) throw unknownDatabase(credentials.database)
  if (called.method === 'ExecuteMultiCall') return multiCall(office, called, credentials, database)
  const headers = spend(office, called, credentials)
  return { result: resultOf(office, called, credentials, database), headers }
}

function authenticate(office: Office, params: Called['params'], host: Host): Answer {
  const [database, user, password] = ['database', 'userName', 'password'].map((name) =>
    String(params[name] ?? ''),
  )
  const spending = {
    method: 'Authenticate',
    typeName: '',
    user: user as string,
    database: database as string,
  }
  const headers = office.limits.spend(spending)
  // The first knows where databases are that it does not have.
  if (host === 'second' && isElsewhere(office, host)) throw unknownDatabase(database as string)
  const credentials = office.sessions.open(database as string, user as string, password as string)
  const path = isElsewhere(office, host) ? office.secondHost() : 'ThisServer'
  return { result: { credentials, path }, headers }
}

/** One host has the databases, and the other does not. */
const isElsewhere = ({ switches }: Office, host: Host): boolean =>
  (switches.path === 'another') !== (host === 'second')

function resultOf(
  office: Office,
  { method, params }: Called,
  credentials: Credentials,
  database: Database,
): unknown {
  if (method === 'Get') return get(database, params)
  if (method === 'GetFeed') return feed(database, params)
  if (method === 'GetCountOf') return countOf(database, params)
  if (method !== 'ExtendSession') throw missingMethod(method)
  office.sessions.extend(credentials)
  return null
}

/** One after the other; the first that fails is the answer to all, and those behind it do not run. */
function multiCall(office: Office, { params }: Called, credentials: Credentials, database: Database): Answer {
  const calls = Array.isArray(params['calls']) ? (params['calls'] as Called[]) : []
  const isOnce = office.switches.multiCallSpends === 'once'
  let headers = isOnce ? spend(office, { method: 'ExecuteMultiCall', params: {} }, credentials) : {}
  const results = calls.map((one, index) => {
    try {
      const called = { method: one.method, params: one.params ?? {} }
      if (!isOnce) headers = spend(office, called, credentials)
      return resultOf(office, called, credentials, database)
    } catch (error) {
      if (error instanceof Refusal) error.requestIndex = index
      throw error
    }
  })
  return { result: results, headers }
}

const spend = ({ limits }: Office, { method, params }: Called, { userName, database }: Credentials) =>
  limits.spend({ method, typeName: typeNameOf(params), user: userName, database })

const typeNameOf = (params: Called['params']): string => String(params['typeName'] ?? '')
