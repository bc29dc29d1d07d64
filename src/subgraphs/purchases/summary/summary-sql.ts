import { DAY_MS } from '../../../domain/models/lookback.ts'
import { byIndex, type Dialect } from '../../../storage/sql/dialect.ts'
import { arrayHoldsObject, jsonItems, jsonNumber, jsonText, mayHoldText } from '../../../storage/sql/json.ts'
import { and, type Where } from '../../../storage/sql/where.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { RuleAction } from '../policy/policy.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { RuleOutcome } from '../rules/rule.ts'
import { PurchaseSummaryBy } from './purchase-summary-args.ts'

export const CHECKS = 'purchase_checks'

/** Names of the numbers that a group counts. */
export const countNames = [
  'purchases',
  'checks',
  'authorizations',
  'captures',
  'declined',
  'confirm',
  'unknown',
  'flagged',
  'wouldDeclineV1',
  'wouldDeclineV2',
  'wouldDeclineV3',
  'wouldBeUnknownV1',
  'wouldBeUnknownV2',
  'wouldBeUnknownV3',
] as const

type CountName = (typeof countNames)[number]

/** Row of sums over the checks of a group with one currency. Drivers may return sums as texts. */
export type SummaryRow = Readonly<Record<CountName | 'spend' | 'avoided', number | string>> & {
  readonly key1: string | number | null
  readonly key2: string | null
  readonly currency: string
  readonly liters: number | string | null
}

/** JSON columns with the findings of rules: those of the check, and those of the comparison with the fuel level. */
const findingsLists = [
  { column: 'reasons', path: '$' },
  { column: 'reconciliation', path: '$.reasons' },
] as const

type FindingsList = (typeof findingsLists)[number]

export interface SummaryQuery {
  readonly by: PurchaseSummaryBy
  readonly where: Where
  /** Columns of the index that has the checks in order of time. Undefined leaves the choice to the database. */
  readonly index: readonly string[] | undefined
  /** Condition for visible drivers; null if no filter applies. */
  readonly visibleDrivers: Where | null
}

/** Returns the statements that sum checks by group and currency. By rule, they sum those in which the rule failed. */
export function summaryStatements(dialect: Dialect, query: SummaryQuery): Where[] {
  if (query.by !== PurchaseSummaryBy.RULE) return [sumsSql(dialect, query)]
  return findingsLists.map((list) => {
    const items = itemsOf(dialect, list)
    const failed: Where = {
      sql: `${mayHoldText(dialect, list.column, RuleOutcome.FAIL)} AND ${items.member('outcome')} = ?`,
      parameters: [RuleOutcome.FAIL],
    }
    return sumsSql(dialect, { ...query, where: and(query.where, failed) }, items)
  })
}

/** Row with the number of checks in which a rule had an outcome. */
export interface RuleResultRow {
  readonly rule: string
  readonly outcome: RuleOutcome
  readonly checks: number | string
}

/** Returns the statements that count checks by rule and outcome. */
export const ruleResultStatements = (dialect: Dialect, { where, index }: SummaryQuery): Where[] =>
  findingsLists.map((list) => {
    const { join, member } = itemsOf(dialect, list)
    return {
      sql: `SELECT ${member('rule')} AS rule, ${member('outcome')} AS outcome, COUNT(*) AS checks
        FROM ${from(dialect, index)}${join} WHERE ${where.sql} GROUP BY ${member('rule')}, ${member('outcome')}`,
      parameters: where.parameters,
    }
  })

const from = (dialect: Dialect, index: readonly string[] | undefined): string =>
  `\`${CHECKS}\`${index ? byIndex(dialect, CHECKS, index) : ''}`

const itemsOf = (dialect: Dialect, list: FindingsList) =>
  jsonItems(dialect, { table: CHECKS, ...list, members: ['rule', 'outcome'] })

function sumsSql(
  dialect: Dialect,
  { by, where, index, visibleDrivers }: SummaryQuery,
  findings?: ReturnType<typeof itemsOf>,
): Where {
  const key = keyOf(dialect, by, visibleDrivers, findings?.member('rule'))
  const selected = [
    `${key.sql[0]} AS key1`,
    `${key.sql[1]} AS key2`,
    `${jsonText(dialect, 'amount', '$.currency')} AS currency`,
    ...Object.entries(sumsOf(dialect)).map(([name, sum]) => `${sum} AS \`${name}\``),
  ]
  return {
    sql: `SELECT ${selected.join(', ')} FROM ${from(dialect, index)}${findings?.join ?? ''}
      WHERE ${where.sql} GROUP BY key1, key2, currency`,
    parameters: [...key.parameters, ...where.parameters],
  }
}

interface Key {
  readonly sql: readonly [string, string]
  readonly parameters: readonly unknown[]
}

const keyFrom = (first: string, second = 'NULL', parameters: readonly unknown[] = []): Key => ({
  sql: [first, second],
  parameters,
})

