import { setTimeout as wait } from 'node:timers/promises'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { JumpingClock } from '../retry-schedule/jumping-clock.ts'
import type { Store } from '../support/service-process.ts'
import { Caller } from './caller.ts'
import { type LinkedFleet, linkFleet } from './link-fleet.ts'
import { ObservedState, until } from './observed-state.ts'
import { type SearchTerms, collectSearchTerms } from './search-terms.ts'
import { type AccessRequest, sendAll } from './access-requests.ts'
import { remainingData, matchFailures } from './scan.ts'
import { Stage } from './stage.ts'

/** Results of one walk through a deletion. */
export interface WalkResult {
  readonly description: readonly string[]
  readonly failures: readonly string[]
}

interface Size {
  readonly vehicles: number
  readonly days: number
}

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
/** Longer than the ten seconds between two checks of a worker for due deletions. */
const POLL_MS = 12_000
const HOURLY = Array(20).fill(3600) as number[]
const [MIN_IDENTITIES, MIN_VALUES, MIN_LINES] = [100, 1000, 10]

/** Links and reads a fleet, requests and cancels its deletion, then deletes it and searches for data that is left. */
export async function walk(store: Store, { vehicles, days }: Size): Promise<WalkResult> {
  await using harness = await Stage.start(store)
  await using inbox = await WebhookInbox.start()
  await using shaky = await WebhookInbox.start({ react: () => ({ status: 500, body: 'not now' }) })
  const description: string[] = []
  const failures: string[] = []
  try {
    const caller = new Caller(harness.service.ready)
    const neighbour = new ObservedState(harness.db, inbox, harness.service.ready.connectionId)
    await neighbour.synced(1)
    for (const { url } of [inbox, shaky])
      await caller.mutate('createWebhookEndpoint', { url, retrySeconds: HOURLY }, 'secret')
    const apiKey = `sandbox-${vehicles}-77001`
    const fleet = await linkFleet(caller, apiKey, days)
    const observedState = new ObservedState(harness.db, inbox, fleet.connectionId)
    const context = {
      harness,
      caller,
      apiKey,
      fleet,
      observedState,
      neighbour,
      clock: new JumpingClock(),
      description,
      failures,
    }
    const requests = await readFleet(context)
    await cancelDeletion(context)
    await checkDeletion(context, requests)
  } catch (error) {
    failures.push(error instanceof Error ? String(error.stack) : String(error))
  }
  return { description, failures }
}

interface WalkContext {
  readonly harness: Stage
  readonly caller: Caller
  readonly apiKey: string
  readonly fleet: LinkedFleet
  readonly observedState: ObservedState
  readonly neighbour: ObservedState
  readonly clock: JumpingClock
  readonly description: string[]
  readonly failures: string[]
}

/** Reads the fleet in every way, which fills every cache and table that can hold its data. */
async function readFleet({
  harness,
  caller,
  apiKey,
  fleet,
  observedState,
}: WalkContext): Promise<AccessRequest[]> {
  const { connectionId } = fleet
  const token = caller.withToken(fleet.token)
  const input = { connectionIds: [connectionId], expiresInSeconds: 86_400 }
  const created = await caller.mutate<{ token: string }>('createSession', input, 'token')
  const session = caller.withSession(created.token)
  const subscriptions = [caller.subscribe(), session.subscribe()]
  await observedState.synced(1)
  await harness.sandbox.control('faults', { key: apiKey, path: '/groups', status: 403, count: 1 })
  await token.mutate('requestSync', {}, 'sync { id }')
  await observedState.synced(2)
  await until(
    'its latest locations are polled',
    async () => (await observedState.count('latest_trailer_locations')) > 0,
  )
  await until('the subscribers receive the events', async () =>
    subscriptions.every(({ received }) => received().includes('sync.completed')),
  )
  await observedState.reported('sync.completed')
  const requests = await sendAll({ key: caller, token, session, connectionId })
  for (const { close } of subscriptions) close()
  return requests
}

const vehiclesOf = (observedState: ObservedState): Promise<number> =>
  observedState.count('vehicles', '`deletedAt` IS NULL')

