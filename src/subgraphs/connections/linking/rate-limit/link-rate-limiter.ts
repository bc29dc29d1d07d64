import { isIPv6 } from 'node:net'
import { hashOf } from '../../../../auth/keys.ts'
import { PublicError } from '../../../../domain/errors.ts'
import type { Transaction } from '../../../../storage/database.ts'
import { insertUnlessThereSql } from '../../../../storage/sql/dialect.ts'
import { tableOf } from '../../../../storage/sql/table.ts'
import type { Instant } from '../../../../domain/time.ts'
import { LinkRateLimit } from './link-rate-limit.ts'

/** How much may be done on the link pages: nobody guesses the password of a fleet there, or fills the tables. */
export interface LinkLimits {
  /** Sign-ins that are tried in one run. */
  readonly signInsPerRun: number
  /** Runs that are begun within a minute from one address, sign-ins that are tried, and providers that are asked for. */
  readonly perAddress: number
  /** The same with one publishable key, or by one short link. */
  readonly perKey: number
}

/** Who wants a turn. */
export interface RateLimitSubject {
  readonly remoteAddress: string
  /** The id of the publishable key, or of the short link. */
  readonly door: string
}

const MINUTE_MS = 60_000
const table = tableOf(LinkRateLimit)

/**
 * Takes a turn of an address and one of a key to begin a run, try a sign-in or ask for a provider. Where one of them has none left in
 * its minute it is refused, with when there are some again, and the transaction with it. The counts are in the
 * database: all gateways share them.
 */
export async function takeLinkPermits(
  tx: Transaction,
  limits: LinkLimits,
  deed: 'run' | 'sign_in' | 'request',
  { remoteAddress, door }: RateLimitSubject,
  now: Instant,
): Promise<void> {
  const turns = [
    { id: hashOf(`${deed} address ${networkOf(remoteAddress)}`), most: limits.perAddress },
    { id: hashOf(`${deed} key ${door}`), most: limits.perKey },
  ]
  // In one order, whoever comes: two never wait for each other.
  for (const turn of turns.sort((one, other) => (one.id < other.id ? -1 : 1))) await takePermit(tx, turn, now)
}

async function takePermit(
  tx: Transaction,
  { id, most }: { readonly id: string; readonly most: number },
  now: Instant,
): Promise<void> {
  await tx.run(insertUnlessThereSql(tx.dialect, table.name, ['id', 'used', 'endsAt'], 'id'), [id, 0, now])
  const taken = await tx.run(
    `UPDATE \`link_turns\` SET \`used\` = CASE WHEN \`endsAt\` <= ? THEN 1 ELSE \`used\` + 1 END,
        \`endsAt\` = CASE WHEN \`endsAt\` <= ? THEN ? ELSE \`endsAt\` END
      WHERE \`id\` = ? AND (\`endsAt\` <= ? OR \`used\` < ?)`,
    [now, now, now + MINUTE_MS, id, now, most],
  )
  if (taken > 0) return
  const [turn] = await tx.rows<{ endsAt: number }>('SELECT `endsAt` FROM `link_turns` WHERE `id` = ?', [id])
  throw rateLimited(Number(turn?.endsAt ?? now + MINUTE_MS) - now)
}

const rateLimited = (waitMs: number) =>
  new PublicError('too_many_requests', 'There have been too many tries within a minute.', {
    retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)),
  })

/** Whoever has one address of IPv6 has the network of its first 64 bits. */
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
