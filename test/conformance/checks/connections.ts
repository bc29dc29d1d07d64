import { check, type Check, equals, fail, holds } from '../check.ts'
import { made201, ownOf, syncedOnce, withConnection, wishFor } from '../own-connection.ts'
import {
  type JsonObject,
  rowOf,
  some,
  type Subject,
  textAt,
  responseText,
  valueAt,
  withQuery,
} from '../subject.ts'
import { problemIn, refused } from './errors.ts'

/** Parts 4.3 to 4.6, g3.1 and g3.2: connections. Checks that change one use the suite's own. */

const everyConnection = (subject: Subject): Promise<readonly JsonObject[]> => subject.allNow('/connections')

/** Expects a filter to return exactly the connections with the value. */
const filter = (
  statement: string,
  name: string,
  has: (row: JsonObject, value: string) => boolean,
  of: (own: JsonObject) => string,
) =>
  check(statement, async (subject) => {
    const { made } = await ownOf(subject)
    const current = rowOf(await subject.get('/connections/current'))
    const value = of({
      ...made,
      ...current,
      id: made['id'],
      externalId: made['externalId'],
      tags: made['tags'],
      company: made['company'],
    })
    const all = await everyConnection(subject)
    const got = await subject.allNow(withQuery('/connections', { [name]: value }))
    const expected = all.filter((row) => has(row, value))
    some(expected, `connection with ${name} ${value}`)
    equals(got.map(idOf).toSorted(), expected.map(idOf).toSorted(), `${name}=${value}`)
    const nobody = name === 'status' ? 'deleted' : 'nobody has this'
    if (!all.some((row) => has(row, nobody)))
      equals(await subject.allNow(withQuery('/connections', { [name]: nobody })), [], `${name}=${nobody}`)
  })

const idOf = (row: JsonObject): string => textAt(row, 'id')

const listIn = (row: JsonObject, path: string): readonly unknown[] => {
  const value = valueAt(row, path)
  return Array.isArray(value) ? value : []
}

const dotNumbers = (row: JsonObject) => [
  ...listIn(row, 'company.dotNumbers'),
  ...listIn(row, 'account.dotNumbers'),
]

async function updatedWithin(subject: Subject, name: 'updatedAfter' | 'updatedBefore'): Promise<void> {
  await ownOf(subject)
  const all = await everyConnection(subject)
  const times = all.map((row) => textAt(row, 'updatedAt')).toSorted()
  const edge = times[Math.floor(times.length / 2)] ?? fail('no connection')
  const got = await subject.allNow(withQuery('/connections', { [name]: edge }))
  const inside = (row: JsonObject) => {
    const [time, at] = [Date.parse(textAt(row, 'updatedAt')), Date.parse(edge)]
    return name === 'updatedAfter' ? time >= at : time <= at
  }
  equals(got.map(idOf).toSorted(), all.filter(inside).map(idOf).toSorted(), `${name}=${edge}`)
}

const listing = [
  filter(
    '4.3-external-id',
    'externalId',
    (row, value) => row['externalId'] === value,
    (own) => textAt(own, 'externalId'),
  ),
  filter(
    '4.3-dot-number',
    'dotNumber',
    (row, value) => dotNumbers(row).includes(value),
    (own) => String(dotNumbers(own)[0]),
  ),
  filter(
    '4.3-tag',
    'tag',
    (row, value) => listIn(row, 'tags').includes(value),
    (own) => String(listIn(own, 'tags').at(-1)),
  ),
  filter(
    '1-tags',
    'tag',
    (row, value) => listIn(row, 'tags').includes(value),
    (own) => String(listIn(own, 'tags')[0]),
  ),
  filter(
    'd5-tags-alias',
    'tags',
    (row, value) => listIn(row, 'tags').includes(value),
    (own) => String(listIn(own, 'tags').at(-1)),
  ),
  filter(
    '4.3-status',
    'status',
    (row, value) => row['status'] === value,
    () => 'connected',
  ),
  filter(
    '4.3-provider',
    'provider',
    (row, value) => valueAt(row, 'provider.code') === value,
    (own) => textAt(own, 'provider.code'),
  ),
  check('4.3-updated-after', (subject) => updatedWithin(subject, 'updatedAfter')),
  check('4.3-updated-before', (subject) => updatedWithin(subject, 'updatedBefore')),
  check('4.3-results-are-connections', async (subject) => {
    for (const row of some(await everyConnection(subject), 'connection'))
      for (const name of ['id', 'token', 'status', 'company', 'account', 'provider', 'syncMode', 'options'])
        holds(name in row, `${name} is missing`)
  }),
  check('3.1-status-values', async (subject) => {
    const six = ['connected', 'disconnected', 'archived', 'pending_deletion', 'deleting', 'deleted']
    for (const status of six) await subject.page(`/connections?status=${status}`)
    for (const row of await everyConnection(subject))
      holds(six.includes(textAt(row, 'status')), textAt(row, 'status'))
  }),
]

