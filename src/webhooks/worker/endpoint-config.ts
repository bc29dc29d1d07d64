import { LRUCache } from 'lru-cache'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Rows } from '../../storage/database.ts'
import { groupByKeys, placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookSecret } from '../../subgraphs/events/webhooks/webhook-secret.ts'
import type { OpenSecret } from '../attempts/send-attempt.ts'
import { encryptionContext } from '../../subgraphs/tables/encrypted-columns.ts'

const endpoints = tableOf(WebhookEndpoint)
const stored = tableOf(WebhookSecret)

export interface EndpointConfig {
  readonly endpoint: WebhookEndpoint
  /** The newest first. */
  readonly secrets: readonly OpenSecret[]
}

/** Secrets that are used again and again are opened once. */
const MAX_OPEN = 5000

/** Reads endpoints and what their messages are signed with. */
export class EndpointConfigReader {
  private readonly opened = new LRUCache<string, string>({ max: MAX_OPEN })

  constructor(
    private readonly db: Rows,
    private readonly encryption: EnvelopeEncryption,
  ) {}

  async of(ids: readonly string[]): Promise<ReadonlyMap<string, EndpointConfig>> {
    if (ids.length === 0) return new Map()
    const [found, secrets] = await Promise.all([this.endpointsOf(ids), this.secretsOf(ids)])
    const grouped = groupByKeys(
      found.map(({ id }) => id),
      secrets,
      ({ endpointId }) => endpointId,
    )
    return new Map(
      found.map((endpoint, index) => [
        endpoint.id,
        { endpoint, secrets: (grouped[index] ?? []).map((secret) => this.open(secret)) },
      ]),
    )
  }

  private async endpointsOf(ids: readonly string[]): Promise<WebhookEndpoint[]> {
    const rows = await this.db.rows<Record<string, unknown>>(
      `SELECT ${endpoints.selected} FROM \`webhook_endpoints\` WHERE \`id\` IN (${placeholders(ids.length)})`,
      ids,
    )
    return rows.map((row) => endpoints.toRow(row))
  }

  private async secretsOf(ids: readonly string[]): Promise<WebhookSecret[]> {
    const rows = await this.db.rows<Record<string, unknown>>(
      `SELECT ${stored.selected} FROM \`webhook_secrets\` WHERE \`endpointId\` IN (${placeholders(ids.length)}) ORDER BY \`id\` DESC`,
      ids,
    )
    return rows.map((row) => stored.toRow(row))
  }

  private open(row: WebhookSecret): OpenSecret {
    const { secretSealed, expiresAt } = row
    const known = this.opened.get(secretSealed)
    const secret =
      known ?? this.encryption.open(secretSealed, encryptionContext('webhook_secrets.secretSealed', row))
    if (known === undefined) this.opened.set(secretSealed, secret)
    return { secret, expiresAt: expiresAt === null ? null : Number(expiresAt) }
  }
}

/** What tells whether an endpoint was changed. */
export const configFingerprint = (endpoint: WebhookEndpoint): string => JSON.stringify(endpoint)
