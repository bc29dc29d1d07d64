import type { Budgets } from '../limits/budgets.ts'
import { createEditLog, EDITABLE_RESOURCES, type EditLog } from './edits.ts'
import { createFaultInjection, type InjectedFault } from './fault-injection.ts'
import { NO_EDITS } from '../records/world.ts'
import { badRequest, HttpError } from '../http-error.ts'
import type { SignIns } from '../sign-in/sign-ins.ts'

type Json = Record<string, unknown>

/**
 * Creates the controls of the simulator for tests: paths under /control that set its clock, inject faults, report
 * requests and peak rates, edit records and revoke sign-ins.
 */
export function createTestControls(budgets: Budgets, signIns: Pick<SignIns, 'setRevoked' | 'endTokens'>) {
  const faults = createFaultInjection()
  const editLogs = new Map<string, EditLog>()
  const countsByKey = new Map<string, Map<string, number>>()
  let offsetMs = 0
  let frozenAtMs: number | null = null
  /** Returns the time of the simulation. */
  const nowMs = () => frozenAtMs ?? Date.now() + offsetMs

  const posts: Record<string, (body: Json) => void> = {
    '/control/clock': (body) => {
      offsetMs = numberIn(body, 'offsetMs', 0)
      const isFrozen = body.stands === true
      frozenAtMs = isFrozen ? Date.now() + offsetMs : null
    },
    '/control/faults': (body) => faults.add(faultOf(body)),
    '/control/sign-ins': (body) => changeSignIns(signIns, body),
    '/control/records': (body) => edit(editLogOf(editLogs, body), body, nowMs()),
  }

  return {
    nowMs,
    applyFault: faults.apply,
    editsOf: (key: string) => editLogs.get(key) ?? NO_EDITS,

    /** Counts a request to a path. */
    count(key: string, path: string) {
      const counts = countsByKey.get(key) ?? new Map<string, number>()
      countsByKey.set(key, counts.set(path, (counts.get(path) ?? 0) + 1))
    },

    respond(method: string, path: string, body: string): unknown {
      if (method === 'GET' && path === '/control/requests') return toObject(countsByKey)
      if (method === 'GET' && path === '/control/budgets') return budgets.peaks()
      const post = posts[path]
      if (method !== 'POST' || !post) throw new HttpError(404, `No control ${method} ${path}`)
      post(parse(body))
      return {}
    },
  }
}

export type TestControls = ReturnType<typeof createTestControls>

function toObject(countsByKey: Map<string, Map<string, number>>) {
  return Object.fromEntries([...countsByKey].map(([key, counts]) => [key, Object.fromEntries(counts)]))
}

function editLogOf(editLogs: Map<string, EditLog>, body: Json): EditLog {
  const key = textIn(body, 'key')
  if (key === undefined)
    throw badRequest('key is required: send the API key of the account whose records to edit')
  const log = editLogs.get(key) ?? createEditLog()
  editLogs.set(key, log)
  return log
}

/**
 * Changes the sign-ins of an account. `revoked` revokes or restores the account. `end` ends tokens: `access` ends
 * access tokens and sessions, `all` also refresh tokens.
 */
function changeSignIns(signIns: Pick<SignIns, 'setRevoked' | 'endTokens'>, body: Json): void {
  const key = textIn(body, 'key')
  if (key === undefined)
    throw badRequest('key is required: send the API key of the account whose sign-ins to change')
  const end = textIn(body, 'end')
  if (end !== undefined && end !== 'access' && end !== 'all') throw badRequest('end must be access or all')
  if (end !== undefined) signIns.endTokens(key, end)
  if (body.revoked !== undefined) signIns.setRevoked(key, body.revoked === true)
}

function edit(log: EditLog, body: Json, atMs: number) {
  for (const resource of EDITABLE_RESOURCES) {
    const change = body[resource]
    if (!isObject(change)) continue
    log.add('remove', resource, indexesIn(change, 'remove', resource), atMs)
    log.add('modify', resource, indexesIn(change, 'modify', resource), atMs)
    log.restore(resource, indexesIn(change, 'restore', resource))
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
    // The error below refuses it, like any other body that is not an object.
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
  if (value !== undefined && typeof value !== 'string') throw badRequest(`${name} must be a text`)
  return value
}

/** Returns the record indexes in a member of a change to a resource. */
function indexesIn(change: Json, name: string, resource: string): number[] {
  const value = change[name] ?? []
  if (Array.isArray(value) && value.every((item): item is number => Number.isInteger(item))) return value
  throw badRequest(`${resource}.${name} must be a list of record indexes`)
}
