import type { PassedRequest } from '../provider-api.ts'
import { isObject } from '../mapping/is-object.ts'

type Members = Readonly<Record<string, unknown>>

const NO_CALL =
  'MyGeotab takes a POST to /apiv1 with a call in JSON: {"method": "Get", "params": {"typeName": …}}.'
const SIGNS_IN = 'A call that signs somebody in, or sets a password, is not passed on.'

/**
 * Why a request is not passed to MyGeotab. Only in a call can be said on whose behalf it is; and who signs in is the
 * service's business: a session of another user would be told in the answer, and a password that is changed would end
 * the connection.
 */
export function whyNotPassed({ method, path, body }: PassedRequest): string | null {
  const call = method === 'POST' && /^\/apiv1\/?$/.test(path) ? callIn(body) : null
  if (!call) return NO_CALL
  return signsIn(call) ? SIGNS_IN : null
}

function callIn(body: string | null): Members | null {
  try {
    const call: unknown = JSON.parse(body ?? '')
    return isObject(call) && typeof call['method'] === 'string' ? call : null
  } catch {
    return null
  }
}

/** Also where it is one of many in one. */
function signsIn({ method, params }: Members): boolean {
  if (String(method).trim().toLowerCase() === 'authenticate') return true
  if (!isObject(params)) return false
  const { calls, entity } = params
  if (isObject(entity) && Object.keys(entity).some((name) => name.toLowerCase() === 'password')) return true
  return Array.isArray(calls) && calls.some((call) => isObject(call) && signsIn(call))
}
