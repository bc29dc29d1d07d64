import { setTimeout as wait } from 'node:timers/promises'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { JumpingClock } from '../retry-schedule/jumping-clock.ts'
import type { Store } from '../support/service-process.ts'
import { Caller } from './caller.ts'
import { type LinkedFleet, linkFleet } from './link-fleet.ts'
import { ObservedState, until } from './observed-state.ts'
import { type SearchTerms, collectMarks } from './search-terms.ts'
import { type AnsweredQuestion, askAll } from './access-requests.ts'
import { leftIn, named } from './scan.ts'
import { Stage } from './stage.ts'

/** Results of one walk through a deletion. */
export interface Walked {
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
const [LEAST_IDENTITIES, LEAST_VALUES, LEAST_LINES] = [100, 1000, 10]

/** Links a fleet, reads it, deletes it, cancels that, deletes it again, and searches for remains. */
export async function walk(store: Store, { vehicles, days }: Size): Promise<Walked> {
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
    const walking = {
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
    const questions = await isUsed(walking)
    await isCalledOff(walking)
    await isDeleted(walking, questions)
  } catch (error) {
    failures.push(error instanceof Error ? String(error.stack) : String(error))
  }
  return { description, failures }
}

interface Walking {
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

/** Reads the fleet in every way, so that every cache and table that can hold its data does. */
async function isUsed({
  harness,
  caller,
  apiKey,
  fleet,
  observedState,
}: Walking): Promise<AnsweredQuestion[]> {
  const { connectionId } = fleet
  const token = caller.withToken(fleet.token)
  const input = { connectionIds: [connectionId], expiresInSeconds: 86_400 }
  const made = await caller.mutate<{ token: string }>('createSession', input, 'token')
  const session = caller.withSession(made.token)
  const followers = [caller.follow(), session.follow()]
  await observedState.synced(1)
  await harness.sandbox.control('faults', { key: apiKey, path: '/groups', status: 403, count: 1 })
  await token.mutate('requestSync', {}, 'sync { id }')
  await observedState.synced(2)
  await until(
    'its latest places are polled',
    async () => (await observedState.count('latest_trailer_locations')) > 0,
  )
  await until('what happens is followed', async () =>
    followers.every(({ heard }) => heard().includes('sync.completed')),
  )
  await observedState.reported('sync.completed')
  const requested = await askAll({ key: caller, token, session, connectionId })
  for (const { leave } of followers) leave()
  return requested
}

const vehiclesOf = (observedState: ObservedState): Promise<number> =>
  observedState.count('vehicles', '`deletedAt` IS NULL')

/** Cancels the deletion within the day: the fleet must be unchanged. */
async function isCalledOff({
  caller,
  fleet,
  observedState,
  clock,
  description,
  failures,
}: Walking): Promise<void> {
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

async function isDeleted(walking: Walking, questions: readonly AnsweredQuestion[]): Promise<void> {
  const { harness, apiKey, fleet, observedState, neighbour, description, failures } = walking
  const searchTerms = await collectMarks(harness, fleet, apiKey)
  const [drawn, about] = [searchTerms.identities.size, searchTerms.values.size]
  description.push(
    `the fleet has ${searchTerms.rows} rows, ${drawn} things it is known by and ${about} other values`,
  )
  if (drawn < LEAST_IDENTITIES || about < LEAST_VALUES) failures.push('there is too little to look for')
  const around = await neighbour.count('vehicles')

  await isGone(walking)
  const from = harness.logged().length
  await observedState.reported('connection.deleted')
  await wait(POLL_MS)
  const ids = { gone: observedState.connectionId, neighbour: neighbour.connectionId }
  failures.push(...(await leftIn(harness, searchTerms, ids, (line) => description.push(line))))
  looksInLog(walking, from, searchTerms)
  await asksAgain(walking, questions, searchTerms)
  if ((await neighbour.count('vehicles')) !== around) failures.push('the neighbour has lost vehicles')
}

/** Checks that the fleet is deleted after a day, not earlier, and soon after it. */
async function isGone({
  caller,
  fleet,
  observedState,
  clock,
  description,
  failures,
}: Walking): Promise<void> {
  const reported = observedState.webhookTypes().length
  await caller.withToken(fleet.token).mutate('deleteConnection', {}, 'message')
  clock.jump(DAY - 2 * MINUTE)
  await wait(POLL_MS)
  await observedState.refuseUnless('pending_deletion')
  clock.jump(3 * MINUTE)
  const begun = performance.now()
  await until('it is deleted', async () => (await observedState.status()) === 'deleted')
  description.push(
    `it was deleted ${((performance.now() - begun) / 1000).toFixed(1)} s after its day was over`,
  )
  const since = observedState.webhookTypes().slice(reported)
  const data = since.slice(since.indexOf('connection.pending_deletion') + 1)
  const wrong = data.filter((type) => !type.startsWith('connection.') && type !== 'sync.failed')
  if (wrong.length > 0)
    failures.push(`during the grace period a receiver got ${[...new Set(wrong)].join(', ')}`)
}

function looksInLog(
  { harness, description, failures }: Walking,
  from: number,
  searchTerms: SearchTerms,
): void {
  const lines = harness.logged().slice(from).split('\n')
  description.push(`looked for them in ${lines.length} lines that were logged afterwards`)
  if (lines.length < LEAST_LINES) failures.push('hardly anything was logged afterwards')
  for (const set of [searchTerms.identities, searchTerms.values])
    failures.push(...named('the log', lines, set))
}

/** Repeats the requests: data cached in memory would show now. */
async function asksAgain(
  { fleet, description, failures }: Walking,
  questions: readonly AnsweredQuestion[],
  { identities, values }: SearchTerms,
): Promise<void> {
  const searchTerms = [...identities, ...values].filter((mark) => mark !== fleet.token)
  for (const { who, ask } of questions)
    failures.push(...named(`the response to ${who}`, [await ask()], searchTerms))
  description.push(`repeated ${questions.length} requests of before the deletion`)
}
