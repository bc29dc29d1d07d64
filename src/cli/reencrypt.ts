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
/** Pause between batches, so that other writers get their turn. */
const PAUSE_MS = 5

/**
 * Encrypts every secret that is under another key with the current key. The service can read and write meanwhile. A row
 * that changes in between waits for the next pass; after the last pass the caller counts the rest. The work can stop at
 * any time and loses nothing. `atFirst` runs in the transaction of the first rows. `onProgress` gets the number of rows
 * so far.
 */
export async function reencrypt(
  context: ReencryptDeps,
  onProgress: (rows: number) => void,
  atFirst: (tx: Transaction) => Promise<void> = async () => {},
): Promise<ReencryptionResult> {
  let reencrypted = 0
  const undecryptable: string[] = []
  const also = async (tx: Transaction) => (reencrypted === 0 ? atFirst(tx) : undefined)
  for (const place of encryptedColumns) {
    const closed = await reencryptTable({ ...context, also }, place, (rows) =>
      onProgress((reencrypted += rows)),
    )
    undecryptable.push(...closed)
  }
  return { reencrypted, undecryptable }
}

interface TableWrite extends ReencryptDeps {
  also(tx: Transaction): Promise<void>
}

/** Returns the ids of the rows that no known key decrypts. */
async function reencryptTable(
  tools: TableWrite,
  place: EncryptedColumns,
  onBatch: (changed: number) => void,
): Promise<readonly string[]> {
  let undecryptable: string[] = []
  for (let again = true, pass = 1; again && pass <= MAX_PASSES; pass++) {
    again = false
    undecryptable = []
    for await (const batch of batchesOf(tools, place)) {
      const { fresh, closed } = opened(tools.secrets, place, batch)
      const changed = await write(tools, place, fresh)
      undecryptable.push(...closed)
      again ||= changed < fresh.length
      onBatch(changed)
      await sleep(PAUSE_MS)
    }
  }
  return undecryptable
}

function opened(secrets: EnvelopeEncryption, place: EncryptedColumns, rows: readonly Row[]) {
  const fresh = rows.map((row) => reencryptRow(secrets, place, row))
  return {
    fresh: fresh.filter((row) => row !== null),
    closed: rows.filter((_, at) => fresh[at] === null).map(({ id }) => String(id)),
  }
}

/** Yields batches of the rows with a column under another key, in the order of their ids. */
async function* batchesOf(
  { db, secrets }: ReencryptDeps,
  { table, columns }: EncryptedColumns,
): AsyncGenerator<readonly Row[]> {
  const [current = ''] = secrets.keyIds()
  const stale = columns.map((column) => `(\`${column}\` <> '' AND ${idIn(column)} <> ?)`).join(' OR ')
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

const idIn = (column: string): string => `SUBSTR(\`${column}\`, 1, ${KEY_ID_LENGTH})`

interface ReencryptedRow {
  readonly before: Row
  readonly after: Row
}

/** Encrypts the columns of a row with the current key. Null if a key is missing or a value belongs to another row. */
function reencryptRow(
  secrets: EnvelopeEncryption,
  { table, columns }: EncryptedColumns,
  before: Row,
): ReencryptedRow | null {
  const row = { id: String(before['id']), applicationId: String(before['applicationId']) }
  const again = (name: string) => {
    const [sealed = null, context] = [before[name], encryptionContextByName(`${table}.${name}`, row)]
    return sealed ? secrets.seal(secrets.open(sealed, context), context) : sealed
  }
  try {
    return { before, after: Object.fromEntries(columns.map((name) => [name, again(name)])) }
  } catch {
    return null
  }
}

/** Writes the rows that have not changed since they were read. Returns their number. */
async function write(
  { db, also }: TableWrite,
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
    if (changed > 0) await also(tx)
    return changed
  })
}

/** Number of encrypted values by the id of their key. */
export async function countByKey({ db }: { readonly db: Rows }): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  for (const { table, columns } of encryptedColumns)
    for (const column of columns) {
      const rows = await db.rows<{ keyId: string; sealed: number }>(
        `SELECT ${idIn(column)} AS \`keyId\`, COUNT(*) AS \`sealed\` FROM \`${table}\` WHERE \`${column}\` <> '' GROUP BY ${idIn(column)}`,
      )
      for (const { keyId, sealed } of rows) counts.set(keyId, (counts.get(keyId) ?? 0) + Number(sealed))
    }
  return counts
}

/** Ids of the first few rows that no known key decrypts. */
export async function undecryptableRows({
  db,
  secrets,
}: {
  readonly db: Rows
  readonly secrets: EnvelopeEncryption
}) {
  const undecryptable: string[] = []
  for (const place of encryptedColumns)
    for (let after: string | null = ''; after !== null;) {
      const rows: Row[] = await db.rows<Row>(
        `SELECT \`id\`, \`applicationId\`, ${quoted(place.columns)} FROM \`${place.table}\` WHERE \`id\` > ? ORDER BY \`id\` LIMIT ${ROWS_PER_BATCH}`,
        [after],
      )
      undecryptable.push(...opened(secrets, place, rows).closed)
      after = undecryptable.length >= FEW ? null : (rows.at(-1)?.['id'] ?? null)
    }
  return undecryptable.slice(0, FEW)
}

const FEW = 3
