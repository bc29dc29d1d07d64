import { setTimeout as wait } from 'node:timers/promises'
import { fail, NotApplicable } from './check.ts'
import { type Answer, type Row, rowOf, type Subject, textAt, responseText, valueAt } from './subject.ts'

/**
 * Checks that change or end a connection use the suite's own, created with POST /connections (an extension of
 * ours). They do not apply to a service without it.
 */
export interface Own {
  /** Client of the service with the token of the connection. */
  readonly subject: Subject
  /** Response of its creation. */
  readonly made: Row
  readonly sent: Row
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

export const wishFor = (apiKey: string, more: Row = {}): Row => ({
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
  input: Row,
  use: (own: Subject, made: Row) => Promise<T>,
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

const MOST_LOOKS = 1500
const LOOK_MS = 200

/** Polls until the result is not null. */
export async function until<T>(what: string, ask: () => Promise<T | null>): Promise<T> {
  for (let observedState = 0; observedState < MOST_LOOKS; observedState++) {
    const found = await ask()
    if (found !== null) return found
    await wait(LOOK_MS)
  }
  return fail(`${what}: not within ${(MOST_LOOKS * LOOK_MS) / 1000} s`)
}

/** Waits for the end of the first sync, as the current connection shows it. */
export const syncedOnce = (own: Subject): Promise<string> =>
  until('the first sync has ended', async () => {
    const status = valueAt(await own.ok('/connections/current'), 'lastSync.status')
    return status === 'completed' || status === 'failed' ? status : null
  })