/** Requests the deletion and cancels it within the day: the fleet must be unchanged. */
async function cancelDeletion({
  caller,
  fleet,
  observedState,
  clock,
  description,
  failures,
}: WalkContext): Promise<void> {
  const token = caller.withToken(fleet.token)
  const [vehicles, syncs] = [
    await vehiclesOf(observedState),
    await observedState.count('syncs', "`status` = 'completed'"),
  ]
  await token.mutate('deleteConnection', {}, 'message')
  await observedState.reported('connection.pending_deletion')
  clock.jump(DAY - 10 * MINUTE)
  await wait(POLL_MS)
  await observedState.refuseUnless('pending_deletion')
  await token.mutate('updateConnection', { status: 'CONNECTED' }, 'connection { id }')
  await observedState.refuseUnless('connected')
  await observedState.synced(syncs + 1)
  if ((await vehiclesOf(observedState)) !== vehicles) failures.push('the cancelled deletion removed vehicles')
  description.push('deletion cancelled after 23 h 50 min: the fleet is complete and syncs again')
}

async function checkDeletion(context: WalkContext, requests: readonly AccessRequest[]): Promise<void> {
  const { harness, apiKey, fleet, observedState, neighbour, description, failures } = context
  const searchTerms = await collectSearchTerms(harness, fleet, apiKey)
  const [identityCount, valueCount] = [searchTerms.identities.size, searchTerms.values.size]
  description.push(
    `the fleet has ${searchTerms.rows} rows, ${identityCount} identifying values and ${valueCount} other values`,
  )
  if (identityCount < MIN_IDENTITIES || valueCount < MIN_VALUES)
    failures.push('the fleet has too few values to search for')
  const neighbourVehicles = await neighbour.count('vehicles')

  await deleteFleet(context)
  const from = harness.logged().length
  await observedState.reported('connection.deleted')
  await wait(POLL_MS)
  const ids = { gone: observedState.connectionId, neighbour: neighbour.connectionId }
  failures.push(...(await remainingData(harness, searchTerms, ids, (line) => description.push(line))))
  searchLog(context, from, searchTerms)
  await repeatRequests(context, requests, searchTerms)
  if ((await neighbour.count('vehicles')) !== neighbourVehicles)
    failures.push('the neighbour has lost vehicles')
}

/** Deletes the fleet. Checks that this happens soon after the day of grace, and not earlier. */
async function deleteFleet({
  caller,
  fleet,
  observedState,
  clock,
  description,
  failures,
}: WalkContext): Promise<void> {
  const reported = observedState.webhookTypes().length
  await caller.withToken(fleet.token).mutate('deleteConnection', {}, 'message')
  clock.jump(DAY - 2 * MINUTE)
  await wait(POLL_MS)
  await observedState.refuseUnless('pending_deletion')
  clock.jump(3 * MINUTE)
  const startedAt = performance.now()
  await until('it is deleted', async () => (await observedState.status()) === 'deleted')
  description.push(
    `it was deleted ${((performance.now() - startedAt) / 1000).toFixed(1)} s after its day was over`,
  )
  const since = observedState.webhookTypes().slice(reported)
  const data = since.slice(since.indexOf('connection.pending_deletion') + 1)
  const wrong = data.filter((type) => !type.startsWith('connection.') && type !== 'sync.failed')
  if (wrong.length > 0)
    failures.push(`during the grace period a receiver got ${[...new Set(wrong)].join(', ')}`)
}

function searchLog(
  { harness, description, failures }: WalkContext,
  from: number,
  searchTerms: SearchTerms,
): void {
  const lines = harness.logged().slice(from).split('\n')
  description.push(`searched ${lines.length} lines that were logged after the deletion`)
  if (lines.length < MIN_LINES) failures.push('too few lines were logged after the deletion')
  for (const set of [searchTerms.identities, searchTerms.values])
    failures.push(...matchFailures('the log', lines, set))
}

/** Repeats the requests: data cached in memory would show now. */
async function repeatRequests(
  { fleet, description, failures }: WalkContext,
  requests: readonly AccessRequest[],
  { identities, values }: SearchTerms,
): Promise<void> {
  const terms = [...identities, ...values].filter((term) => term !== fleet.token)
  for (const { who, ask } of requests)
    failures.push(...matchFailures(`the response to ${who}`, [await ask()], terms))
  description.push(`repeated ${requests.length} requests from before the deletion`)
}