const current = [
  check('4.4-no-parameters', async (subject) => {
    problemIn(await subject.get('/connections/current?raw=true'), '{requestQuery}.raw')
  }),
  check('4.4-of-the-token', async (subject) => {
    for (const one of [subject, (await ownOf(subject)).subject]) {
      const connection = await one.ok('/connections/current')
      equals(connection['token'], one.access.token, 'the token')
      holds(Array.isArray(connection['agreements']), 'agreements is no array')
    }
  }),
  check('4.4-last-sync', async (subject) => {
    const { subject: own } = await ownOf(subject)
    holds(
      String(valueAt(await own.ok('/connections/current'), 'lastSync.id')).startsWith('sync_'),
      'no lastSync',
    )
  }),
  check('4.6-no-parameters', async (subject) => {
    problemIn(await subject.get('/providers?limit=5'), '{requestQuery}.limit')
  }),
  check('4.6-bare-array', async (subject) => {
    const answer = await subject.get('/providers')
    holds(Array.isArray(answer.body) && answer.body.length > 0, responseText(answer))
  }),
  check('4.7-id', async (subject) => {
    for (const row of (await subject.all('/vehicles?deleted=true&hidden=true')).slice(0, 5))
      equals((await subject.ok(`/vehicles/${idOf(row)}`))['id'], row['id'], 'the id')
  }),
  check('4.7-answer', async (subject) => {
    const [row] = some(await subject.all('/vehicles'), 'vehicle')
    const one = await subject.ok(`/vehicles/${idOf(row)}`)
    equals(Object.keys(one).toSorted(), Object.keys(row).toSorted(), 'its members, as the list has them')
    holds(!('results' in one), 'the answer is a list')
  }),
]

const creating = [
  check('g3.1-creates', async (subject) => {
    const { made, sent } = await ownOf(subject)
    for (const name of ['externalId', 'company', 'tags']) equals(made[name], sent[name], name)
    equals(made['status'], 'connected', 'the status')
  }),
  check('2.1-sync-mode-default', async (subject) => {
    equals(
      (await ownOf(subject)).made['syncMode'],
      'automatic',
      'the sync mode of a connection created without one',
    )
  }),
  check('g3.1-refuses-unknown-provider', async (subject) => {
    await ownOf(subject)
    const answer = await subject.send('POST', '/connections', {
      body: { ...wishFor('x'), provider: 'nonsense' },
    })
    problemIn(answer, '{requestBody}.provider')
  }),
  check('3.1-revoked-is-not-connected', async (subject) => {
    const answer = await subject.send('POST', '/connections', { body: wishFor('revoked-conformance') })
    if (answer.status === 422) return void refused(answer, 422)
    holds(valueAt(rowOf(made201(answer)), 'status') === 'disconnected', responseText(answer))
  }),
  check('1-automatic-mode', async (subject) => {
    const { subject: own } = await ownOf(subject)
    equals(await syncedOnce(own), 'completed', 'the first sync, which runs without a request')
    some(await own.allNow('/vehicles'), 'vehicle')
  }),
  check('5-token-selects', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const theirs = some(await own.allNow('/vehicles'), 'vehicle').map(idOf)
    const ours = await subject.all('/vehicles')
    equals(
      ours.filter((row) => theirs.includes(idOf(row))),
      [],
      'vehicles of both connections',
    )
    refused(await subject.get(`/vehicles/${theirs[0]}`), 404)
    equals((await subject.page(`/trips?vehicleIds=${theirs[0]}`)).results, [], 'trips of the other account')
  }),
]

export const connectionChecks: readonly Check[] = [...listing, ...current, ...creating]

export const manualChecks: readonly Check[] = [
  check('1-manual-mode', (subject) =>
    withConnection(subject, wishFor('sandbox-2-8', { syncMode: 'manual' }), async (own, made) => {
      equals(made['syncMode'], 'manual', 'the sync mode')
      const before = (await own.allNow('/syncs')).map(idOf)
      const answer = await own.send('POST', '/syncs', { body: {} })
      holds([201, 409].includes(answer.status), responseText(answer))
      await syncedOnce(own)
      const after = (await own.allNow('/syncs')).map(idOf)
      holds(after.length <= Math.max(1, before.length) + 1, `there are ${after.length} syncs`)
      some(await own.allNow('/vehicles'), 'vehicle')
    }),
  ),
]
