import type { Limit } from '../../kit/limits.ts'
import type { Switches } from '../switches.ts'
import { MINUTE } from '../times.ts'
import { mostPerMinute } from './limits.ts'

interface Called {
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/**
 * Returns the limits of a request: one for each method, type, user and database. A multi-call uses those of
 * its calls, or its own.
 */
export function permitted(body: string, switches: Readonly<Switches>): Limit[] {
  const called = calledIn(body)
  const { calls, credentials, ...params } = called.params ?? {}
  const { database = '-', userName = '-' } = { ...params, ...(credentials as object) } as Record<
    string,
    string
  >
  const isEach = called.method === 'ExecuteMultiCall' && switches.multiCallSpends === 'each'
  const counted = isEach ? ((calls as Called[] | undefined) ?? []) : [called]
  return counted.map(({ method = '', params = {} }) => ({
    of: [database, userName, method, params['typeName'] ?? ''].join(' ').trim(),
    requests: mostPerMinute(method, switches),
    milliseconds: MINUTE,
  }))
}

function calledIn(body: string): Called {
  try {
    return JSON.parse(body) as Called
  } catch {
    return {}
  }
}
