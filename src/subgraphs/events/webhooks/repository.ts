import type { Caller } from '../../../auth/caller.ts'
import type { EnvelopeEncryption } from '../../../auth/envelope-encryption.ts'
import { orderByKeys, placeholders } from '../../../storage/loaders/order-by-keys.ts'
import { createNamedLoader } from '../../../storage/loaders/batch-loader.ts'
import { pagesByParent, rowByColumn, rowById, rowsByColumn } from '../../../storage/loaders/loaders.ts'
import { latestPosition, EventRow } from '../../../storage/outbox.ts'
import { readPage, type PageRequest, pageRequestOf } from '../../../storage/pagination/pagination.ts'
import { tableOf } from '../../../storage/sql/table.ts'
import { and, equal, tenantWhere, type Tenant } from '../../../storage/sql/where.ts'
import type { RepositoryDeps } from '../../schema/repository-deps.ts'
import { type PayloadDeps, buildEventPayloads, payloadDepsFor } from '../event-payloads.ts'
import { requireApplication } from './require-application.ts'
import { type DeliveryStatus, WebhookDelivery } from './webhook-delivery.ts'
import { WebhookAttempt } from './webhook-attempt.ts'
import { WebhookEndpoint } from './webhook-endpoint.ts'
import { maskHeader, openHeaders, type WebhookHeader } from './webhook-header.ts'
import { WebhookProgress } from './webhook-progress.ts'
import { WebhookSecret } from './webhook-secret.ts'

const endpoints = tableOf(WebhookEndpoint)
const deliveries = tableOf(WebhookDelivery)

export type WebhookRepositoryDeps = RepositoryDeps &
  PayloadDeps & { readonly secrets: Pick<EnvelopeEncryption, 'open'> }

export interface DeliveryPageRequest extends PageRequest {
  readonly status?: DeliveryStatus | null
}

/**
 * Repository of webhook endpoints and deliveries of the caller's application. GraphQL queries and the command line read
 * through it. Mutations read the rows themselves.
 */
export function webhookRepository(deps: WebhookRepositoryDeps, caller: Caller) {
  const { db, cursorKey } = deps
  const tenant: Tenant = { applicationId: caller.applicationId, connectionIds: null }
  const payloads = payloadDepsFor(deps, caller)
  const endpoint = rowById(db, endpoints, tenant)
  const delivery = rowById(db, deliveries, tenant)
  const event = rowById(db, tableOf(EventRow), tenant)
  const pages = pagesByParent<WebhookDelivery>(db, cursorKey, 'endpointId')
  let newest: Promise<number> | undefined
  return {
    async endpoint(id: string): Promise<WebhookEndpoint | null> {
      requireApplication(caller)
      return endpoint.load(id)
    },
    async endpoints(request: PageRequest) {
      const where = tenantWhere(requireApplication(caller))
      return readPage(db, { table: endpoints, where, order: ['id'] }, request, cursorKey)
    },
    async delivery(id: string): Promise<WebhookDelivery | null> {
      requireApplication(caller)
      return delivery.load(id)
    },
    deliveriesOf: (endpointId: string, { status, ...request }: DeliveryPageRequest) =>
      pages(
        endpointId,
        {
          table: deliveries,
          where: and(tenantWhere(tenant), equal('status', status)),
          order: ['id'],
          descending: true,
        },
        pageRequestOf(request),
      ),
    attempts: rowsByColumn(db, tableOf(WebhookAttempt), tenant, 'deliveryId'),
    progress: rowByColumn(db, tableOf(WebhookProgress), tenant, 'endpointId'),
    secrets: rowsByColumn(db, tableOf(WebhookSecret), tenant, 'endpointId'),
    /** Custom headers of an endpoint, with masked values. */
    maskedHeaders: (row: WebhookEndpoint): readonly WebhookHeader[] =>
      openHeaders(deps.secrets, row).map(maskHeader),
    /** Loads an event. Null if there is none, or if it is empty because the data of its connection was deleted. */
    async event(id: string): Promise<EventRow | null> {
      const found = await event.load(id)
      return found && found.type !== '' ? found : null
    },
    /** Request body of a delivery, the same for every attempt. A session gets it without token and link. Null if the delivery or its event no longer exists. */
    body: createNamedLoader('webhook bodies', async (ids: readonly string[]) => {
      const found = present(await delivery.loadMany(ids))
      const bodies = await bodiesOf(payloads, found, entriesOf(await event.loadMany(idsInLog(found))))
      return ids.map((id) => bodies.get(id) ?? null)
    }),
    /** Number of pending deliveries of an endpoint. */
    pendingCount: createNamedLoader('pending deliveries', (ids: readonly string[]) => pendingOf(ids)),
    /** Newest position of the application's log. */
    latestPosition: (): Promise<number> => (newest ??= latestPosition(db, tenant.applicationId)),
  }

  async function pendingOf(ids: readonly string[]): Promise<number[]> {
    const counts = await db.rows<{ endpointId: string; n: number }>(
      `SELECT \`endpointId\`, COUNT(*) AS n FROM \`${deliveries.name}\`
        WHERE \`endpointId\` IN (${placeholders(ids.length)}) AND \`status\` = 'pending' AND \`applicationId\` = ?
        GROUP BY \`endpointId\``,
      [...ids, tenant.applicationId],
    )
    return orderByKeys(ids, counts, (row) => row.endpointId).map((row) => Number(row?.n ?? 0))
  }
}

/**
 * Returns request bodies by delivery id. The delivery of a test event stores its body. The other bodies are built from
 * the event log. Their `type` is that of the delivery, because an endpoint may subscribe to an alias of an event type.
 */
async function bodiesOf(
  deps: PayloadDeps,
  found: readonly WebhookDelivery[],
  entries: readonly EventRow[],
): Promise<Map<string, string>> {
  const payloads = await buildEventPayloads(deps, entries, null)
  const byEvent = new Map(payloads.map((payload) => [payload.id, payload]))
  return new Map(
    found.flatMap(({ id, eventId, type, body }): [string, string][] => {
      const payload = byEvent.get(eventId)
      const text = body ?? (payload && JSON.stringify({ ...payload, type }))
      return text === undefined ? [] : [[id, text]]
    }),
  )
}

const entriesOf = (rows: readonly (EventRow | Error | null)[]): EventRow[] =>
  present(rows).filter(({ type }) => type !== '')

const present = <Row>(rows: readonly (Row | Error | null)[]): Row[] =>
  rows.filter((row): row is Row => row !== null && !(row instanceof Error))

const idsInLog = (found: readonly WebhookDelivery[]): string[] =>
  found.filter(({ body }) => body === null).map(({ eventId }) => eventId)

export type WebhookRepository = ReturnType<typeof webhookRepository>

export interface WebhooksContext {
  readonly webhooks: WebhookRepository
}
