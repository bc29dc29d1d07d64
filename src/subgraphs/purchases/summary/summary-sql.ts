import { DAY_MS } from '../../../domain/models/lookback.ts'
import { byIndex, type Dialect } from '../../../storage/sql/dialect.ts'
import { arrayHoldsObject, jsonNumber, jsonText, mayHoldText } from '../../../storage/sql/json.ts'
import type { Where } from '../../../storage/sql/where.ts'
import { PurchaseDecision } from '../policy/decide.ts'
import { RuleAction } from '../policy/policy.ts'
import { PurchasePhase } from '../purchase-enums.ts'
import { RuleOutcome } from '../rules/rule.ts'
import { PurchaseSummaryBy } from './purchase-summary-args.ts'
import {
  captureCountsByStage,
  nameForStage,
  purchaseCountsByStage,
  type StageKey,
  stageKeys,
} from './sum-names.ts'

export const CHECKS = 'purchase_checks'

/** JSON columns with the findings of rules: those of the check, and those of the comparison with the fuel level. */
export const findingsLists = [
  { column: 'reasons', path: '$' },
  { column: 'reconciliation', path: '$.reasons' },
] as const

export interface SummaryQuery {
  readonly by: PurchaseSummaryBy
  readonly applicationId: string
  readonly where: Where
  /** Columns of the index that has the checks in order of time. Undefined leaves the choice to the database. */
  readonly index: readonly string[] | undefined
  /** Condition for visible drivers; null if no filter applies. */
  readonly visibleDrivers: Where | null
}

/** Returns the statement that sums checks by group and currency. */
export const sumsByKeySql = (dialect: Dialect, query: SummaryQuery): Where =>
  sumsSql(dialect, keyOf(dialect, query.by, query.visibleDrivers), {
    sql: `${checksFrom(dialect, query.index)} WHERE ${query.where.sql}`,
    parameters: query.where.parameters,
  })

/** Returns the table of checks as it follows FROM. */
export const checksFrom = (dialect: Dialect, index: readonly string[] | undefined): string =>
  `\`${CHECKS}\`${index ? byIndex(dialect, CHECKS, index) : ''}`

/** Returns the statement that sums the checks of a source, which follows FROM, by key and currency. */
export function sumsSql(dialect: Dialect, key: SummaryKey, source: Where): Where {
  const selected = [
    `${key.sql[0]} AS key1`,
    `${key.sql[1]} AS key2`,
    `${key.sql[2]} AS country`,
    `${jsonText(dialect, 'amount', '$.currency')} AS currency`,
    ...Object.entries(sumsOf(dialect)).map(([name, sum]) => `${sum} AS \`${name}\``),
  ]
  return {
    sql: `SELECT ${selected.join(', ')} FROM ${source.sql} GROUP BY key1, key2, country, currency`,
    parameters: [...key.parameters, ...source.parameters],
  }
}

interface SummaryKey {
  readonly sql: readonly [string, string, string]
  readonly parameters: readonly unknown[]
}

export const keyFrom = (
  first: string,
  { second = 'NULL', country = 'NULL', parameters = [] as readonly unknown[] } = {},
): SummaryKey => ({ sql: [first, second, country], parameters })

/** Returns the expressions that all checks of a group have in common. */
function keyOf(dialect: Dialect, by: PurchaseSummaryBy, visibleDrivers: Where | null): SummaryKey {
  switch (by) {
    case PurchaseSummaryBy.DAY:
      return keyFrom(`\`purchasedAt\` - \`purchasedAt\` % ${DAY_MS}`)
    case PurchaseSummaryBy.VEHICLE:
      return keyFrom('`vehicleId`')
    case PurchaseSummaryBy.DRIVER:
      if (!visibleDrivers) return keyFrom('`driverId`')
      return keyFrom(`CASE WHEN ${visibleDrivers.sql} THEN \`driverId\` END`, {
        parameters: visibleDrivers.parameters,
      })
    case PurchaseSummaryBy.MERCHANT:
      return keyFrom(`TRIM(${jsonText(dialect, 'merchant', '$.name')})`, {
        second: `TRIM(${jsonText(dialect, 'merchant', '$.address.postalCode')})`,
        country: jsonText(dialect, 'merchant', '$.address.country'),
      })
    case PurchaseSummaryBy.RULE:
      throw new Error('Rules have statements of their own.')
  }
}

