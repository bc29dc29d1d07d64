import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'

export interface SyncLag {
  readonly provider: string
  readonly connections: number
  readonly lagSeconds: number
  readonly overdue: number
}

/** How often a connection may miss its turn before it is overdue. */
const MAX_MISSED_RUNS = 2

/**
 * How far the connections that are synced automatically are behind, by provider. The last sync is found by its id;
 * only where it has not completed is the one before looked for, backwards by index.
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
    [now - MAX_MISSED_RUNS * syncMs],
  )
  return rows.map(({ provider, connections, oldest, overdue }) => ({
    provider,
    connections: Number(connections),
    lagSeconds: Math.max(0, now - Number(oldest)) / 1000,
    overdue: Number(overdue),
  }))
}
