import { setTimeout as wait } from 'node:timers/promises'
import type { WebhookEndpoint } from '../../../src/subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookInbox } from '../../support/webhooks/webhook-inbox.ts'
import { DeliveryHarness, SECRET } from '../../support/webhooks/delivery-harness.ts'
import type { Store } from '../support/service-process.ts'
import { JumpingClock } from './jumping-clock.ts'
import { HOUR_MS, waitForPolls, type WalkResult, within } from './walk.ts'
import { Workers } from './workers.ts'

const MESSAGES = 12
const STEP_HOURS = 24
const LIMIT_HOURS = 5 * 24
const DISABLED_TYPE = 'webhook_endpoint.disabled'

/** Checks that an endpoint that fails for five days is disabled, with one event. */
export async function walkFailing(store: Store): Promise<WalkResult> {
  await using harness = await DeliveryHarness.start(store)
  await using inbox = await WebhookInbox.start({ secrets: [SECRET], react: () => ({ status: 500 }) })
  await using notices = await WebhookInbox.start({ secrets: [SECRET] })
  await using workers = new Workers(harness.home)
  const context = { harness, inbox, notices, clock: new JumpingClock() }
  const failures: string[] = []
  try {
    const endpoint = await harness.endpoint(inbox.url)
    await harness.endpoint(notices.url, { types: [DISABLED_TYPE] })
    await harness.log(MESSAGES)
    await workers.next()
    failures.push(
      ...(await failUntilDisabled(context, endpoint)),
      ...(await expectDisabled(context, endpoint)),
    )
  } catch (error) {
    failures.push(String(error))
  }
  const description = `an endpoint that failed for ${LIMIT_HOURS} h: ${inbox.received.length} requests, ${notices.received.length} notice`
  return { receivedAt: inbox.received.map(({ at }) => at), failures, description }
}

interface WalkContext {
  readonly harness: DeliveryHarness
  readonly inbox: WebhookInbox
  readonly notices: WebhookInbox
  readonly clock: JumpingClock
}

/** Expects attempts for five days. Expects the endpoint to be disabled at their end, and not an hour earlier. */
async function failUntilDisabled(
  { harness, inbox, clock }: WalkContext,
  endpoint: WebhookEndpoint,
): Promise<string[]> {
  const enough = inbox.until(({ received }) => received.length >= MESSAGES)
  await within(enough, `${MESSAGES} messages are not sent`)
  const firstAt = inbox.received[0]?.at ?? 0
  for (let hours = STEP_HOURS; hours <= LIMIT_HOURS; hours += STEP_HOURS) {
    const at = hours < LIMIT_HOURS ? hours : LIMIT_HOURS - 1
    clock.jumpTo(firstAt + at * HOUR_MS)
    const sent = inbox.received.length
    await harness.log(1)
    await within(
      inbox.until(({ received }) => received.length > sent),
      `nothing is tried after ${at} h`,
    )
    await waitForPolls()
    if ((await disabledReason(harness, endpoint)) !== null) return [`it is disabled after ${at} h`]
  }
  clock.jumpTo(firstAt + LIMIT_HOURS * HOUR_MS)
  await within(isDisabled(harness, endpoint), `it is not disabled after ${LIMIT_HOURS} h`)
  const reason = await disabledReason(harness, endpoint)
  return reason === 'failing' ? [] : [`it is disabled as ${reason}`]
}

/** Expects no more messages to the disabled endpoint, and one event about it. */
async function expectDisabled(context: WalkContext, { id }: WebhookEndpoint): Promise<string[]> {
  const { harness, inbox, notices, clock } = context
  const failures: string[] = []
  const sent = inbox.received.length
  await harness.log(1)
  await within(notices.arrived(1), 'no event of the disabled endpoint')
  for (const hours of [24, 24]) {
    clock.jump(hours * HOUR_MS)
    await harness.log(1)
    await waitForPolls()
  }
  if (inbox.received.length !== sent) failures.push('a disabled endpoint gets a message')
  const reported = await harness.db.rows('SELECT 1 FROM `events` WHERE `type` = ?', [DISABLED_TYPE])
  if (reported.length !== 1 || notices.received.length !== 1)
    failures.push(
      `the disabled event is logged ${reported.length} times and sent ${notices.received.length} times`,
    )
  const [notice] = notices.received
  if (notice?.event.type !== DISABLED_TYPE || !notice.body.includes(id))
    failures.push(`the notice is ${notice?.body}`)
  for (const { forged } of [inbox, notices])
    failures.push(...forged.map((fault) => `the signature is invalid: ${fault}`))
  return failures
}

const disabledReason = async (harness: DeliveryHarness, { id }: WebhookEndpoint): Promise<string | null> => {
  const sql = 'SELECT `disabledReason` AS reason FROM `webhook_endpoints` WHERE `id` = ?'
  return (await harness.one<{ reason: string | null }>(sql, [id])).reason
}

async function isDisabled(harness: DeliveryHarness, endpoint: WebhookEndpoint): Promise<void> {
  while ((await disabledReason(harness, endpoint)) === null) await wait(50)
}
