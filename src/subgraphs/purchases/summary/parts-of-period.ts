import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Instant } from '../../../domain/time.ts'
import type { Database } from '../../../storage/database.ts'
import { byIndex } from '../../../storage/sql/dialect.ts'
import { and, atLeast, before, type Where } from '../../../storage/sql/where.ts'
import type { SummaryPeriod } from './purchase-summary-args.ts'
import { CHECKS, type SummaryQuery } from './summary-sql.ts'

/** Checks that one statement sums. The embedded database blocks the process for the time of a statement. */
const CHECKS_PER_STATEMENT = 2000

export type SummedDatabase = Pick<Database, 'rows' | 'dialect'>

/** Yields parts of the period with about `CHECKS_PER_STATEMENT` checks. Checks of one instant are in one part. */
export async function* partsOf(
  db: SummedDatabase,
  { where, index, purchasedAfter, purchasedBefore }: Pick<SummaryQuery, 'where' | 'index'> & SummaryPeriod,
): AsyncGenerator<SummaryPeriod> {
  const hint = index ? byIndex(db.dialect, CHECKS, index) : ''
  let start: Instant | null = purchasedAfter
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

/** Runs a statement, and lets other work of the process run before the next one. */
export async function readInTurn<Row>(db: SummedDatabase, { sql, parameters }: Where): Promise<Row[]> {
  const rows = await db.rows<Row>(sql, parameters)
  await nextTurn()
  return rows
}
