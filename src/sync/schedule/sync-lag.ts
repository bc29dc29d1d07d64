import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'

/** Lag of the automatic syncs of one provider. */
export interface SyncLag {
  readonly provider: string
  /** Number of automatic connections of the provider. */
  readonly connections: number
  /** Longest time since the last completed sync of a connection, or since the creation of a connection without one. */
  readonly lagSeconds: number
  /** Number of connections without a completed sync in the last two sync intervals. */
  readonly overdue: number
}

/** Number of sync intervals after which a connection is overdue. */
const OVERDUE_INTERVALS = 2

/**
 * Returns the lag of automatic syncs by provider. The query looks up the last sync of a connection by id. Only if that
 * sync has not completed, it searches an index backwards for the last completed one.
 */
export async function syncLags(db: Rows, now: Instant, syncMs: number): Promise<SyncLag[]> {
  const rows = await db.rows<{ provider: string; connections: number; oldest: number; overdue: number }>(
    `SELECT \`provider\`, COUNT(*) AS \`connections\`, MIN(\`syncedAt\`) AS \`oldest\`,
        SUM(CASE WHEN \`syncedAt\` < ? THEN 1 ELSE 0 END) AS \`overdue\` FROM (
      SELECT c.\`provider\`, COALESCE(CASE WHEN l.\`status\` = 'completed' THEN l.\`completedAt\` ELSE (
          SELECT s.\`completedAt\` FROM \`syncs\` AS s
          WHERE s.\`applicationId\` = c.\`applicationId\` AND s.\`connectionId\` = c.\`id\` AND s.\`status\` = 'completed'
          ORDER BY s.\`id\` DESC LIMIT 1) END, c.\`createdAt\`) AS \`syncedAt\`
        FROM \`connections\` AS c LEFT JOIN \`syncs\` AS l ON l.\`id\` = c.\`lastSyncId\`
        WHERE c.\`status\` = 'connected' AND c.\`syncMode\` = 'automatic') AS synced
      GROUP BY \`provider\``,
    [now - OVERDUE_INTERVALS * syncMs],
  )
  return rows.map(({ provider, connections, oldest, overdue }) => ({
    provider,
    connections: Number(connections),
    lagSeconds: Math.max(0, now - Number(oldest)) / 1000,
    overdue: Number(overdue),
  }))
}
