import { arrayHolds, type Dialect } from '../../../../storage/sql/dialect.ts'
import { and, oneOf, type Where } from '../../../../storage/sql/where.ts'
import { statesSql } from '../../../tables/connection-states.ts'
import { storedTypes } from '../../event-types.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'

/** Returns the condition on `events` for the entries that an endpoint subscribes to in the current state. */
export function endpointFilter(
  dialect: Dialect,
  { applicationId, types, connectionIds, tags }: WebhookEndpoint,
): Where {
  const hasTag = (tags ?? []).map(() => arrayHolds(dialect, 'tags', '$')).join(' OR ')
  return and(
    { sql: '`events`.`applicationId` = ?', parameters: [applicationId] },
    oneOf('type', storedTypes(types)),
    oneOf('connectionId', connectionIds),
    {
      sql: `(${tags === null ? "`connectionId` = '' OR " : ''}EXISTS (SELECT 1 FROM \`connections\` AS c
        WHERE c.\`id\` = \`events\`.\`connectionId\`${hasTag === '' ? '' : ` AND (${hasTag})`}
        AND (\`events\`.\`type\` LIKE 'connection.%' OR c.\`status\` IN (${statesSql('deliversData')}))))`,
      parameters: tags ?? [],
    },
  )
}
