import { type Dialect, onlyByIndex } from '../../../storage/sql/dialect.ts'
import { jsonItems, mayHoldText } from '../../../storage/sql/json.ts'
import { placeholders } from '../../../storage/loaders/order-by-keys.ts'
import type { Where } from '../../../storage/sql/where.ts'
import { RuleOutcome } from '../rules/rule.ts'
import {
  CHECKS,
  checksFrom,
  DECIDES,
  findingsLists,
  keyFrom,
  type SummaryQuery,
  sumsSql,
} from './summary-sql.ts'

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
        FROM ${checksFrom(dialect, index)}${join} WHERE ${where.sql}
        GROUP BY ${member('rule')}, ${member('outcome')}`,
      parameters: where.parameters,
    }
  })

/** Purchase with a rule that failed in one of its checks. */
export interface FailedPurchaseRow {
  readonly purchaseId: string
  readonly rule: string
}

/**
 * Returns the statements that sum all checks of purchases. The first key is the id of the purchase. The plus sign has no
 * meaning but keeps SQLite from an index of the application: it expects fewer rows of an application than of many ids.
 */
export const sumsByPurchaseStatements = (
  dialect: Dialect,
  applicationId: string,
  purchaseIds: readonly string[],
): Where[] =>
  [
    { id: 'id', hint: '', application: '+`applicationId`' },
    {
      id: 'authorizationCheckId',
      hint: onlyByIndex(dialect, CHECKS, ['applicationId', 'authorizationCheckId']),
      application: '`applicationId`',
    },
  ].map(({ id, hint, application }) =>
    sumsSql(dialect, keyFrom(`\`${id}\``), {
      sql: `\`${CHECKS}\`${hint} WHERE ${application} = ? AND \`${id}\` IN (${placeholders(purchaseIds.length)})`,
      parameters: [applicationId, ...purchaseIds],
    }),
  )

/**
 * Returns the statement that selects purchases with each rule that failed in one of their checks, once each. A purchase
 * is in the part of the period that has its authorization, also if a later capture failed the rule.
 */
export function failedPurchasesSql(dialect: Dialect, { where, index }: SummaryQuery): Where {
  const purchases = `${checksFrom(dialect, index)} WHERE ${where.sql} AND ${DECIDES}`
  const sources = [
    {
      id: `\`${CHECKS}\`.\`id\` AS purchaseId`,
      from: checksFrom(dialect, index),
      condition: `${where.sql} AND ${DECIDES} AND `,
    },
    {
      id: 'purchaseId',
      from: `(SELECT \`id\` AS purchaseId, \`applicationId\` AS ownerId FROM ${purchases}) AS purchase
        JOIN \`${CHECKS}\` ON \`${CHECKS}\`.\`applicationId\` = purchase.ownerId
          AND \`${CHECKS}\`.\`authorizationCheckId\` = purchase.purchaseId`,
      condition: '',
    },
  ]
  const branches = findingsLists.flatMap((list) => {
    const { join, member } = itemsOf(dialect, list)
    return sources.map(
      ({ id, from, condition }) => `SELECT ${id}, ${member('rule')} AS rule FROM ${from}${join}
        WHERE ${condition}${mayHoldText(dialect, list.column, RuleOutcome.FAIL)}
          AND ${member('outcome')} = '${RuleOutcome.FAIL}'`,
    )
  })
  return { sql: branches.join(' UNION '), parameters: branches.flatMap(() => where.parameters) }
}

const itemsOf = (dialect: Dialect, list: (typeof findingsLists)[number]) =>
  jsonItems(dialect, { table: CHECKS, ...list, members: ['rule', 'outcome'] })