/** Returns the expressions that all checks of a group have in common. */
function keyOf(dialect: Dialect, by: PurchaseSummaryBy, visibleDrivers: Where | null, rule = 'NULL'): Key {
  switch (by) {
    case PurchaseSummaryBy.DAY:
      return keyFrom(`\`purchasedAt\` - \`purchasedAt\` % ${DAY_MS}`)
    case PurchaseSummaryBy.VEHICLE:
      return keyFrom('`vehicleId`')
    case PurchaseSummaryBy.DRIVER:
      if (!visibleDrivers) return keyFrom('`driverId`')
      return keyFrom(
        `CASE WHEN ${visibleDrivers.sql} THEN \`driverId\` END`,
        'NULL',
        visibleDrivers.parameters,
      )
    case PurchaseSummaryBy.MERCHANT:
      return keyFrom(
        `TRIM(${jsonText(dialect, 'merchant', '$.name')})`,
        `TRIM(${jsonText(dialect, 'merchant', '$.address.postalCode')})`,
      )
    case PurchaseSummaryBy.RULE:
      return keyFrom(rule)
  }
}

/** Returns the sums of a group by name. */
function sumsOf(dialect: Dialect): Readonly<Record<string, string>> {
  const sum = (condition: string, value: string) => `SUM(CASE WHEN ${condition} THEN ${value} END)`
  const count = (condition: string) => `COALESCE(${sum(condition, '1')}, 0)`
  const decided = (decision: PurchaseDecision) => count(`${DECIDES} AND \`decision\` = '${decision}'`)
  const wouldBe = (stage: string, decision: PurchaseDecision) =>
    count(
      `${DECIDES} AND ${mayHoldText(dialect, 'wouldBe', decision)}
        AND ${jsonText(dialect, 'wouldBe', `$.${stage}`)} = '${decision}'`,
    )
  const amount = jsonNumber(dialect, 'amount', '$.value')
  return {
    purchases: count(DECIDES),
    checks: 'COUNT(*)',
    authorizations: count(IS_AUTHORIZATION),
    captures: count(IS_CAPTURE),
    declined: decided(PurchaseDecision.DECLINE),
    confirm: decided(PurchaseDecision.CONFIRM),
    unknown: decided(PurchaseDecision.UNKNOWN),
    flagged: count(isFlaggedSql(dialect)),
    wouldDeclineV1: wouldBe('v1', PurchaseDecision.DECLINE),
    wouldDeclineV2: wouldBe('v2', PurchaseDecision.DECLINE),
    wouldDeclineV3: wouldBe('v3', PurchaseDecision.DECLINE),
    wouldBeUnknownV1: wouldBe('v1', PurchaseDecision.UNKNOWN),
    wouldBeUnknownV2: wouldBe('v2', PurchaseDecision.UNKNOWN),
    wouldBeUnknownV3: wouldBe('v3', PurchaseDecision.UNKNOWN),
    spend: `COALESCE(${sum(`(${IS_CAPTURE} OR (NOT ${IS_DECLINED} AND ${IS_UNCAPTURED}))`, amount)}, 0)`,
    avoided: `COALESCE(${sum(`${IS_AUTHORIZATION} AND ${IS_DECLINED} AND ${IS_UNCAPTURED}`, amount)}, 0)`,
    liters: sum(IS_CAPTURE, litersSql(dialect, amount)),
  }
}

const IS_AUTHORIZATION = `\`phase\` = '${PurchasePhase.AUTHORIZATION}'`
const IS_CAPTURE = `\`phase\` = '${PurchasePhase.CAPTURE}'`
const IS_DECLINED = `\`decision\` = '${PurchaseDecision.DECLINE}'`
/** The decision of a capture is not that of the purchase if its authorization was checked. */
const DECIDES = '`authorizationCheckId` IS NULL'
const IS_UNCAPTURED = `NOT EXISTS (SELECT 1 FROM \`${CHECKS}\` AS capture
  WHERE capture.\`applicationId\` = \`${CHECKS}\`.\`applicationId\`
    AND capture.\`authorizationCheckId\` = \`${CHECKS}\`.\`id\`)`

/** Condition: a rule has failed that does more than log. */
const isFlaggedSql = (dialect: Dialect): string =>
  `(${findingsLists
    .map(({ column, path }) => {
      const flagging = [RuleAction.FLAG, RuleAction.CONFIRM, RuleAction.DECLINE].map((action) =>
        arrayHoldsObject(dialect, column, path, { outcome: RuleOutcome.FAIL, action }),
      )
      return `(${mayHoldText(dialect, column, RuleOutcome.FAIL)} AND (${flagging.join(' OR ')}))`
    })
    .join(' OR ')})`

/** The liters as `litersOf` computes them. */
const litersSql = (dialect: Dialect, amount: string): string =>
  `COALESCE(${jsonNumber(dialect, 'fuel', '$.liters')}, ${amount} / ${jsonNumber(dialect, 'fuel', '$.unitPrice')})`
