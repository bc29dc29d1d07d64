import type { Database, Transaction } from '../../../src/storage/database.ts'

/** How MariaDB runs a statement. */
export interface ReadCost {
  readonly sql: string
  /** Ways in which the plan reads the tables, such as `range`; `ALL` and `index` read them as a whole. */
  readonly access: readonly string[]
  /** Number of rows that the statement read, in an index or in a table. */
  readonly reads: number
}

const READS = `SELECT SUM(VARIABLE_VALUE) AS \`reads\` FROM information_schema.SESSION_STATUS
  WHERE VARIABLE_NAME LIKE 'HANDLER_READ%'`

/** Returns a database of MariaDB that reports what each statement on its tables reads. Inserts read nothing. */
export function measureReads(db: Database, report: (cost: ReadCost) => void): Database {
  const measured = (tx: Transaction): Transaction => ({
    ...tx,
    rows: <T>(sql: string, parameters: readonly unknown[] = []) =>
      measure(tx, sql, parameters, report, () => tx.rows<T>(sql, parameters)),
    run: (sql, parameters = []) => measure(tx, sql, parameters, report, () => tx.run(sql, parameters)),
  })
  return {
    ...db,
    rows: <T>(sql: string, parameters: readonly unknown[] = []) =>
      db.transaction((tx) => measured(tx).rows<T>(sql, parameters), 'idempotent'),
    transaction: (work, property) => db.transaction((tx) => work(measured(tx)), property),
  }
}

async function measure<T>(
  tx: Transaction,
  sql: string,
  parameters: readonly unknown[],
  report: (cost: ReadCost) => void,
  run: () => Promise<T>,
): Promise<T> {
  if (sql.includes('information_schema') || sql.startsWith('INSERT')) return run()
  const plan = await tx.rows<{ type: string | null }>(`EXPLAIN ${sql}`, parameters)
  const [first, second] = [await readsOf(tx), await readsOf(tx)]
  const result = await run()
  const third = await readsOf(tx)
  // Each look at the counter also reads rows.
  const reads = third - second - (second - first)
  report({ sql, access: plan.flatMap(({ type }) => (type === null ? [] : [type])), reads })
  return result
}

async function readsOf(tx: Transaction): Promise<number> {
  const [row] = await tx.rows<{ reads: string }>(READS)
  return Number(row?.reads)
}
