import { setTimeout as wait } from 'node:timers/promises'
import { keyHolder } from '../../../src/auth/caller.ts'
import { replayDelivery } from '../../../src/subgraphs/events/webhooks/deliveries/replay-delivery.ts'
import type { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'
import type { Store } from '../support/service-process.ts'
import { JumpingClock } from './jumping-clock.ts'
import { ATTEMPTS } from './plan.ts'
import { Workers } from './workers.ts'

/** Results of one walk through the schedule. */
export interface Walked {
  /** Arrival of each request, by the clock of the walk. */
  readonly cameAt: readonly Instant[]
  readonly failures: readonly string[]
  readonly description?: string
}

export const HOUR_MS = 3_600_000
/** Longer than two poll intervals of a worker. */
const LOOKS_MS = 2500
const EARLY_MS = 3500
const PATIENCE_MS = 40_000

/** Waits for several polls of a worker. */
export const observedState = (): Promise<void> => wait(LOOKS_MS)

/** Rejects if the promise does not settle within a real time limit. */
export function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = wait(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`)
  })
  return Promise.race([promise, late])
}

/** Runs a failing message through its whole schedule, and replays it at the end. */
export async function walk(store: Store, isKilled: boolean): Promise<Walked> {
  await using harness = await DeliveryHarness.start(store)
  await using inbox = await WebhookInbox.start({ secrets: [SECRET], react: () => ({ status: 500 }) })
  await using workers = new Workers(harness.home)
  const failures: string[] = []
  const walking: Walking = { harness, inbox, clock: new JumpingClock(), failures }
  try {
    await harness.endpoint(inbox.url)
    await harness.log(1)
    await workers.next()
    for (let attempts = 1; attempts < ATTEMPTS; attempts++) {
      const { nextAttemptAt } = await recorded(walking, attempts)
      if (isKilled) await workers.next()
      await passes(walking, attempts, Number(nextAttemptAt))
    }
    await restsFailed(walking)
    await isReplayed(walking)
    failures.push(...sameMessage(inbox, await harness.logged()))
  } catch (error) {
    failures.push(String(error))
  }
  return { cameAt: inbox.received.map(({ at }) => at), failures }
}

interface Walking {
  readonly harness: DeliveryHarness
  readonly inbox: WebhookInbox
  readonly clock: JumpingClock
  readonly failures: string[]
}

/** Waits until a request has arrived and its attempt is recorded. */
async function recorded({ harness, inbox }: Walking, attempts: number): Promise<WebhookDelivery> {
  await within(
    inbox.until(({ received }) => received.length >= attempts),
    `attempt ${attempts} does not come`,
  )
  const look = async () => {
    for (;;) {
      const [delivery] = await harness.deliveries()
      if (delivery?.attempts === attempts) return delivery
      await wait(20)
    }
  }
  return within(look(), `attempt ${attempts} is not recorded`)
}

/** Expects no request shortly before the due time. */
async function passes({ inbox, clock, failures }: Walking, attempts: number, dueAt: Instant): Promise<void> {
  clock.jumpTo(dueAt - EARLY_MS)
  await observedState()
  const early = inbox.received.slice(attempts).filter(({ at }) => at < dueAt).length
  if (early > 0) failures.push(`${early} requests came before attempt ${attempts + 1} was due`)
  clock.jumpTo(dueAt)
}

/** Expects a failed delivery after the last attempt, and no further attempt within two days. */
async function restsFailed(walking: Walking): Promise<void> {
  const { harness, inbox, clock, failures } = walking
  const { status, nextAttemptAt } = await recorded(walking, ATTEMPTS)
  if (status !== 'failed' || nextAttemptAt !== null)
    failures.push(`after the last attempt it is ${status}, due at ${String(nextAttemptAt)}`)
  for (const hours of [24, 24]) {
    clock.jump(hours * HOUR_MS)
    await observedState()
  }
  if (inbox.received.length !== ATTEMPTS)
    failures.push(`${inbox.received.length} requests came, not ${ATTEMPTS}`)
  const numbers = await harness.db.rows<{ number: number }>(
    'SELECT `number` FROM `webhook_attempts` ORDER BY `number`',
  )
  const reported = numbers.map(({ number }) => Number(number)).join()
  if (reported !== Array.from({ length: ATTEMPTS }, (_, index) => index + 1).join())
    failures.push(`the attempts ${reported} are recorded`)
  if (JSON.stringify(await harness.statuses()) !== '{"failed":1}')
    failures.push(`two days later ${JSON.stringify(await harness.statuses())}`)
}

async function isReplayed(walking: Walking): Promise<void> {
  const { harness, inbox, failures } = walking
  const [delivery] = await harness.deliveries()
  inbox.react = () => ({ status: 204 })
  const { db, notifier, secrets, clock } = harness.tools
  const caller = keyHolder(harness.applicationId)
  await replayDelivery({ db, notifier, secrets, clock }, caller, { deliveryId: String(delivery?.id) })
  const { status } = await recorded(walking, ATTEMPTS + 1)
  if (status !== 'delivered') failures.push(`after the replay it is ${status}`)
  await observedState()
  if (inbox.received.length !== ATTEMPTS + 1)
    failures.push(`${inbox.received.length} requests came in all, not ${ATTEMPTS + 1}`)
}

/** Checks that each attempt has the same id and bytes, and its own signature and timestamp. */
function sameMessage({ received, forged }: WebhookInbox, logged: readonly string[]): string[] {
  const failures = forged.map((fault) => `it is not genuine: ${fault}`)
  const count = (values: readonly (string | undefined)[]) => new Set(values).size
  if (count([...received.map(({ id }) => id), ...logged]) !== 1)
    failures.push('its id is not always the same')
  if (count(received.map(({ body }) => body)) !== 1) failures.push('its bytes are not always the same')
  for (const header of ['webhook-timestamp', 'webhook-signature', 'svix-signature'])
    if (count(received.map(({ headers }) => headers[header])) !== received.length)
      failures.push(`${header} is not new each time`)
  const stale = received.filter(
    ({ headers, at }) => Math.abs(at / 1000 - Number(headers['webhook-timestamp'])) > 10,
  )
  if (stale.length > 0) failures.push(`${stale.length} requests do not carry the time of their attempt`)
  return failures
}
