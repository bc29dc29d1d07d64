import { setTimeout as sleep } from 'node:timers/promises'
import { KEY_ID_LENGTH, type EnvelopeEncryption } from '../auth/envelope-encryption.ts'
import type { Database, Rows, Transaction } from '../storage/database.ts'
import { quoted } from '../storage/sql/table.ts'
import { encryptionContextByName, encryptedColumns } from '../subgraphs/tables/encrypted-columns.ts'

interface EncryptedColumns {
  readonly table: string
  readonly columns: readonly string[]
}
type Row = Readonly<Record<string, string | null>>

interface ReencryptDeps {
  readonly db: Pick<Database, 'rows' | 'transaction'>
  readonly secrets: EnvelopeEncryption
}

export interface ReencryptionResult {
  /** Number of rows that this run encrypted with the current key. */
  readonly reencrypted: number
  /** Ids of rows that no known key decrypts. They stay unchanged. */
  readonly undecryptable: readonly string[]
}

const ROWS_PER_BATCH = 200
const MAX_PASSES = 5
/** Pause between batches, so that other writers can work in between. */
const PAUSE_MS = 5

/**
 * Encrypts with the current key all secrets that another key encrypts. The service can read and write meanwhile. If a
 * row changes between its read and its write, the next pass handles it. After the last pass such rows can remain, so
 * the caller counts them. The work can stop at any time without a loss, because each secret is readable with its old or
 * its new key. `inFirstTransaction` is called in the transaction that writes the first rows. `onProgress` receives the
 * number of rows so far.
 */
export async function reencrypt(
  context: ReencryptDeps,
  onProgress: (rows: number) => void,
  inFirstTransaction: (tx: Transaction) => Promise<void> = async () => {},
): Promise<ReencryptionResult> {
  let reencrypted = 0
  const undecryptable: string[] = []
  const inTransaction = async (tx: Transaction) => (reencrypted === 0 ? inFirstTransaction(tx) : undefined)
  for (const target of encryptedColumns) {
    const failed = await reencryptTable({ ...context, inTransaction }, target, (rows) =>
      onProgress((reencrypted += rows)),
    )
    undecryptable.push(...failed)
  }
  return { reencrypted, undecryptable }
}

interface TableWrite extends ReencryptDeps {
  /** Called in each transaction that writes rows. */
  inTransaction(tx: Transaction): Promise<void>
}

/** Encrypts the rows of one table with the current key. Returns the ids of the rows that no known key decrypts. */
async function reencryptTable(
  deps: TableWrite,
  target: EncryptedColumns,
  onBatch: (changed: number) => void,
): Promise<readonly string[]> {
  let undecryptable: string[] = []
  for (let again = true, pass = 1; again && pass <= MAX_PASSES; pass++) {
    again = false
    undecryptable = []
    for await (const batch of batchesOf(deps, target)) {
      const { reencrypted, failed } = reencryptRows(deps.secrets, target, batch)
      const changed = await write(deps, target, reencrypted)
      undecryptable.push(...failed)
      again ||= changed < reencrypted.length
      onBatch(changed)
      await sleep(PAUSE_MS)
    }
  }
  return undecryptable
}

/** Encrypts rows with the current key. `failed` contains the ids of the rows that no known key decrypts. */
function reencryptRows(secrets: EnvelopeEncryption, target: EncryptedColumns, rows: readonly Row[]) {
  const results = rows.map((row) => reencryptRow(secrets, target, row))
  return {
    reencrypted: results.filter((result) => result !== null),
    failed: rows.filter((_, at) => results[at] === null).map(({ id }) => String(id)),
  }
}

