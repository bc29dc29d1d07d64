import { type Id, idPrefixes, idTimeOf } from '../../domain/ids.ts'
import { placeholders } from '../../storage/loaders/order-by-keys.ts'
import type { Database, Transaction } from '../../storage/database.ts'
import { deleteByKey, forceIndex, PRIMARY_KEY } from '../../storage/sql/dialect.ts'
import { latestRawOwnerId } from '../../subgraphs/tables/raw-record.ts'
import { type ConnectionTable, connectionTables } from './connection-tables.ts'
import { type DeletedRows, DELETION_CHECKPOINT, saveDeletedRows, withDeleted } from './deletion-progress.ts'
import { removeAttempts } from './purge-orphaned-deliveries.ts'

/** Work that one run of the job may do. */
export interface DeletionBudget {
  batches: number
  readonly signal: AbortSignal | undefined
}

interface DeletedConnection {
  readonly id: Id<'connection'>
  readonly applicationId: Id<'application'>
}

type Key = Readonly<Record<string, string | number>>

const ROWS_PER_BATCH = 250
const POINTS_PER_BATCH = 500

/** Clears events but keeps their ids and positions, so that a reader can continue after any of them. */
const BLANKED = "`connectionId` = '', `type` = '', `subjectId` = NULL, `detail` = '{}'"

/** Tables of the records to which time series and raw data belong. */
const OWNER_TABLES = new Set(['vehicles', 'drivers', 'trailers', 'devices'])

/**
 * Deletes the rows of a connection in batches. Every statement reads a bounded number of rows by an index, however many
 * rows the connection and its neighbours have. A table without an index by connection is clustered by owner, such as a
 * vehicle, so the deletion walks its owners. The ids of all records of a connection share the time part of the
 * connection id. Their range therefore also has the owners whose own row is gone. Connections of the same millisecond
 * share the range; the walk steps over their owners.
 */
export class RowDeletion {
  /** Numbers of deleted rows, those of earlier runs included. */
  deleted: DeletedRows

  constructor(
    private readonly db: Database,
    private readonly connection: DeletedConnection,
    private readonly budget: DeletionBudget,
    before: DeletedRows,
  ) {
    this.deleted = before
  }

  /** Deletes until the budget is used up. Returns whether no row is left. Another run continues with what is left. */
  async run(): Promise<boolean> {
    const tables = await connectionTables(this.db)
    const ownedTables = tables.filter(({ index }) => index === null)
    for (const table of ownedTables)
      for (const prefix of ownerPrefixes(table)) if (!(await this.deleteOwned(table, prefix))) return false
    for (const table of tables)
      if (table.index && !(await this.deleteIndexed(table, table.index, ownedTables))) return false
    return true
  }

  /** Deletes the rows of the owners whose ids begin with a prefix. */
  private async deleteOwned(table: ConnectionTable, prefix: string): Promise<boolean> {
    const from = `${prefix}_${idTimeOf(this.connection.id)}`
    for (let after = from; ;) {
      const owners = await this.ownersAfter(table, after, `${from}~`)
      const last = owners.at(-1)
      if (last === undefined) return true
      const own = owners.filter(({ connectionId }) => connectionId === this.connection.id)
      if (
        own.length > 0 &&
        !(await this.deleteOwners(
          table,
          own.map(({ owner }) => owner),
        ))
      )
        return false
      after = last.owner
    }
  }

  /**
   * Returns the next owners of a range. An owner with one row is read with its neighbours. An owner of many rows is read
   * alone, because only its first row can be read by the index.
   */
  private ownersAfter({ name, key }: ConnectionTable, after: string, until: string): Promise<Owner[]> {
    this.budget.signal?.throwIfAborted()
    const order = key.map((column) => `\`${column}\``).join(', ')
    return this.db.rows<Owner>(
      `SELECT \`${key[0]}\` AS \`owner\`, \`connectionId\` FROM \`${name}\`${this.byKey}
        WHERE \`${key[0]}\` > ? AND \`${key[0]}\` < ? ORDER BY ${order} LIMIT ${key.length === 1 ? ROWS_PER_BATCH : 1}`,
      [after, until],
    )
  }

  private async deleteOwners(table: ConnectionTable, owners: readonly string[]): Promise<boolean> {
    if (table.key.length === 1) return this.deleteSingles(table, owners)
    for (const owner of owners) if (!(await this.deletePoints(table, owner))) return false
    return true
  }

  /** Deletes the rows of owners that have one row each. */
  private async deleteSingles({ name, key }: ConnectionTable, owners: readonly string[]): Promise<boolean> {
    return this.spend(name, (tx) =>
      tx.run(
        `${deleteByKey(tx.dialect, name)} WHERE \`connectionId\` = ? AND \`${key[0]}\` IN (${placeholders(owners.length)})`,
        [this.connection.id, ...owners],
      ),
    )
  }

