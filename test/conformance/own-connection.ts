import { setTimeout as wait } from 'node:timers/promises'
import { fail, NotApplicable } from './check.ts'
import {
  type Answer,
  type JsonObject,
  rowOf,
  type Subject,
  textAt,
  responseText,
  valueAt,
} from './subject.ts'

/**
 * Connection that the suite creates with POST /connections, an extension of Odograph. Checks that change or delete a
 * connection use it, and do not apply to a service without the extension.
 */
export interface Own {
  /** Client of the service with the token of the connection. */
  readonly subject: Subject
  /** Response of its creation. */
  readonly made: JsonObject
  readonly sent: JsonObject
}

const known = new WeakMap<object, Promise<Own>>()

/** Returns the shared connection of the checks. The first call creates it and waits for its first sync. */
export function ownOf(subject: Subject): Promise<Own> {
  const made = known.get(subject.access) ?? makeOwn(subject, 'sandbox-2-7')
  known.set(subject.access, made)
  return made
}

/** Returns a client with the token of that connection; null if the service cannot create one. */
export async function ownIfAny(subject: Subject): Promise<Subject | null> {
  try {
    return (await ownOf(subject)).subject
  } catch {
    return null
  }
}

const LABEL = Date.now().toString(36)

export const wishFor = (apiKey: string, more: JsonObject = {}): JsonObject => ({
  provider: 'sandbox',
  credentials: { apiKey },
  externalId: `conformance ${LABEL}`,
  company: { name: 'Conformance', dotNumbers: ['7654321'] },
  tags: ['conformance', `run ${LABEL}`],
  backfill: { days: 1 },
  agreements: [
    {
      type: 'end-user-agreement',
      agreementUrl: 'https://example.com/agreement',
      acceptedAt: '2026-01-31T12:00:00.000Z',
      ipAddress: '192.0.2.1',
      userAgent: 'conformance',
    },
  ],
  ...more,
})

async function makeOwn(subject: Subject, apiKey: string): Promise<Own> {
  const sent = wishFor(apiKey)
  const made = rowOf(made201(await subject.send('POST', '/connections', { body: sent })))
  const own = { made, sent, subject: subject.withToken(textAt(made, 'token')) }
  await syncedOnce(own.subject)
  return own
}

export function made201(answer: Answer): Answer {
  if ([404, 405].includes(answer.status)) throw new NotApplicable('the service has no POST /connections')
  return answer.status === 201 ? answer : fail(`${responseText(answer)}: expected 201`)
}

/** Creates a connection for one check and deletes it afterwards. */
export async function withConnection<T>(
  subject: Subject,
  input: JsonObject,
  use: (own: Subject, made: JsonObject) => Promise<T>,
): Promise<T> {
  const made = rowOf(made201(await subject.send('POST', '/connections', { body: input })))
  const own = subject.withToken(textAt(made, 'token'))
  try {
    return await use(own, made)
  } finally {
    await own.send('DELETE', '/connections/current')
  }
}

export const patch = (own: Subject, body: unknown): Promise<Answer> =>
  own.send('PATCH', '/connections/current', { body })

const MAX_POLLS = 1500
const POLL_INTERVAL_MS = 200

/** Polls until the result is not null. */
export async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  for (let poll = 0; poll < MAX_POLLS; poll++) {
    const found = await ask()
    if (found !== null) return found
    await wait(POLL_INTERVAL_MS)
  }
  return fail(`${what}: not within ${(MAX_POLLS * POLL_INTERVAL_MS) / 1000} s`)
}

/** Waits until GET /connections/current shows that the first sync has ended. */
export const syncedOnce = (own: Subject): Promise<string> =>
  until('the first sync has ended', async () => {
    const status = valueAt(await own.ok('/connections/current'), 'lastSync.status')
    return status === 'completed' || status === 'failed' ? status : null
  })
