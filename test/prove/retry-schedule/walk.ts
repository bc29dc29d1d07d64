import { setTimeout as wait } from 'node:timers/promises'
import { keyHolder } from '../../../src/auth/caller.ts'
import { replayDelivery } from '../../../src/subgraphs/events/webhooks/deliveries/replay-delivery.ts'
import type { WebhookDelivery } from '../../../src/subgraphs/events/webhooks/webhook-delivery.ts'
import type { Instant } from '../../../src/domain/time.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'
import type { Store } from '../support/service-process.ts'
import { JumpingClock } from './jumping-clock.ts'
import { ATTEMPTS } from './schedule.ts'
import { Workers } from './workers.ts'

/** Results of one walk through the schedule. */
export interface WalkResult {
  /** Arrival of each request, by the clock of the walk. */
  readonly receivedAt: readonly Instant[]
  readonly failures: readonly string[]
  readonly description?: string
}

export const HOUR_MS = 3_600_000
/** Longer than two poll intervals of a worker. */
const POLLS_MS = 2500
const EARLY_MS = 3500
const PATIENCE_MS = 40_000

/** Waits for several polls of a worker. */
export const waitForPolls = (): Promise<void> => wait(POLLS_MS)

/** Rejects if the promise does not settle within a real time limit. */
export function within<Value>(promise: Promise<Value>, what: string): Promise<Value> {
  const late = wait(PATIENCE_MS, undefined, { ref: false }).then(() => {
    throw new Error(`${what}: not within ${PATIENCE_MS / 1000} s`)
  })
  return Promise.race([promise, late])
}

/** Runs a failing message through its whole schedule, and replays it at the end. */
export async function walk(store: Store, isKilled: boolean): Promise<WalkResult> {
  await using harness = await DeliveryHarness.start(store)
  await using inbox = await WebhookInbox.start({ secrets: [SECRET], react: () => ({ status: 500 }) })
  await using workers = new Workers(harness.home)
  const failures: string[] = []
  const context: WalkContext = { harness, inbox, clock: new JumpingClock(), failures }
  try {
    await harness.endpoint(inbox.url)
    await harness.log(1)
    await workers.next()
    for (let attempts = 1; attempts < ATTEMPTS; attempts++) {
      const { nextAttemptAt } = await recorded(context, attempts)
      if (isKilled) await workers.next()
      await waitUntilDue(context, attempts, Number(nextAttemptAt))
    }
    await expectFailed(context)
    await replay(context)
    failures.push(...messageFailures(inbox, await harness.logged()))
  } catch (error) {
    failures.push(String(error))
  }
  return { receivedAt: inbox.received.map(({ at }) => at), failures }
}

interface WalkContext {
  readonly harness: DeliveryHarness
  readonly inbox: WebhookInbox
  readonly clock: JumpingClock
  readonly failures: string[]
}

/** Waits until a request has arrived and its attempt is recorded. */
async function recorded({ harness, inbox }: WalkContext, attempts: number): Promise<WebhookDelivery> {
  await within(
    inbox.until(({ received }) => received.length >= attempts),
    `attempt ${attempts} does not arrive`,
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

/** Moves the clock to the due time. Expects no request shortly before it. */
async function waitUntilDue(
  { inbox, clock, failures }: WalkContext,
  attempts: number,
  dueAt: Instant,
): Promise<void> {
  clock.jumpTo(dueAt - EARLY_MS)
  await waitForPolls()
  const early = inbox.received.slice(attempts).filter(({ at }) => at < dueAt).length
  if (early > 0) failures.push(`${early} requests arrived before attempt ${attempts + 1} was due`)
  clock.jumpTo(dueAt)
}

/** Expects a failed delivery after the last attempt, and no further attempt within two days. */
async function expectFailed(context: WalkContext): Promise<void> {
  const { harness, inbox, clock, failures } = context
  const { status, nextAttemptAt } = await recorded(context, ATTEMPTS)
  if (status !== 'failed' || nextAttemptAt !== null)
    failures.push(`after the last attempt the delivery is ${status}, due at ${String(nextAttemptAt)}`)
  for (const hours of [24, 24]) {
    clock.jump(hours * HOUR_MS)
    await waitForPolls()
  }
  if (inbox.received.length !== ATTEMPTS)
    failures.push(`${inbox.received.length} requests arrived, not ${ATTEMPTS}`)
  const numbers = await harness.db.rows<{ number: number }>(
    'SELECT `number` FROM `webhook_attempts` ORDER BY `number`',
  )
  const reported = numbers.map(({ number }) => Number(number)).join()
  if (reported !== Array.from({ length: ATTEMPTS }, (_, index) => index + 1).join())
    failures.push(`the attempts ${reported} are recorded`)
  if (JSON.stringify(await harness.statuses()) !== '{"failed":1}')
    failures.push(`two days later the deliveries are ${JSON.stringify(await harness.statuses())}`)
}

/** Replays the failed delivery. Expects one more request. */
async function replay(context: WalkContext): Promise<void> {
  const { harness, inbox, failures } = context
  const [delivery] = await harness.deliveries()
  inbox.react = () => ({ status: 204 })
  const { db, notifier, secrets, clock } = harness.tools
  const caller = keyHolder(harness.applicationId)
  await replayDelivery({ db, notifier, secrets, clock }, caller, { deliveryId: String(delivery?.id) })
  const { status } = await recorded(context, ATTEMPTS + 1)
  if (status !== 'delivered') failures.push(`after the replay the delivery is ${status}`)
  await waitForPolls()
  if (inbox.received.length !== ATTEMPTS + 1)
    failures.push(`${inbox.received.length} requests arrived in total, not ${ATTEMPTS + 1}`)
}

/** Checks that each attempt has the same id and bytes, and its own signature and timestamp. */
function messageFailures({ received, forged }: WebhookInbox, logged: readonly string[]): string[] {
  const failures = forged.map((fault) => `its signature is invalid: ${fault}`)
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