  /**
   * Deletes the rows of one owner. The read has no ORDER BY: with one, MariaDB may read and sort all rows of the owner.
   */
  private async deletePoints({ name, key }: ConnectionTable, owner: string): Promise<boolean> {
    const [ownerColumn, time] = key
    const own = `\`${ownerColumn}\` = ? AND \`connectionId\` = ?`
    const parameters = [owner, this.connection.id]
    for (;;) {
      this.budget.signal?.throwIfAborted()
      const rows = await this.db.rows<{ at: number }>(
        `SELECT \`${time}\` AS \`at\` FROM \`${name}\`${this.byKey} WHERE ${own} LIMIT ${POINTS_PER_BATCH}`,
        parameters,
      )
      if (rows.length === 0) return true
      const times = [...new Set(rows.map(({ at }) => Number(at)))]
      const hasRun = await this.spend(name, (tx) =>
        tx.run(
          `${deleteByKey(tx.dialect, name)} WHERE ${own} AND \`${time}\` IN (${placeholders(times.length)})`,
          [...parameters, ...times],
        ),
      )
      if (!hasRun) return false
      if (rows.length < POINTS_PER_BATCH) return true
    }
  }

  /** Deletes the rows of a table that has an index by connection. */
  private async deleteIndexed(
    table: ConnectionTable,
    index: NonNullable<ConnectionTable['index']>,
    ownedTables: readonly ConnectionTable[],
  ): Promise<boolean> {
    const { id, applicationId } = this.connection
    const tenant = index.hasApplication ? '`applicationId` = ? AND `connectionId` = ?' : '`connectionId` = ?'
    const isCounted = table.name === 'checkpoints'
    for (;;) {
      this.budget.signal?.throwIfAborted()
      const rows = await this.db.rows<Key>(
        `SELECT ${table.key.map((column) => `\`${column}\``).join(', ')} FROM \`${table.name}\`${forceIndex(this.db.dialect, index.name)}
          WHERE ${tenant}${isCounted ? ' AND `model` <> ?' : ''} LIMIT ${ROWS_PER_BATCH}`,
        [...(index.hasApplication ? [applicationId] : []), id, ...(isCounted ? [DELETION_CHECKPOINT] : [])],
      )
      if (rows.length === 0) return true
      if (OWNER_TABLES.has(table.name) && !(await this.deleteStrays(rows, ownedTables))) return false
      if (!(await this.spend(table.name, (tx) => this.removeRows(tx, table, rows)))) return false
      if (rows.length < ROWS_PER_BATCH) return true
    }
  }

  /** Deletes the time series and raw data of records whose ids are outside the range of the connection. */
  private async deleteStrays(
    rows: readonly Key[],
    ownedTables: readonly ConnectionTable[],
  ): Promise<boolean> {
    const time = idTimeOf(this.connection.id)
    const strays = rows
      .map((row) => String(row['id']))
      .filter((id) => !id.slice(id.lastIndexOf('_') + 1).startsWith(time))
      .flatMap((id) => [id, latestRawOwnerId(id)])
    if (strays.length > 0)
      for (const table of ownedTables) if (!(await this.deleteOwners(table, strays))) return false
    return true
  }

  private async removeRows(
    tx: Transaction,
    { name, key }: ConnectionTable,
    rows: readonly Key[],
  ): Promise<number> {
    if (name === 'webhook_deliveries')
      await removeAttempts(
        tx,
        rows.map((row) => row['id']),
      )
    const keysSql =
      key.length === 1
        ? `\`${key[0]}\` IN (${placeholders(rows.length)})`
        : rows.map(() => `(${key.map((column) => `\`${column}\` = ?`).join(' AND ')})`).join(' OR ')
    const remove =
      name === 'events' ? `UPDATE \`${name}\`${this.byKey} SET ${BLANKED}` : deleteByKey(tx.dialect, name)
    return tx.run(`${remove} WHERE \`connectionId\` = ? AND (${keysSql})`, [
      this.connection.id,
      ...rows.flatMap((row) => key.map((column) => row[column])),
    ])
  }

  /** Runs one deletion and counts its rows. Returns false if the budget is used up. */
  private async spend(table: string, remove: (tx: Transaction) => Promise<number>): Promise<boolean> {
    this.budget.signal?.throwIfAborted()
    if (this.budget.batches === 0) return false
    this.budget.batches--
    this.deleted = await this.db.transaction(async (tx) => {
      const deleted = withDeleted(this.deleted, table, await remove(tx))
      if (deleted !== this.deleted) await saveDeletedRows(tx, this.connection.id, deleted)
      return deleted
    })
    return true
  }

  private get byKey(): string {
    return forceIndex(this.db.dialect, PRIMARY_KEY)
  }
}

interface Owner {
  readonly owner: string
  readonly connectionId: string
}

/** Returns the prefixes of the ids of a table's owners. */
const ownerPrefixes = ({ key }: ConnectionTable): readonly string[] =>
  key[0] === 'vehicleId'
    ? [idPrefixes.vehicle]
    : Object.values(idPrefixes).flatMap((prefix) => [prefix, latestRawOwnerId(prefix)])
