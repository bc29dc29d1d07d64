import type { PassthroughRequest } from '../provider-api.ts'
import { isObject } from '../../platform/is-object.ts'

type Members = Readonly<Record<string, unknown>>

const NOT_A_CALL =
  'MyGeotab takes a POST to /apiv1 with a call in JSON: {"method": "Get", "params": {"typeName": …}}.'
const SETS_CREDENTIALS = 'A call that signs a user in or sets a password is refused.'

/**
 * Returns why a passthrough request is refused; null if it is allowed. It must be a call, because our credentials are
 * sent inside calls. A call that signs in would return a session of another user. A changed password would end the
 * connection.
 */
export function passthroughRefusal({ method, path, body }: PassthroughRequest): string | null {
  const call = method === 'POST' && /^\/apiv1\/?$/.test(path) ? callIn(body) : null
  if (!call) return NOT_A_CALL
  return setsCredentials(call) ? SETS_CREDENTIALS : null
}

function callIn(body: string | null): Members | null {
  try {
    const call: unknown = JSON.parse(body ?? '')
    return isObject(call) && typeof call['method'] === 'string' ? call : null
  } catch {
    return null
  }
}

/** Whether a call signs in or sets a password, also inside a multi-call. */
function setsCredentials({ method, params }: Members): boolean {
  if (String(method).trim().toLowerCase() === 'authenticate') return true
  if (!isObject(params)) return false
  const { calls, entity } = params
  if (isObject(entity) && Object.keys(entity).some((name) => name.toLowerCase() === 'password')) return true
  return Array.isArray(calls) && calls.some((call) => isObject(call) && setsCredentials(call))
}
