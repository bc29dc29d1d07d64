import { derivedId } from '../../domain/ids.ts'
import { nodes } from '../../domain/record-models.ts'
import type { Roster } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'

/** What is stored of a connection's roster, in the order of our ids. */
export const rosterIds = (db: Rows, { id }: Pick<Connection, 'id'>): Roster => ({
  async sourceIdsAfter(kind, after, most) {
    const rows = await db.rows<{ sourceId: string }>(
      `SELECT \`sourceId\` FROM \`${nodes[kind].table}\` WHERE \`connectionId\` = ? AND \`id\` > ?
        AND \`deletedAt\` IS NULL ORDER BY \`id\` LIMIT ${most}`,
      [id, after === '' ? '' : derivedId(kind, id, after)],
    )
    return rows.map(({ sourceId }) => sourceId)
  },
})
