import type { Transaction } from '../../storage/database.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Instant } from '../../domain/time.ts'
import type { DeliveryOutcome } from '../attempts/attempt-outcome.ts'

/**
 * Makes the outcomes due again whose deliveries were replayed during the attempt. The attempt counts, but the replay
 * asks for one that begins after it. The transaction must hold the lock on the endpoint's progress.
 */
export async function withReplays(
  tx: Transaction,
  outcomes: readonly DeliveryOutcome[],
  now: Instant,
): Promise<readonly DeliveryOutcome[]> {
  const ids = outcomes.filter(({ message }) => message.isStored).map(({ delivery }) => delivery.id)
  if (ids.length === 0) return outcomes
  const rows = await tx.rows<{ id: string; replays: number }>(
    `SELECT \`id\`, \`replays\` FROM \`webhook_deliveries\` WHERE \`id\` IN (${placeholders(ids.length)})`,
    ids,
  )
  const replaysOf = new Map<string, number>(rows.map(({ id, replays }) => [id, Number(replays)]))
  return outcomes.map((outcome): DeliveryOutcome => {
    const { delivery } = outcome
    const replays = replaysOf.get(delivery.id) ?? delivery.replays
    if (replays === delivery.replays) return outcome
    return { ...outcome, delivery: { ...delivery, replays, status: 'pending', nextAttemptAt: now } }
  })
}
