import { invalidArgument } from '../../../domain/errors.ts'
import { toIso } from '../../../domain/time.ts'
import { and, atLeast, before } from '../../../storage/sql/where.ts'
import type { RuleName } from '../policy/policy.ts'
import { GroupSums } from './group-sums.ts'
import { partsOf, readInTurn, type SummedDatabase } from './parts-of-period.ts'
import { PurchaseSummaryBy, type SummaryPeriod } from './purchase-summary-args.ts'
import type { PurchaseSummary, PurchaseSummaryGroup } from './purchase-summary.ts'
import { nameForMatch, postalCodeForMatch } from '../sites/match-key.ts'
import {
  failedPurchasesSql,
  type FailedPurchaseRow,
  type RuleResultRow,
  ruleResultStatements,
  sumsByPurchaseStatements,
} from './rule-sql.ts'
import { forEachStage, nameForStage, type SummaryRow } from './sum-names.ts'
import { sumsByKeySql, type SummaryQuery } from './summary-sql.ts'

/** Purchases whose checks one statement sums. */
const PURCHASES_PER_STATEMENT = 500
/** Groups that a summary keeps in memory, with each spelling of a merchant. */
const MAX_GROUPS = 100_000

export interface SummaryRequest extends SummaryQuery, SummaryPeriod {
  readonly first: number
}

/** Groups of a summary by their normalized keys. */
interface Groups {
  readonly byName: Map<string, GroupSums>
  /** Number of different spellings of keys. Only merchants have several for a group. */
  spellings: number
}

/**
 * Sums the checks of a period in parts of it, one statement after the other. The memory it needs depends on the number
 * of groups, not on the number of checks.
 */
export async function readPurchaseSummary(
  db: SummedDatabase,
  request: SummaryRequest,
): Promise<PurchaseSummary> {
  const groups: Groups = { byName: new Map(), spellings: 0 }
  for await (const part of partsOf(db, request)) {
    await addPart(db, groups, withinPart(request, part))
    if (groups.spellings > MAX_GROUPS)
      throw invalidArgument(
        'purchasedAfter',
        `The period has more than ${MAX_GROUPS.toLocaleString('en')} groups. Request a shorter period, or fewer vehicles.`,
      )
  }
  const { by, first, purchasedAfter, purchasedBefore } = request
  const entries = [...groups.byName]
  const shown =
    by === PurchaseSummaryBy.DAY
      ? entries.toSorted(latestFirst).slice(0, first).toReversed()
      : entries.toSorted(byChecks).slice(0, first)
  return {
    purchasedAfter,
    purchasedBefore,
    groups: shown.map(([, sums]) => toGroup(by, sums)),
    totalGroups: entries.length,
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
async function addPart(db: SummedDatabase, groups: Groups, query: SummaryQuery): Promise<void> {
  if (query.by === PurchaseSummaryBy.RULE) return addPartByRule(db, groups, query)
  for (const row of await readInTurn<SummaryRow>(db, sumsByKeySql(db.dialect, query)))
    groupOf(groups, query.by, row, Number(row.checks)).add(row)
}

/** Adds the purchases of a part in which rules failed, with all their captures, and the results of the rules. */
async function addPartByRule(db: SummedDatabase, groups: Groups, query: SummaryQuery): Promise<void> {
  const groupOfRule = (rule: string) =>
    groupOf(groups, query.by, { key1: rule, key2: null, country: null }, 0)
  const rulesByPurchase = new Map<string, string[]>()
  for (const { purchaseId, rule } of await readInTurn<FailedPurchaseRow>(
    db,
    failedPurchasesSql(db.dialect, query),
  ))
    rulesByPurchase.set(purchaseId, [...(rulesByPurchase.get(purchaseId) ?? []), rule])
  const ids = [...rulesByPurchase.keys()]
  for (let at = 0; at < ids.length; at += PURCHASES_PER_STATEMENT) {
    const some = ids.slice(at, at + PURCHASES_PER_STATEMENT)
    for (const statement of sumsByPurchaseStatements(db.dialect, query.applicationId, some))
      for (const row of await readInTurn<SummaryRow>(db, statement))
        for (const rule of rulesByPurchase.get(String(row.key1)) ?? []) groupOfRule(rule).add(row)
  }
  for (const statement of ruleResultStatements(db.dialect, query))
    for (const row of await readInTurn<RuleResultRow>(db, statement)) groupOfRule(row.rule).addRuleResult(row)
}

type RowKey = Pick<SummaryRow, 'key1' | 'key2' | 'country'>

/** Returns the group of a row, and counts the spelling of its key for some checks. */
function groupOf(groups: Groups, by: PurchaseSummaryBy, row: RowKey, checks: number): GroupSums {
  const name = JSON.stringify(by === PurchaseSummaryBy.MERCHANT ? merchantKeyOf(row) : [row.key1])
  const group = groups.byName.get(name) ?? new GroupSums()
  groups.byName.set(name, group)
  if (group.addSpelling(row, checks)) groups.spellings += 1
  return group
}

/** Returns the name and postal code of a merchant as sites are matched. A name without letters and digits stays. */
function merchantKeyOf({ key1, key2, country }: RowKey): readonly (string | null)[] {
  const name = String(key1)
  return [nameForMatch(name) || name, key2 === null ? null : postalCodeForMatch(key2, country)]
}

type Entry = readonly [string, GroupSums]

const latestFirst = ([, first]: Entry, [, second]: Entry): number =>
  Number(second.key.key1) - Number(first.key.key1)

const byChecks = ([firstName, first]: Entry, [secondName, second]: Entry): number =>
  second.counts.checks - first.counts.checks || (firstName < secondName ? -1 : 1)

function toGroup(by: PurchaseSummaryBy, sums: GroupSums): PurchaseSummaryGroup {
  const isByRule = by === PurchaseSummaryBy.RULE
  const { purchases, checks, authorizations, captures, declined, confirm, unknown, flagged } = sums.counts
  return {
    ...keyFields(by, sums),
    ruleResults: isByRule ? sums.ruleResults : null,
    purchases,
    checks,
    authorizations,
    captures,
    liters: sums.liters,
    spend: sums.amounts('spend'),
    avoided: sums.amounts('avoided'),
    declined,
    confirm,
    unknown,
    flagged,
    wouldDecline: sums.countByStage('wouldDecline'),
    wouldConfirm: sums.countByStage('wouldConfirm'),
    wouldBeUnknown: isByRule ? null : sums.countByStage('wouldBeUnknown'),
    capturesWouldDecline: sums.countByStage('capturesWouldDecline'),
    capturesWouldConfirm: sums.countByStage('capturesWouldConfirm'),
    capturesWouldBeUnknown: isByRule ? null : sums.countByStage('capturesWouldBeUnknown'),
    wouldAvoid: forEachStage((stage) => sums.amounts(nameForStage('wouldAvoid', stage))),
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
