import type { Limit } from '../../kit/limits.ts'
import type { Switches } from '../switches.ts'
import { MINUTE } from '../times.ts'
import { callsPerMinute } from './limits.ts'

interface MethodCall {
  readonly method?: string
  readonly params?: Readonly<Record<string, unknown>>
}

/** Returns the rate limits that count a request. A multi-call counts as its calls, or as one call. */
export function limitsOf(body: string, switches: Readonly<Switches>): Limit[] {
  const called = parseCall(body)
  const { calls, credentials, ...params } = called.params ?? {}
  const { database = '-', userName = '-' } = { ...params, ...(credentials as object) } as Record<
    string,
    string
  >
  const isEach = called.method === 'ExecuteMultiCall' && switches.multiCallSpends === 'each'
  const counted = isEach ? ((calls as MethodCall[] | undefined) ?? []) : [called]
  return counted.map(({ method = '', params = {} }) => ({
    of: [database, userName, method, params['typeName'] ?? ''].join(' ').trim(),
    requests: callsPerMinute(method, switches),
    milliseconds: MINUTE,
  }))
}

function parseCall(body: string): MethodCall {
  try {
    return JSON.parse(body) as MethodCall
  } catch {
    return {}
  }
}
