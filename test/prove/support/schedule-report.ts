import type { Database } from '../../../src/storage/database.ts'

/** Times of a sync in milliseconds since 1970. */
interface Ran {
  readonly connectionId: string
  readonly status: string
  readonly requestedAt: number
  readonly startedAt: number
  readonly completedAt: number
}

export interface Report {
  readonly from: number
  readonly to: number
  /** Other syncs that were requested in the watched period. */
  readonly watched: readonly Ran[]
  /** All syncs of the other connections. */
  readonly others: readonly Ran[]
  readonly large: Ran
  /** Time between two stored pages of the large fleet, median. */
  readonly pageMs: number
}

export async function reportOf(
  db: Database,
  { from, to, largeId }: { readonly from: number; readonly to: number; readonly largeId: string },
): Promise<Report> {
  const rows = await db.rows<Record<keyof Ran, string>>(
    `SELECT s.\`connectionId\`, s.\`status\`, s.\`requestedAt\`, e.\`occurredAt\` AS \`startedAt\`, s.\`completedAt\`
      FROM \`syncs\` AS s JOIN \`events\` AS e ON e.\`subjectId\` = s.\`id\` AND e.\`type\` = 'sync.started'
      WHERE s.\`completedAt\` IS NOT NULL ORDER BY s.\`requestedAt\``,
  )
  const all = rows.map(({ connectionId, status, ...times }) => ({
    connectionId,
    status,
    requestedAt: Number(times.requestedAt),
    startedAt: Number(times.startedAt),
    completedAt: Number(times.completedAt),
  }))
  const large = all.find(({ connectionId }) => connectionId === largeId)
  if (!large) throw new Error('the large fleet has no completed sync')
  const others = all.filter(({ connectionId }) => connectionId !== largeId)
  const watched = others.filter(({ requestedAt }) => requestedAt >= from && requestedAt < to)
  return { from, to, watched, others, large, pageMs: await pageMsOf(db, largeId) }
}

async function pageMsOf(db: Database, connectionId: string): Promise<number> {
  const stamps = await db.rows<{ at: string }>(
    'SELECT DISTINCT `modifiedAt` AS `at` FROM `vehicles` WHERE `connectionId` = ? ORDER BY 1',
    [connectionId],
  )
  const gaps = stamps.slice(1).map(({ at }, index) => Number(at) - Number(stamps[index]?.at))
  return quantile(gaps, 0.5)
}

interface Expected {
  readonly connections: number
  readonly intervals: number
  readonly intervalMs: number
}

/** Maximum gap between syncs: a tenth of the interval late, or five seconds if that is longer. */
const latest = (intervalMs: number): number => intervalMs + Math.max(intervalMs / 10, 5000)

export function judge(store: string, report: Report, expected: Expected): string[] {
  const { watched, large, pageMs } = report
  const gaps = gapsOf(report)
  const waits = watched.map(({ startedAt, requestedAt }) => startedAt - requestedAt)
  const concurrent = watched.filter(
    ({ requestedAt }) => requestedAt >= large.startedAt && requestedAt < large.completedAt,
  )
  const alone = watched.filter((ran) => !concurrent.includes(ran))
  // Compares quantiles, not maxima, so that one slow sync of the machine does not count.
  const delay = Math.max(...[0.5, 0.9].map((part) => waited(concurrent, part) - waited(alone, part)))
  console.log(
    `${store}: ${watched.length} syncs in ${seconds(report.to - report.from)}; gaps within a connection ${seconds(Math.min(...gaps))} to ${seconds(Math.max(...gaps))}, the interval is ${seconds(expected.intervalMs)}`,
  )
  console.log(`${store}: time in queue ${spread(waits)}; total time ${spread(watched.map(lastingOf))}`)
  console.log(
    `${store}: the large fleet took ${seconds(large.completedAt - large.startedAt)}, ${pageMs} ms from page to page; with it ${concurrent.length} others waited ${spread(concurrent.map(waitOf))}, without it ${spread(alone.map(waitOf))}: ${(delay / pageMs).toFixed(2)} pages more`,
  )
  console.log(
    `${store}: from request to end with it ${spread(concurrent.map(lastingOf))}, without it ${spread(alone.map(lastingOf))}`,
  )
  const missed = gaps.filter((gap) => gap > latest(expected.intervalMs)).length
  const failed = watched.filter(({ status }) => status !== 'completed')
  return [
    ...(gaps.length < expected.connections * expected.intervals
      ? [`${store}: ${gaps.length} intervals were watched, not ${expected.connections * expected.intervals}`]
      : []),
    ...(missed === 0 ? [] : [`${store}: ${missed} intervals were missed`]),
    ...(failed.length === 0 ? [] : [`${store}: ${failed.length} syncs failed`]),
    ...(concurrent.length > 0 ? [] : [`${store}: no other connection synced with the large fleet`]),
    ...(delay <= pageMs ? [] : [`${store}: the large fleet delays the others by more than a page`]),
  ]
}

/** Returns the times from one end of a sync to the next, by connection; the last may be pending. */
function gapsOf({ others, from, to }: Report): number[] {
  const ends = new Map<string, number[]>()
  for (const { connectionId, completedAt } of others)
    ends.set(connectionId, [...(ends.get(connectionId) ?? []), completedAt])
  return [...ends.values()].flatMap((times) => {
    const sorted = [...times.toSorted((a, b) => a - b), to]
    return sorted
      .slice(1)
      .map((end, index) => ({ end, gap: end - Number(sorted[index]) }))
      .filter(({ end, gap }) => end > from && (end < to || gap > 0))
      .map(({ gap }) => gap)
  })
}

const waited = (some: readonly Ran[], part: number): number => quantile(some.map(waitOf), part)
const waitOf = ({ requestedAt, startedAt }: Ran): number => startedAt - requestedAt
const lastingOf = ({ requestedAt, completedAt }: Ran): number => completedAt - requestedAt

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`

const spread = (values: readonly number[]): string =>
  `p50 ${quantile(values, 0.5)}, p99 ${quantile(values, 0.99)}, max ${Math.max(0, ...values)} ms`

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
