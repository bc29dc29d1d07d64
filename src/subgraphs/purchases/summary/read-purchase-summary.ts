import { setImmediate as nextTurn } from 'node:timers/promises'
import { invalidArgument } from '../../../domain/errors.ts'
import { type Instant, toIso } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { byIndex } from '../../../storage/sql/dialect.ts'
import { and, atLeast, before, type Where } from '../../../storage/sql/where.ts'
import type { RuleName } from '../policy/policy.ts'
import { GroupSums } from './group-sums.ts'
import { PurchaseSummaryBy, type SummaryPeriod } from './purchase-summary-args.ts'
import type { PurchaseSummary, PurchaseSummaryGroup } from './purchase-summary.ts'
import {
  CHECKS,
  type RuleResultRow,
  ruleResultStatements,
  summaryStatements,
  type SummaryQuery,
  type SummaryRow,
} from './summary-sql.ts'

/** Checks that one statement sums. The embedded database blocks the process for the time of a statement. */
const CHECKS_PER_STATEMENT = 2000
/** Groups that a summary keeps in memory. */
const MAX_GROUPS = 100_000

export interface SummaryRequest extends SummaryQuery, SummaryPeriod {
  readonly first: number
}

type SummaryDatabase = Pick<Database, 'rows' | 'dialect'>

/**
 * Sums the checks of a period in parts of it, one statement after the other. The memory it needs depends on the number
 * of groups, not on the number of checks.
 */
export async function readPurchaseSummary(
  db: SummaryDatabase,
  request: SummaryRequest,
): Promise<PurchaseSummary> {
  const groups = new Map<string, GroupSums>()
  for await (const part of partsOf(db, request)) {
    await addPart(db, groups, withinPart(request, part))
    if (groups.size > MAX_GROUPS)
      throw invalidArgument(
        'purchasedAfter',
        `The period has more than ${MAX_GROUPS.toLocaleString('en')} groups. Request a shorter period, or fewer vehicles.`,
      )
  }
  const { by, first, purchasedAfter, purchasedBefore } = request
  const ordered = [...groups].toSorted(by === PurchaseSummaryBy.DAY ? byTime : byChecks)
  return {
    purchasedAfter,
    purchasedBefore,
    groups: ordered.slice(0, first).map(([, sums]) => toGroup(by, sums)),
    totalGroups: groups.size,
  }
}

/** Yields parts of the period with about `CHECKS_PER_STATEMENT` checks. Checks of one instant are in one part. */
async function* partsOf(db: SummaryDatabase, request: SummaryRequest): AsyncGenerator<SummaryPeriod> {
  const { where, index, purchasedBefore } = request
  const hint = index ? byIndex(db.dialect, CHECKS, index) : ''
  let start: Instant | null = request.purchasedAfter
  while (start !== null) {
    const rest = and(where, atLeast('purchasedAt', start), before('purchasedAt', purchasedBefore))
    const [next] = await db.rows<{ purchasedAt: Instant | string }>(
      `SELECT \`purchasedAt\` FROM \`${CHECKS}\`${hint} WHERE ${rest.sql}
        ORDER BY \`purchasedAt\` LIMIT 1 OFFSET ${CHECKS_PER_STATEMENT}`,
      rest.parameters,
    )
    const end: Instant | null = next ? Math.max(Number(next.purchasedAt), start + 1) : null
    yield { purchasedAfter: start, purchasedBefore: end ?? purchasedBefore }
    start = end
  }
}

const withinPart = (
  query: SummaryQuery,
  { purchasedAfter, purchasedBefore }: SummaryPeriod,
): SummaryQuery => ({
  ...query,
  where: and(query.where, atLeast('purchasedAt', purchasedAfter), before('purchasedAt', purchasedBefore)),
})

/** Adds the sums over a part of the period to the groups. */
async function addPart(
  db: SummaryDatabase,
  groups: Map<string, GroupSums>,
  query: SummaryQuery,
): Promise<void> {
  for (const statement of summaryStatements(db.dialect, query))
    for (const row of await readInTurn<SummaryRow>(db, statement)) groupOf(groups, row).add(row)
  if (query.by !== PurchaseSummaryBy.RULE) return
  for (const statement of ruleResultStatements(db.dialect, query))
    for (const row of await readInTurn<RuleResultRow>(db, statement))
      groupOf(groups, { key1: row.rule, key2: null }).addRuleResult(row)
}

/** Runs a statement, and lets other work of the process run before the next one. */
async function readInTurn<Row>(db: SummaryDatabase, { sql, parameters }: Where): Promise<Row[]> {
  const rows = await db.rows<Row>(sql, parameters)
  await nextTurn()
  return rows
}

function groupOf(groups: Map<string, GroupSums>, { key1, key2 }: GroupSums['key']): GroupSums {
  const name = JSON.stringify([key1, key2])
  const known = groups.get(name)
  if (known) return known
  const group = new GroupSums({ key1, key2 })
  groups.set(name, group)
  return group
}

type Entry = readonly [string, GroupSums]

const byTime = ([, first]: Entry, [, second]: Entry): number =>
  Number(first.key.key1) - Number(second.key.key1)

const byChecks = ([firstName, first]: Entry, [secondName, second]: Entry): number =>
  second.counts.checks - first.counts.checks || (firstName < secondName ? -1 : 1)

function toGroup(by: PurchaseSummaryBy, sums: GroupSums): PurchaseSummaryGroup {
  const { counts, spend, avoided, liters } = sums
  const { purchases, checks, authorizations, captures, declined, confirm, unknown, flagged } = counts
  return {
    ...keyFields(by, sums),
    ruleResults: by === PurchaseSummaryBy.RULE ? sums.ruleResults : null,
    purchases,
    checks,
    authorizations,
    captures,
    liters,
    spend,
    avoided,
    declined,
    confirm,
    unknown,
    flagged,
    wouldDecline: { v1: counts.wouldDeclineV1, v2: counts.wouldDeclineV2, v3: counts.wouldDeclineV3 },
    wouldBeUnknown: { v1: counts.wouldBeUnknownV1, v2: counts.wouldBeUnknownV2, v3: counts.wouldBeUnknownV3 },
  }
}

/** Returns the fields that name a group. */
function keyFields(by: PurchaseSummaryBy, { key: { key1, key2 } }: GroupSums) {
  const textIf = (kind: PurchaseSummaryBy) => (by === kind && key1 !== null ? String(key1) : null)
  return {
    day: by === PurchaseSummaryBy.DAY ? toIso(Number(key1)).slice(0, 'YYYY-MM-DD'.length) : null,
    vehicleId: textIf(PurchaseSummaryBy.VEHICLE),
    driverId: textIf(PurchaseSummaryBy.DRIVER),
    merchantName: textIf(PurchaseSummaryBy.MERCHANT),
    merchantPostalCode: key2,
    rule: textIf(PurchaseSummaryBy.RULE) as RuleName | null,
  }
}
