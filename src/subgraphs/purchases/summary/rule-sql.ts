import type { Dialect } from '../../../storage/sql/dialect.ts'
import { jsonItems, mayHoldText } from '../../../storage/sql/json.ts'
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

/**
 * Returns the statements that sum purchases by rule: those in which the rule failed in any check. A purchase is in the
 * part of its authorization, and has all its captures. The first statement sums the checks that decide about purchases,
 * the second one their captures.
 */
export function sumsByRuleStatements(dialect: Dialect, query: SummaryQuery): Where[] {
  const failed = failedPurchases(dialect, query)
  return [
    `\`${CHECKS}\`.\`id\` = failed.purchaseId`,
    `\`${CHECKS}\`.\`applicationId\` = failed.ownerId AND \`${CHECKS}\`.\`authorizationCheckId\` = failed.purchaseId`,
  ].map((isMember) =>
    sumsSql(dialect, keyFrom('failed.failedRule'), {
      sql: `(${failed.sql}) AS failed JOIN \`${CHECKS}\` ON ${isMember}`,
      parameters: failed.parameters,
    }),
  )
}

/** Returns the statement that selects purchases with each rule that failed in one of their checks, once each. */
function failedPurchases(dialect: Dialect, { where, index }: SummaryQuery): Where {
  const purchases = `${checksFrom(dialect, index)} WHERE ${where.sql} AND ${DECIDES}`
  const sources = [
    {
      ids: `\`${CHECKS}\`.\`id\` AS purchaseId, \`${CHECKS}\`.\`applicationId\` AS ownerId`,
      from: checksFrom(dialect, index),
      condition: `${where.sql} AND ${DECIDES} AND `,
    },
    {
      ids: 'purchaseId, ownerId',
      from: `(SELECT \`id\` AS purchaseId, \`applicationId\` AS ownerId FROM ${purchases}) AS purchase
        JOIN \`${CHECKS}\` ON \`${CHECKS}\`.\`applicationId\` = purchase.ownerId
          AND \`${CHECKS}\`.\`authorizationCheckId\` = purchase.purchaseId`,
      condition: '',
    },
  ]
  const branches = findingsLists.flatMap((list) => {
    const { join, member } = itemsOf(dialect, list)
    return sources.map(
      ({ ids, from, condition }) => `SELECT ${ids}, ${member('rule')} AS failedRule FROM ${from}${join}
        WHERE ${condition}${mayHoldText(dialect, list.column, RuleOutcome.FAIL)}
          AND ${member('outcome')} = '${RuleOutcome.FAIL}'`,
    )
  })
  return { sql: branches.join(' UNION '), parameters: branches.flatMap(() => where.parameters) }
}

const itemsOf = (dialect: Dialect, list: (typeof findingsLists)[number]) =>
  jsonItems(dialect, { table: CHECKS, ...list, members: ['rule', 'outcome'] })