/** Yields, in batches and in the order of their ids, the rows with a value that another key encrypts. */
async function* batchesOf(
  { db, secrets }: ReencryptDeps,
  { table, columns }: EncryptedColumns,
): AsyncGenerator<readonly Row[]> {
  const [current = ''] = secrets.keyIds()
  const stale = columns.map((column) => `(\`${column}\` <> '' AND ${keyIdIn(column)} <> ?)`).join(' OR ')
  for (let after = ''; ;) {
    const rows = await db.rows<Row>(
      `SELECT \`id\`, \`applicationId\`, ${quoted(columns)} FROM \`${table}\` WHERE \`id\` > ? AND (${stale}) ORDER BY \`id\` LIMIT ${ROWS_PER_BATCH}`,
      [after, ...columns.map(() => current)],
    )
    if (rows.length === 0) return
    yield rows
    after = String(rows.at(-1)?.['id'])
  }
}

const keyIdIn = (column: string): string => `SUBSTR(\`${column}\`, 1, ${KEY_ID_LENGTH})`

interface ReencryptedRow {
  readonly before: Row
  readonly after: Row
}

/**
 * Encrypts the columns of a row with the current key. Returns null if the key of a value is missing, or if a value was
 * encrypted for another row.
 */
function reencryptRow(
  secrets: EnvelopeEncryption,
  { table, columns }: EncryptedColumns,
  before: Row,
): ReencryptedRow | null {
  const row = { id: String(before['id']), applicationId: String(before['applicationId']) }
  const reencrypted = (name: string) => {
    const [sealed = null, context] = [before[name], encryptionContextByName(`${table}.${name}`, row)]
    return sealed ? secrets.seal(secrets.open(sealed, context), context) : sealed
  }
  try {
    return { before, after: Object.fromEntries(columns.map((name) => [name, reencrypted(name)])) }
  } catch {
    return null
  }
}

/** Writes the rows that have not changed since they were read. Returns their number. */
async function write(
  { db, inTransaction }: TableWrite,
  { table, columns }: EncryptedColumns,
  rows: readonly ReencryptedRow[],
): Promise<number> {
  const set = columns.map((column) => `\`${column}\` = ?`)
  const unchanged = columns.map((column) => `COALESCE(\`${column}\`, '') = ?`)
  const sql = `UPDATE \`${table}\` SET ${set.join(', ')} WHERE \`id\` = ? AND ${unchanged.join(' AND ')}`
  return db.transaction(async (tx) => {
    let changed = 0
    for (const { before, after } of rows) {
      const sealed = columns.map((column) => after[column])
      const earlier = columns.map((column) => before[column] ?? '')
      changed += await tx.run(sql, [...sealed, before['id'], ...earlier])
    }
    if (changed > 0) await inTransaction(tx)
    return changed
  })
}

/** Counts the encrypted values by the id of their key. */
export async function countByKey({ db }: { readonly db: Rows }): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, columns } of encryptedColumns)
    for (const column of columns) {
      const rows = await db.rows<{ keyId: string; sealed: number }>(
        `SELECT ${keyIdIn(column)} AS \`keyId\`, COUNT(*) AS \`sealed\` FROM \`${table}\` WHERE \`${column}\` <> '' GROUP BY ${keyIdIn(column)}`,
      )
      for (const { keyId, sealed } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + Number(sealed))
    }
  return counts
}

/** Returns the ids of rows that no known key decrypts, at most `MAX_REPORTED`. */
export async function undecryptableRows({
  db,
  secrets,
}: {
  readonly db: Rows
  readonly secrets: EnvelopeEncryption
}) {
  const undecryptable: string[] = []
  for (const target of encryptedColumns)
    for (let after: string | null = ''; after !== null;) {
      const rows: Row[] = await db.rows<Row>(
        `SELECT \`id\`, \`applicationId\`, ${quoted(target.columns)} FROM \`${target.table}\` WHERE \`id\` > ? ORDER BY \`id\` LIMIT ${ROWS_PER_BATCH}`,
        [after],
      )
      undecryptable.push(...reencryptRows(secrets, target, rows).failed)
      after = undecryptable.length >= MAX_REPORTED ? null : (rows.at(-1)?.['id'] ?? null)
    }
  return undecryptable.slice(0, MAX_REPORTED)
}

const MAX_REPORTED = 3
