import { check, type Check, equals, holds } from '../check.ts'
import { ownOf, patch } from '../own-connection.ts'
import { rowOf, some, type Subject, succeeded, responseText, valueAt } from '../subject.ts'
import { refused } from './errors.ts'
import { request } from './syncs.ts'

/** Parts 3.1 and d8: archiving, restoring and deletion of the suite's own connection, in this order. */

const status = async (own: Subject): Promise<unknown> => (await own.ok('/connections/current'))['status']

const live = ['/vehicles/locations', '/trailers/locations', '/hos/available-time']
const stored = ['/vehicles', '/drivers', '/trips', '/groups']

async function servesCallers(own: Subject): Promise<readonly unknown[]> {
  return Promise.all(stored.map(async (path) => (await own.allNow(path)).map((row) => row['id'])))
}

async function refusesLive(own: Subject, code?: string): Promise<void> {
  for (const path of live) {
    const { code: got } = refused(await own.get(path), 422)
    if (code !== undefined) equals(got, code, `the code of ${path}`)
  }
}

/** Runs a check while the connection has a status, then restores the connection. */
const whileIn =
  (state: 'archived' | 'disconnected', use: (own: Subject, subject: Subject) => Promise<void>) =>
  async (subject: Subject) => {
    const { subject: own } = await ownOf(subject)
    succeeded(await patch(own, { status: state }))
    try {
      equals(await status(own), state, 'the status')
      await use(own, subject)
    } finally {
      await patch(own, { status: 'connected' })
    }
  }

const states = [
  check(
    '4.5-archives',
    whileIn('archived', () => Promise.resolve()),
  ),
  check(
    '3.1-archive-connected',
    whileIn('archived', async (own, subject) => {
      const id = (await own.ok('/connections/current'))['id']
      const archived = await subject.allNow('/connections?status=archived')
      holds(
        archived.some((row) => row['id'] === id),
        'it is not listed as archived',
      )
    }),
  ),
  check(
    '3.1-archive-disconnected',
    whileIn('disconnected', async (own) => {
      succeeded(await patch(own, { status: 'archived' }))
      equals(await status(own), 'archived', 'the status')
    }),
  ),
  check(
    '3.1-archive-stops-syncs',
    whileIn('archived', async (own) => void refused(await request(own), 422)),
  ),
  check('3.1-archive-keeps-data', async (subject) => {
    const before = await servesCallers((await ownOf(subject)).subject)
    await whileIn('archived', async (own) => equals(await servesCallers(own), before, 'the stored data'))(
      subject,
    )
  }),
  check('3.1-archived-checked-again', async (subject) => {
    const { subject: own } = await ownOf(subject)
    succeeded(await patch(own, { status: 'archived' }))
    equals(rowOf(succeeded(await patch(own, { status: 'connected' })))['status'], 'connected', 'the status')
  }),
  check('3.1-restored-connects', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const { token } = own.access
    succeeded(await patch(own, { status: 'disconnected' }))
    succeeded(await patch(own, { status: 'connected' }))
    const connection = await own.ok('/connections/current')
    equals([connection['status'], connection['token']], ['connected', token], 'the status and the token')
  }),
  check(
    'd8-stored-served',
    whileIn('disconnected', async (own) => {
      for (const ids of await servesCallers(own)) holds(Array.isArray(ids), 'a list is not served')
      some(await own.allNow('/vehicles'), 'vehicle')
    }),
  ),
  check(
    'd8-live-refused',
    whileIn('archived', (own) => refusesLive(own)),
  ),
  check(
    'd8-sync-refused',
    whileIn('disconnected', async (own) => void refused(await request(own), 422)),
  ),
  check(
    'd8-disconnected-code',
    whileIn('disconnected', (own) => refusesLive(own, 'connection_disconnected')),
  ),
]

const ends = [
  check('g3.2-delete-cancelled', async (subject) => {
    const { subject: own } = await ownOf(subject)
    succeeded(await own.send('DELETE', '/connections/current'), 202)
    equals(await status(own), 'pending_deletion', 'the status')
    succeeded(await patch(own, { status: 'connected' }))
    equals(await status(own), 'connected', 'the status')
    some(await own.allNow('/vehicles'), 'vehicle')
  }),
  check('g3.2-delete', async (subject) => {
    const { subject: own } = await ownOf(subject)
    const answer = succeeded(await own.send('DELETE', '/connections/current'), 202)
    equals(
      [rowOf(answer)['status'], typeof rowOf(answer)['message']],
      ['pending_deletion', 'string'],
      responseText(answer),
    )
    equals(valueAt(await own.ok('/connections/current'), 'status'), 'pending_deletion', 'the status')
  }),
]

export const lifecycleChecks: readonly Check[] = [...states, ...ends]
