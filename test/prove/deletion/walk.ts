import { setTimeout as wait } from 'node:timers/promises'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { JumpingClock } from '../retry-schedule/jumping-clock.ts'
import type { Store } from '../support/service-process.ts'
import { Caller } from './caller.ts'
import { type LinkedFleet, linkFleet } from './link-fleet.ts'
import { Looks, until } from './observed-state.ts'
import { type Marks, collectMarks } from './search-terms.ts'
import { type AnsweredQuestion, askAll } from './access-requests.ts'
import { leftIn, named } from './scan.ts'
import { Stage } from './stage.ts'

/** Results of one walk through a deletion. */
export interface Walked {
  readonly says: readonly string[]
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
  const says: string[] = []
  const failures: string[] = []
  try {
    const caller = new Caller(harness.service.ready)
    const neighbour = new Looks(harness.db, inbox, harness.service.ready.connectionId)
    await neighbour.synced(1)
    for (const { url } of [inbox, shaky])
      await caller.mutate('createWebhookEndpoint', { url, retrySeconds: HOURLY }, 'secret')
    const apiKey = `sandbox-${vehicles}-77001`
    const fleet = await linkFleet(caller, apiKey, days)
    const looks = new Looks(harness.db, inbox, fleet.connectionId)
    const walking = {
      harness,
      caller,
      apiKey,
      fleet,
      looks,
      neighbour,
      clock: new JumpingClock(),
      says,
      failures,
    }
    const questions = await isUsed(walking)
    await isCalledOff(walking)
    await isDeleted(walking, questions)
  } catch (error) {
    failures.push(error instanceof Error ? String(error.stack) : String(error))
  }
  return { says, failures }
}

interface Walking {
  readonly harness: Stage
  readonly caller: Caller
  readonly apiKey: string
  readonly fleet: LinkedFleet
  readonly looks: Looks
  readonly neighbour: Looks
  readonly clock: JumpingClock
  readonly says: string[]
  readonly failures: string[]
}

/** Reads the fleet in every way, so that every cache and table that can hold its data does. */
async function isUsed({ harness, caller, apiKey, fleet, looks }: Walking): Promise<AnsweredQuestion[]> {
  const { connectionId } = fleet
  const token = caller.withToken(fleet.token)
  const input = { connectionIds: [connectionId], expiresInSeconds: 86_400 }
  const made = await caller.mutate<{ token: string }>('createSession', input, 'token')
  const session = caller.withSession(made.token)
  const followers = [caller.follow(), session.follow()]
  await looks.synced(1)
  await harness.sandbox.control('faults', { key: apiKey, path: '/groups', status: 403, count: 1 })
  await token.mutate('requestSync', {}, 'sync { id }')
  await looks.synced(2)
  await until('its latest places are polled', async () => (await looks.count('latest_trailer_locations')) > 0)
  await until('what happens is followed', async () =>
    followers.every(({ heard }) => heard().includes('sync.completed')),
  )
  await looks.told('sync.completed')
  const asked = await askAll({ key: caller, token, session, connectionId })
  for (const { leave } of followers) leave()
  return asked
}

const vehiclesOf = (looks: Looks): Promise<number> => looks.count('vehicles', '`deletedAt` IS NULL')

/** Cancels the deletion within the day: the fleet must be unchanged. */
async function isCalledOff({ caller, fleet, looks, clock, says, failures }: Walking): Promise<void> {
  const token = caller.withToken(fleet.token)
  const [vehicles, syncs] = [await vehiclesOf(looks), await looks.count('syncs', "`status` = 'completed'")]
  await token.mutate('deleteConnection', {}, 'message')
  await looks.told('connection.pending_deletion')
  clock.jump(DAY - 10 * MINUTE)
  await wait(POLL_MS)
  await looks.refuseUnless('pending_deletion')
  await token.mutate('updateConnection', { status: 'CONNECTED' }, 'connection { id }')
  await looks.refuseUnless('connected')
  await looks.synced(syncs + 1)
  if ((await vehiclesOf(looks)) !== vehicles) failures.push('the cancelled deletion removed vehicles')
  says.push('deletion cancelled after 23 h 50 min: the fleet is complete and syncs again')
}

async function isDeleted(walking: Walking, questions: readonly AnsweredQuestion[]): Promise<void> {
  const { harness, apiKey, fleet, looks, neighbour, says, failures } = walking
  const marks = await collectMarks(harness, fleet, apiKey)
  const [drawn, about] = [marks.identities.size, marks.values.size]
  says.push(`the fleet has ${marks.rows} rows, ${drawn} things it is known by and ${about} other values`)
  if (drawn < LEAST_IDENTITIES || about < LEAST_VALUES) failures.push('there is too little to look for')
  const around = await neighbour.count('vehicles')

  await isGone(walking)
  const from = harness.logged().length
  await looks.told('connection.deleted')
  await wait(POLL_MS)
  const ids = { gone: looks.connectionId, neighbour: neighbour.connectionId }
  failures.push(...(await leftIn(harness, marks, ids, (line) => says.push(line))))
  looksInLog(walking, from, marks)
  await asksAgain(walking, questions, marks)
  if ((await neighbour.count('vehicles')) !== around) failures.push('the neighbour has lost vehicles')
}

/** Checks that the fleet is deleted after a day, not earlier, and soon after it. */
async function isGone({ caller, fleet, looks, clock, says, failures }: Walking): Promise<void> {
  const told = looks.webhookTypes().length
  await caller.withToken(fleet.token).mutate('deleteConnection', {}, 'message')
  clock.jump(DAY - 2 * MINUTE)
  await wait(POLL_MS)
  await looks.refuseUnless('pending_deletion')
  clock.jump(3 * MINUTE)
  const begun = performance.now()
  await until('it is deleted', async () => (await looks.status()) === 'deleted')
  says.push(`it was deleted ${((performance.now() - begun) / 1000).toFixed(1)} s after its day was over`)
  const since = looks.webhookTypes().slice(told)
  const data = since.slice(since.indexOf('connection.pending_deletion') + 1)
  const wrong = data.filter((type) => !type.startsWith('connection.') && type !== 'sync.failed')
  if (wrong.length > 0)
    failures.push(`during the grace period a receiver got ${[...new Set(wrong)].join(', ')}`)
}

function looksInLog({ harness, says, failures }: Walking, from: number, marks: Marks): void {
  const lines = harness.logged().slice(from).split('\n')
  says.push(`looked for them in ${lines.length} lines that were logged afterwards`)
  if (lines.length < LEAST_LINES) failures.push('hardly anything was logged afterwards')
  for (const set of [marks.identities, marks.values]) failures.push(...named('the log', lines, set))
}

/** Repeats the requests: data cached in memory would show now. */
async function asksAgain(
  { fleet, says, failures }: Walking,
  questions: readonly AnsweredQuestion[],
  { identities, values }: Marks,
): Promise<void> {
  const marks = [...identities, ...values].filter((mark) => mark !== fleet.token)
  for (const { who, ask } of questions)
    failures.push(...named(`the response to ${who}`, [await ask()], marks))
  says.push(`repeated ${questions.length} requests of before the deletion`)
}
