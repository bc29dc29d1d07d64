import type { Budgets } from './limits/budgets.ts'
import { createEditLog, EDITED_NOUNS, type EditLog } from './edits.ts'
import { createFaultInjection, type InjectedFault } from './fault-injection.ts'
import { NO_EDITS } from './records/world.ts'
import { badRequest, HttpError } from './http-error.ts'
import type { SignIns } from './sign-in/sign-ins.ts'

type Json = Record<string, unknown>

/**
 * What tests may do to the simulator: move its clock, make it fail, count its requests, change its records, take away
 * what somebody signed in with.
 */
export function createTestControls(rateLimits: Budgets, signIns: Pick<SignIns, 'setRevoked' | 'end'>) {
  const faults = createFaultInjection()
  const logs = new Map<string, EditLog>()
  const requests = new Map<string, Map<string, number>>()
  let offsetMs = 0
  let standsAtMs: number | null = null
  const nowMs = () => standsAtMs ?? Date.now() + offsetMs

  const posts: Record<string, (body: Json) => void> = {
    '/control/clock': (body) => {
      offsetMs = numberIn(body, 'offsetMs', 0)
      standsAtMs = body.stands === true ? Date.now() + offsetMs : null
    },
    '/control/faults': (body) => faults.add(faultOf(body)),
    '/control/sign-ins': (body) => changeSignIns(signIns, body),
    '/control/records': (body) => edit(logOf(logs, body), body, nowMs()),
  }

  return {
    nowMs,
    strike: faults.strike,
    editsOf: (key: string) => logs.get(key) ?? NO_EDITS,

    count(key: string, path: string) {
      const counts = requests.get(key) ?? new Map<string, number>()
      requests.set(key, counts.set(path, (counts.get(path) ?? 0) + 1))
    },

    answer(method: string, path: string, body: string): unknown {
      if (method === 'GET' && path === '/control/requests') return countsByKey(requests)
      if (method === 'GET' && path === '/control/budgets') return rateLimits.largest()
      const post = posts[path]
      if (method !== 'POST' || !post) throw new HttpError(404, `There is no control ${method} ${path}`)
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
  if (key === undefined) throw badRequest('key must say whose records to change')
  const log = logs.get(key) ?? createEditLog()
  logs.set(key, log)
  return log
}

/** Takes away and gives back; `end` is for tokens, `access` for those that a refresh replaces. */
function changeSignIns(signIns: Pick<SignIns, 'setRevoked' | 'end'>, body: Json): void {
  const key = textIn(body, 'key')
  if (key === undefined) throw badRequest('key must say whose sign-ins to change')
  const end = textIn(body, 'end')
  if (end !== undefined && end !== 'access' && end !== 'all') throw badRequest('end must be access or all')
  if (end !== undefined) signIns.end(key, end)
  if (body.revoked !== undefined) signIns.setRevoked(key, body.revoked === true)
}

function edit(log: EditLog, body: Json, atMs: number) {
  for (const noun of EDITED_NOUNS) {
    const change = body[noun]
    if (!isObject(change)) continue
    log.add('remove', noun, numbersIn(change, 'remove'), atMs)
    log.add('modify', noun, numbersIn(change, 'modify'), atMs)
    log.restore(noun, numbersIn(change, 'restore'))
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
    // Answered below, like any other body that is no object.
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
