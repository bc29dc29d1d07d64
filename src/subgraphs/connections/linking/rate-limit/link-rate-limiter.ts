import { hashKey } from '../../../../auth/keys.ts'
import { PublicError } from '../../../../domain/errors.ts'
import { networkOf } from '../../../../platform/remote-address.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { insertIfAbsentSql } from '../../../../storage/sql/dialect.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { LinkRateLimit } from './link-rate-limit.ts'

/**
 * Limits of the link pages. They protect against the guessing of passwords and against floods of stored link runs. A
 * link run is one visit of the link pages.
 */
export interface LinkLimits {
  /** Maximum number of sign-in attempts in a run. */
  readonly signInsPerRun: number
  /** Maximum number of runs, of sign-in attempts, and of provider requests, each per minute and IP network. */
  readonly perAddress: number
  /** The same maximum per minute and publishable key or short link. */
  readonly perKey: number
}

/** Client of a rate limit. */
export interface RateLimitSubject {
  readonly remoteAddress: string
  /** Id of the publishable key or the short link. */
  readonly entryPointId: string
}

const MINUTE_MS = 60_000
const table = tableOf(LinkRateLimit)

/**
 * Takes two permits for an action: one of the IP network, and one of the key or short link. Throws `too_many_requests`
 * with the waiting time if one of them has none left in its minute, which rolls the transaction back. All gateways
 * share the counters, because they are in the database.
 */
export async function takeLinkPermits(
  tx: Transaction,
  limits: LinkLimits,
  action: 'run' | 'sign_in' | 'request',
  { remoteAddress, entryPointId }: RateLimitSubject,
  now: Instant,
): Promise<void> {
  const permits = [
    { id: hashKey(`${action} address ${networkOf(remoteAddress)}`), limit: limits.perAddress },
    { id: hashKey(`${action} key ${entryPointId}`), limit: limits.perKey },
  ]
  // All callers lock the rows in one order, which prevents deadlocks.
  for (const permit of permits.sort((a, b) => (a.id < b.id ? -1 : 1))) await takePermit(tx, permit, now)
}

async function takePermit(
  tx: Transaction,
  { id, limit }: { readonly id: string; readonly limit: number },
  now: Instant,
): Promise<void> {
  await tx.run(insertIfAbsentSql(tx.dialect, table.name, ['id', 'used', 'endsAt'], 'id'), [id, 0, now])
  const updated = await tx.run(
    `UPDATE \`link_turns\` SET \`used\` = CASE WHEN \`endsAt\` <= ? THEN 1 ELSE \`used\` + 1 END,
        \`endsAt\` = CASE WHEN \`endsAt\` <= ? THEN ? ELSE \`endsAt\` END
      WHERE \`id\` = ? AND (\`endsAt\` <= ? OR \`used\` < ?)`,
    [now, now, now + MINUTE_MS, id, now, limit],
  )
  if (updated > 0) return
  const [counter] = await tx.rows<{ endsAt: number }>('SELECT `endsAt` FROM `link_turns` WHERE `id` = ?', [
    id,
  ])
  throw rateLimitError(Number(counter?.endsAt ?? now + MINUTE_MS) - now)
}

const rateLimitError = (waitMs: number) =>
  new PublicError('too_many_requests', 'There were too many attempts within a minute. Retry later.', {
    retryAfterSeconds: waitMs / 1000,
  })
