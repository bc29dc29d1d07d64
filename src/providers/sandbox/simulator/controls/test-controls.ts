import type { Budgets } from '../limits/budgets.ts'
import { createEditLog, EDITABLE_RESOURCES, type EditLog } from './edits.ts'
import { createFaultInjection, type InjectedFault } from './fault-injection.ts'
import { NO_EDITS } from '../records/world.ts'
import { badRequest, HttpError } from '../http-error.ts'
import type { SignIns } from '../sign-in/sign-ins.ts'

type Json = Record<string, unknown>

/**
 * Controls of the simulator for tests: they set its clock, inject faults, count requests, edit records and
 * revoke sign-ins.
 */
export function createTestControls(budgets: Budgets, signIns: Pick<SignIns, 'setRevoked' | 'end'>) {
  const faults = createFaultInjection()
  const logs = new Map<string, EditLog>()
  const requests = new Map<string, Map<string, number>>()
  let offsetMs = 0
  let frozenAtMs: number | null = null
  const nowMs = () => frozenAtMs ?? Date.now() + offsetMs

  const posts: Record<string, (body: Json) => void> = {
    '/control/clock': (body) => {
      offsetMs = numberIn(body, 'offsetMs', 0)
      frozenAtMs = body.stands === true ? Date.now() + offsetMs : null
    },
    '/control/faults': (body) => faults.add(faultOf(body)),
    '/control/sign-ins': (body) => changeSignIns(signIns, body),
    '/control/records': (body) => edit(logOf(logs, body), body, nowMs()),
  }

  return {
    nowMs,
    applyFault: faults.apply,
    editsOf: (key: string) => logs.get(key) ?? NO_EDITS,

    count(key: string, path: string) {
      const counts = requests.get(key) ?? new Map<string, number>()
      requests.set(key, counts.set(path, (counts.get(path) ?? 0) + 1))
    },

    respond(method: string, path: string, body: string): unknown {
      if (method === 'GET' && path === '/control/requests') return countsByKey(requests)
      if (method === 'GET' && path === '/control/budgets') return budgets.largest()
      const post = posts[path]
      if (method !== 'POST' || !post) throw new HttpError(404, `No control ${method} ${path}`)
      post(parse(body))
      return {}
    },
  }
}

export type TestControls = ReturnType<typeof createTestControls>

function countsByKey(requests: Map<string, Map<string, number>>) {
  return Object.fromEntries([...requests].map(([key, counts]) => [key, Object.fromEntries(counts)]))
}

function logOf(logs: Map<string, EditLog>, body: Json): EditLog {
  const key = textIn(body, 'key')
  if (key === undefined) throw badRequest('key is required: it selects the account with the records')
  const log = logs.get(key) ?? createEditLog()
  logs.set(key, log)
  return log
}

/**
 * Revokes and restores the sign-ins of an account. `end` ends its tokens; `access` only those that a refresh
 * replaces.
 */
function changeSignIns(signIns: Pick<SignIns, 'setRevoked' | 'end'>, body: Json): void {
  const key = textIn(body, 'key')
  if (key === undefined) throw badRequest('key is required: it selects the account with the sign-ins')
  const end = textIn(body, 'end')
  if (end !== undefined && end !== 'access' && end !== 'all') throw badRequest('end must be access or all')
  if (end !== undefined) signIns.end(key, end)
  if (body.revoked !== undefined) signIns.setRevoked(key, body.revoked === true)
}

function edit(log: EditLog, body: Json, atMs: number) {
  for (const resource of EDITABLE_RESOURCES) {
    const change = body[resource]
    if (!isObject(change)) continue
    log.add('remove', resource, numbersIn(change, 'remove'), atMs)
    log.add('modify', resource, numbersIn(change, 'modify'), atMs)
    log.restore(resource, numbersIn(change, 'restore'))
  }
}

function faultOf(body: Json): InjectedFault {
  return {
    key: textIn(body, 'key'),
    path: textIn(body, 'path'),
    status: body.status === undefined ? undefined : numberIn(body, 'status', 0),
    count: numberIn(body, 'count', 1),
    retryAfter: textIn(body, 'retryAfter'),
    stallMs: numberIn(body, 'stallMs', 0),
    late: body.late === true,
  }
}

function parse(text: string): Json {
  try {
    const body: unknown = JSON.parse(text)
    if (isObject(body)) return body
  } catch {
    // Refused below, like any other body that is not an object.
  }
  throw badRequest('The body must be a JSON object')
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function numberIn(body: Json, name: string, fallback: number): number {
  const value = body[name] ?? fallback
  if (typeof value !== 'number') throw badRequest(`${name} must be a number`)
  return value
}

function textIn(body: Json, name: string): string | undefined {
  const value = body[name] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw badRequest(`${name} must be text`)
  return value
}

function numbersIn(body: Json, name: string): number[] {
  const value = body[name] ?? []
  if (Array.isArray(value) && value.every((item): item is number => Number.isInteger(item))) return value
  throw badRequest(`${name} must be a list of indexes`)
}
