import type { Database } from '../../../src/storage/database.ts'
import type { Ending } from './expected-endings.ts'

/** Returns the statuses of a sync and of its connection, and the messages of the ongoing issues. */
export async function endingOf(db: Database, connectionId: string, syncId: string): Promise<Ending> {
  const [[sync], [connection], issues] = await Promise.all([
    db.rows<{ status: 'completed' | 'failed'; failureReason: string | null }>(
      'SELECT `status`, `failureReason` FROM `syncs` WHERE `id` = ?',
      [syncId],
    ),
    db.rows<{ status: 'connected' | 'disconnected' }>('SELECT `status` FROM `connections` WHERE `id` = ?', [
      connectionId,
    ]),
    db.rows<{ message: string }>(
      "SELECT `message` FROM `issues` WHERE `connectionId` = ? AND `status` = 'ongoing' ORDER BY `message`",
      [connectionId],
    ),
  ])
  if (!sync || !connection) throw new Error('the sync or its connection is missing')
  return {
    sync: sync.status,
    failureReason: sync.failureReason,
    connection: connection.status,
    issues: issues.map(({ message }) => message),
  }
}
