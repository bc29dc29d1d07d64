import DataLoader from 'dataloader'
import type { Caller } from '../../auth/caller.ts'
import type { SecretBox } from '../../auth/secret-box.ts'
import { kindOf } from '../../ids.ts'
import { isNodeKind, nodes } from '../../models.ts'
import type { Registry } from '../../providers/registry.ts'
import { arrayHolds } from '../../storage/dialect.ts'
import { rowById, rowsByColumn } from '../../storage/loaders.ts'
import { readPage, type PageRequest } from '../../storage/page.ts'
import { tableOf } from '../../storage/table.ts'
import { and, atLeast, atMost, equal, mine, oneOf, type Where } from '../../storage/where.ts'
import type { ReadsFrom } from '../reads.ts'
import { Agreement } from './agreement.ts'
import { Connection, type ConnectionStatus } from './connection.ts'
import { Sync, type SyncStatus } from './sync.ts'

const connections = tableOf(Connection)
const syncs = tableOf(Sync)

export interface ConnectionFilter extends PageRequest {
  readonly externalId?: string | null
  readonly dotNumber?: string | null
  readonly tag?: string | null
  readonly updatedAfter?: number | null
  readonly updatedBefore?: number | null
  readonly status?: ConnectionStatus | null
  readonly provider?: string | null
}

export interface SyncFilter extends PageRequest {
  readonly status?: SyncStatus | null
}

export interface ConnectionReadsFrom extends ReadsFrom {
  readonly registry: Registry
  readonly secrets: SecretBox
  /** Where fleets sign in again, without a slash at the end. */
  linkUrl(): string
}

/** The only door to the connections' tables for the fields of this subgraph, bound to one caller. */
export function connectionReads(
  { db, cursorKey, registry, secrets, linkUrl }: ConnectionReadsFrom,
  caller: Caller,
) {
  const holding = (column: string, path: string, value: string | null | undefined): Where | null =>
    value == null ? null : { sql: arrayHolds(db.dialect, column, path), parameters: [value] }
  return {
    caller,
    registry,
    connection: rowById(db, connections, caller),
    connections: (filter: ConnectionFilter) =>
      readPage(
        db,
        { table: connections, where: and(mine(caller), ...conditions(filter, holding)), order: ['id'] },
        filter,
        cursorKey,
      ),
    sync: rowById(db, syncs, caller),
    syncs: (filter: SyncFilter) =>
      readPage(
        db,
        {
          table: syncs,
          where: and(mine(caller), equal('status', filter.status)),
          order: ['id'],
          descending: true,
        },
        filter,
        cursorKey,
      ),
    agreements: rowsByColumn(db, tableOf(Agreement), caller, 'connectionId'),
    exists: new DataLoader(async (ids: readonly string[]) => {
      const found = new Set(await existing(ids))
      return ids.map((id) => found.has(id))
    }),
    tokenOf: ({ id, tokenSealed }: Connection) => secrets.open(tokenSealed, id),
    linkUrlOf: ({ id }: Connection) => `${linkUrl()}/connection/${id}`,
  }

  /** Which of the ids are of records that the caller has: a statement for each kind of record among them. */
  async function existing(ids: readonly string[]): Promise<string[]> {
    const byTable = new Map<string, string[]>()
    for (const id of ids) {
      const kind = kindOf(id)
      if (!isNodeKind(kind)) continue
      const { table } = nodes[kind]
      byTable.set(table, [...(byTable.get(table) ?? []), id])
    }
    const found = await Promise.all(
      [...byTable].map(([table, asked]) => {
        const where = and(mine(caller), oneOf('id', asked))
        return db.rows<{ id: string }>(`SELECT \`id\` FROM \`${table}\` WHERE ${where.sql}`, where.parameters)
      }),
    )
    return found.flat().map(({ id }) => id)
  }
}

function conditions(
  filter: ConnectionFilter,
  holding: (column: string, path: string, value: string | null | undefined) => Where | null,
): (Where | null)[] {
  return [
    equal('externalId', filter.externalId),
    equal('status', filter.status),
    equal('provider', filter.provider),
    atLeast('updatedAt', filter.updatedAfter),
    atMost('updatedAt', filter.updatedBefore),
    holding('tags', '$', filter.tag),
    holding('company', '$.dotNumbers', filter.dotNumber),
  ]
}

export type ConnectionReads = ReturnType<typeof connectionReads>

export interface ConnectionsContext {
  readonly connections: ConnectionReads
}
