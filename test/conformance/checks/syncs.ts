import { check, type Check, equals, fail, holds } from '../check.ts'
import { ownOf, until } from '../own-connection.ts'
import { unknownId } from '../paths.ts'
import {
  type Answer,
  isJsonObject,
  type JsonObject,
  rowOf,
  some,
  type Subject,
  succeeded,
  textAt,
} from '../subject.ts'
import { refused } from './errors.ts'

/** Parts g3.3 and g3.7: syncs and passthrough, on the suite's own connection. */

export const request = (own: Subject, body: JsonObject = {}): Promise<Answer> =>
  own.send('POST', '/syncs', { body })

const ended = (own: Subject, id: string): Promise<JsonObject> =>
  until(`${id} has ended`, async () => {
    const sync = await own.ok(`/syncs/${id}`)
    return ['completed', 'failed'].includes(textAt(sync, 'status')) ? sync : null
  })

async function syncNow(own: Subject, body?: JsonObject): Promise<JsonObject> {
  const answer = await until('no sync runs', async () => {
    const given = await request(own, body)
    return given.status === 409 ? null : given
  })
  return rowOf(succeeded(answer, 201))
}

const MAX_TRIES = 20

const syncs = [
  check('g3.3-request', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const sync = await syncNow(own)
    holds(textAt(sync, 'id').startsWith('sync_'), 'the id is no sync')
    holds(
      ['requested', 'in_progress'].includes(textAt(sync, 'status')),
      `the status is ${textAt(sync, 'status')}`,
    )
    equals((await ended(own, textAt(sync, 'id')))['status'], 'completed', 'the status at the end')
  }),
  check('g3.3-days-and-start', async (subject) => {
    const { subject: own } = await ownOf(subject)
    for (const body of [{ days: 1 }, { startFrom: new Date(Date.now() - 86_400_000).toISOString() }]) {
      const sync = await syncNow(own, body)
      const from = Date.parse(textAt(sync, 'startFrom'))
      holds(Math.abs(Date.now() - 86_400_000 - from) < 3_600_000, `startFrom is ${textAt(sync, 'startFrom')}`)
      await ended(own, textAt(sync, 'id'))
    }
  }),
  check('g3.3-conflict', async (subject) => {
    const { subject: own } = await ownOf(subject)
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const [one, other] = await Promise.all([request(own), request(own)])
      const conflict = [one, other].find((answer) => answer.status === 409)
      const made = [one, other].find((answer) => answer.status === 201)
      if (made) await ended(own, textAt(rowOf(made), 'id'))
      if (conflict && made) return void refused(conflict, 409)
    }
    fail('two concurrent requests never conflicted')
  }),
  check('g3.3-get', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const [row] = some(await own.allNow('/syncs'), 'sync')
    equals(await own.ok(`/syncs/${textAt(row, 'id')}`), row, 'the sync by itself')
    refused(await own.get(`/syncs/${unknownId('sync')}`), 404)
    refused(await subject.get(`/syncs/${textAt(row, 'id')}`), 404)
  }),
  check('g3.3-status', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const all = await own.allNow('/syncs')
    const times = all.map((row) => textAt(row, 'requestedAt'))
    equals(times, times.toSorted().toReversed(), 'the times in which they come')
    const completed = await own.allNow('/syncs?status=completed')
    equals(
      completed.map((row) => row['id']),
      all.filter((row) => row['status'] === 'completed').map((row) => row['id']),
      'status=completed',
    )
  }),
  check('g3.3-retry-not-failed', (subject) => refusesEnded(subject, 'retry')),
  check('g3.3-cancel-not-running', (subject) => refusesEnded(subject, 'cancel')),
  check('g3.3-cancel', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const id = await cancelOne(own)
    const again = rowOf(succeeded(await own.send('POST', `/syncs/${id}/retry`)))
    equals([again['id'], typeof again['message']], [id, 'string'], 'the answer to the retry')
    equals((await ended(own, id))['status'], 'completed', 'the status after the retry')
    await cancelOne(own)
  }),
]

/** Requests a sync and cancels it while it runs. Returns the id of the failed sync. */
async function cancelOne(own: Subject): Promise<string> {
  for (let tries = 0; tries < MAX_TRIES; tries++) {
    const id = textAt(await syncNow(own), 'id')
    const answer = await own.send('POST', `/syncs/${id}/cancel`)
    const sync = await ended(own, id)
    if (answer.status === 422) continue
    equals([rowOf(answer)['id'], typeof rowOf(answer)['message']], [id, 'string'], 'the answer')
    equals(sync['status'], 'failed', 'the status of the cancelled sync')
    return id
  }
  return fail('no sync ran long enough to be cancelled')
}

async function refusesEnded(subject: Subject, verb: 'retry' | 'cancel'): Promise<void> {
  const { subject: own } = await ownOf(subject)
  const [row] = some(await own.allNow('/syncs?status=completed'), 'completed sync')
  refused(await own.send('POST', `/syncs/${textAt(row, 'id')}/${verb}`), 422)
}

const envelope = (row: JsonObject): void =>
  equals(
    Object.keys(row).toSorted(),
    ['headers', 'method', 'path', 'response', 'statusCode'],
    'the members of the envelope',
  )

const pass = (own: Subject, path: string, raw = ''): Promise<Answer> =>
  own.send('POST', `/passthrough${raw}`, { body: { method: 'GET', path } })

const passthrough = [
  check('g3.7-envelope', async (subject) => {
    const row = rowOf(succeeded(await pass((await ownOf(subject)).subject, '/account')))
    envelope(row)
    equals([row['method'], row['path'], row['statusCode']], ['GET', '/account', 200], 'the envelope')
    holds(isJsonObject(row['response']) && isJsonObject(row['headers']), 'response or headers is no object')
  }),
  check('g3.7-provider-errors-inside', async (subject) => {
    const row = rowOf(succeeded(await pass((await ownOf(subject)).subject, '/nonsense')))
    envelope(row)
    equals(row['statusCode'], 404, 'the statusCode')
  }),
  check('g3.7-raw', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const answer = succeeded(await pass(own, '/account', '/raw'))
    equals(answer.body, rowOf(await pass(own, '/account'))['response'], 'the bytes')
    holds(/json/.test(answer.headers.get('content-type') ?? ''), "the content type is not the provider's")
  }),
  check('g3.7-raw-errors', async (subject) => {
    const row = rowOf(succeeded(await pass((await ownOf(subject)).subject, '/nonsense', '/raw')))
    envelope(row)
    equals(row['statusCode'], 404, 'the statusCode')
  }),
]

export const syncChecks: readonly Check[] = [...syncs, ...passthrough]
