import { isIPv6 } from 'node:net'
import { hashKey } from '../../../../auth/keys.ts'
import { PublicError } from '../../../../domain/errors.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { insertUnlessThereSql } from '../../../../storage/sql/dialect.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { LinkRateLimit } from './link-rate-limit.ts'

/** Limits of the link pages, against guessing of passwords and against filling of the tables. */
export interface LinkLimits {
  /** Sign-in attempts per run. */
  readonly signInsPerRun: number
  /** Runs, sign-in attempts and provider requests: each per minute and IP network. */
  readonly perAddress: number
  /** The same per publishable key or short link. */
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
 * Takes a permit of the address and one of the key for an action. Throws `too_many_requests` with the waiting
 * time if either has none left in its minute, which rolls the transaction back. All gateways share the
 * counts, because they are in the database.
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
  for (const permit of permits.sort((one, other) => (one.id < other.id ? -1 : 1)))
    await takePermit(tx, permit, now)
}

async function takePermit(
  tx: Transaction,
  { id, limit }: { readonly id: string; readonly limit: number },
  now: Instant,
): Promise<void> {
  await tx.run(insertUnlessThereSql(tx.dialect, table.name, ['id', 'used', 'endsAt'], 'id'), [id, 0, now])
  const taken = await tx.run(
    `UPDATE \`link_turns\` SET \`used\` = CASE WHEN \`endsAt\` <= ? THEN 1 ELSE \`used\` + 1 END,
        \`endsAt\` = CASE WHEN \`endsAt\` <= ? THEN ? ELSE \`endsAt\` END
      WHERE \`id\` = ? AND (\`endsAt\` <= ? OR \`used\` < ?)`,
    [now, now, now + MINUTE_MS, id, now, limit],
  )
  if (taken > 0) return
  const [permit] = await tx.rows<{ endsAt: number }>('SELECT `endsAt` FROM `link_turns` WHERE `id` = ?', [id])
  throw rateLimited(Number(permit?.endsAt ?? now + MINUTE_MS) - now)
}

const rateLimited = (waitMs: number) =>
  new PublicError('too_many_requests', 'There have been too many tries within a minute.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })

/**
 * Returns the address, or the 64-bit prefix of an IPv6 address: one client can use any address of its prefix.
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address
  const mapped = /^::ffff:([\d.]+)$/i.exec(address)?.[1]
  if (mapped !== undefined) return mapped
  const [before = [], after = []] = address
    .replace(/%.*/, '')
    .split('::')
    .map((half) => half.split(':').filter(Boolean))
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...zeros, ...after].slice(0, 4)
  return groups.map((group) => parseInt(group, 16).toString(16)).join(':')
}
