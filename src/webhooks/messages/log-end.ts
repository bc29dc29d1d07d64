import type { Rows } from '../../storage/database.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'

const endpoints = tableOf(WebhookEndpoint)

/** End of the log of an endpoint's application, and the endpoint, both as of one moment. */
export interface LogEnd {
  readonly position: number
  readonly endpoint: WebhookEndpoint
}

/**
 * Reads the end of an endpoint's log and the settings of the endpoint in one statement. Null if the endpoint
 * was deleted.
 *
 * The promise: for every event that is created after a change of settings was acknowledged, the new settings
 * decide whether an endpoint gets it. For an event created before, either may. Settings are those of an
 * endpoint, and status and tags of a connection. Two rules keep it, without clocks and without notifications:
 *
 * 1. A sender reads the log only up to an end that it read together with its settings. A snapshot that shows
 *    an event also shows every change that was committed before the event. A sender with other settings stops.
 * 2. The status and tags of a connection are read after its events or due deliveries (`ConnectionCache`).
 */
export async function readLogEnd(db: Rows, endpointId: string): Promise<LogEnd | null> {
  const [row] = await db.rows<Record<string, unknown>>(
    `SELECT ${endpoints.selected}, (SELECT h.\`position\` FROM \`log_heads\` AS h
      WHERE h.\`applicationId\` = \`webhook_endpoints\`.\`applicationId\`) AS logEnd
      FROM \`webhook_endpoints\` WHERE \`id\` = ?`,
    [endpointId],
  )
  if (!row) return null
  const { logEnd, ...endpoint } = row
  return { position: Number(logEnd ?? 0), endpoint: endpoints.toRow(endpoint) }
}