/** Returns the sums of a group by name. */
function sumsOf(dialect: Dialect): Readonly<Record<string, string>> {
  const sum = (condition: string, value: string) => `SUM(CASE WHEN ${condition} THEN ${value} END)`
  const count = (condition: string) => `COALESCE(${sum(condition, '1')}, 0)`
  const decided = (decision: PurchaseDecision) => count(`${DECIDES} AND \`decision\` = '${decision}'`)
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
    ...sumsByStage(dialect, { count, sum, amount }),
    spend: `COALESCE(${sum(`(${IS_CAPTURE} OR (NOT ${IS_DECLINED} AND ${isUncaptured(dialect)}))`, amount)}, 0)`,
    avoided: `COALESCE(${sum(`${IS_AUTHORIZATION} AND ${IS_DECLINED} AND ${isUncaptured(dialect)}`, amount)}, 0)`,
    liters: sum(IS_CAPTURE, litersSql(dialect)),
  }
}

interface SumExpressions {
  readonly count: (condition: string) => string
  readonly sum: (condition: string, value: string) => string
  readonly amount: string
}

/** Returns the sums for each stage by name. */
function sumsByStage(
  dialect: Dialect,
  { count, sum, amount }: SumExpressions,
): Readonly<Record<string, string>> {
  const wouldBe = (stage: StageKey, decision: string) =>
    `${mayHoldText(dialect, 'wouldBe', decision)} AND ${jsonText(dialect, 'wouldBe', `$.${stage}`)} = '${decision}'`
  const counts = (names: Readonly<Record<string, string>>, counted: string) =>
    Object.entries(names).flatMap(([name, decision]) =>
      stageKeys.map((stage) => [
        nameForStage(name, stage),
        count(`${counted} AND ${wouldBe(stage, decision)}`),
      ]),
    )
  const avoided = (stage: StageKey) => {
    const declines = ofDeciding(wouldBe(stage, PurchaseDecision.DECLINE))
    return `COALESCE(${sum(`${declines} AND (${IS_CAPTURE} OR ${isUncaptured(dialect)})`, amount)}, 0)`
  }
  return Object.fromEntries([
    ...counts(purchaseCountsByStage, DECIDES),
    ...counts(captureCountsByStage, IS_CAPTURE),
    ...stageKeys.map((stage) => [nameForStage('wouldAvoid', stage), avoided(stage)]),
  ])
}

const IS_AUTHORIZATION = `\`phase\` = '${PurchasePhase.AUTHORIZATION}'`
const IS_CAPTURE = `\`phase\` = '${PurchasePhase.CAPTURE}'`
const IS_DECLINED = `\`decision\` = '${PurchaseDecision.DECLINE}'`
/** The decision of a capture is not that of the purchase if its authorization was checked. */
export const DECIDES = '`authorizationCheckId` IS NULL'
/** Without the hint, MariaDB may read all checks of the application for each authorization. */
const isUncaptured = (dialect: Dialect): string => `NOT EXISTS (
  SELECT 1 FROM \`${CHECKS}\` AS capture${byIndex(dialect, CHECKS, ['applicationId', 'authorizationCheckId'])}
  WHERE capture.\`applicationId\` = \`${CHECKS}\`.\`applicationId\`
    AND capture.\`authorizationCheckId\` = \`${CHECKS}\`.\`id\`)`

/** Returns a condition that the check which decides about the purchase must meet. Its columns have no table. */
const ofDeciding = (condition: string): string =>
  `((${DECIDES} AND ${condition}) OR (NOT (${DECIDES}) AND EXISTS (SELECT 1 FROM \`${CHECKS}\` AS decider
    WHERE decider.\`applicationId\` = \`${CHECKS}\`.\`applicationId\`
      AND decider.\`id\` = \`${CHECKS}\`.\`authorizationCheckId\` AND ${condition})))`

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
export const litersSql = (dialect: Dialect): string =>
  `COALESCE(${jsonNumber(dialect, 'fuel', '$.liters')},
    ${jsonNumber(dialect, 'amount', '$.value')} / ${jsonNumber(dialect, 'fuel', '$.unitPrice')})`
