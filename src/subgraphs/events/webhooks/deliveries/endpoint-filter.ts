import { arrayHolds, type Dialect } from '../../../../storage/sql/dialect.ts'
import { and, oneOf, type Where } from '../../../../storage/sql/where.ts'
import { statesSql } from '../../../tables/connection-states.ts'
import { storedTypes } from '../../event-types.ts'
import type { WebhookEndpoint } from '../webhook-endpoint.ts'

/** The entries of the log that an endpoint wants as things are now: a condition on `events`. */
export function endpointFilter(
  dialect: Dialect,
  { applicationId, types, connectionIds, tags }: WebhookEndpoint,
): Where {
  const held = (tags ?? []).map(() => arrayHolds(dialect, 'tags', '$')).join(' OR ')
  return and(
    { sql: '`events`.`applicationId` = ?', parameters: [applicationId] },
    oneOf('type', storedTypes(types)),
    oneOf('connectionId', connectionIds),
    {
      sql: `(${tags === null ? "`connectionId` = '' OR " : ''}EXISTS (SELECT 1 FROM \`connections\` AS c
        WHERE c.\`id\` = \`events\`.\`connectionId\`${held === '' ? '' : ` AND (${held})`}
        AND (\`events\`.\`type\` LIKE 'connection.%' OR c.\`status\` IN (${statesSql('tellsData')}))))`,
      parameters: tags ?? [],
    },
  )
}
