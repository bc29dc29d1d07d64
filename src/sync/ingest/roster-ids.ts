import { derivedId } from '../../domain/ids.ts'
import { nodes } from '../../domain/record-models.ts'
import type { Roster } from '../../providers/provider.ts'
import type { Rows } from '../../storage/database.ts'
import type { Connection } from '../../subgraphs/connections/connection.ts'
import { MISSING } from '../../subgraphs/connections/removals/held-removal.ts'

/**
 * Returns the roster of a connection from the database, ordered by the ids of the stored records. Excludes records whose
 * removal is held: a provider may refuse a request that names them.
 */
export const rosterIds = (
  db: Rows,
  { id, applicationId }: Pick<Connection, 'id' | 'applicationId'>,
): Roster => ({
  async sourceIdsAfter(kind, after, limit) {
    const rows = await db.rows<{ sourceId: string }>(
      `SELECT \`sourceId\` FROM \`${nodes[kind].table}\`
        WHERE \`connectionId\` = ? AND \`applicationId\` = ? AND \`id\` > ? AND \`deletedAt\` IS NULL
        AND (\`seenIn\` IS NULL OR \`seenIn\` <> ?)
        ORDER BY \`id\` LIMIT ${limit}`,
      [id, applicationId, after === '' ? '' : derivedId(kind, id, after), MISSING],
    )
    return rows.map(({ sourceId }) => sourceId)
  },
})
