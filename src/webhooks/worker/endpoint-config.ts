import { LRUCache } from 'lru-cache'
import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import type { Rows } from '../../storage/database.ts'
import { groupByKeys, placeholders } from '../../storage/loaders/order-by-keys.ts'
import { tableOf } from '../../storage/sql/table.ts'
import { WebhookEndpoint } from '../../subgraphs/events/webhooks/webhook-endpoint.ts'
import { WebhookSecret } from '../../subgraphs/events/webhooks/webhook-secret.ts'
import type { SigningSecret } from '../attempts/send-attempt.ts'
import { encryptionContext } from '../../subgraphs/tables/encrypted-columns.ts'

const endpoints = tableOf(WebhookEndpoint)
const secretsTable = tableOf(WebhookSecret)

export interface EndpointConfig {
  readonly endpoint: WebhookEndpoint
  /** Signing secrets, newest first. */
  readonly secrets: readonly SigningSecret[]
}

/** Number of decrypted secrets in the cache. */
const MAX_DECRYPTED = 5000

/** Reads endpoints with their decrypted signing secrets. */
export class EndpointConfigReader {
  private readonly decrypted = new LRUCache<string, string>({ max: MAX_DECRYPTED })

  constructor(
    private readonly db: Rows,
    private readonly encryption: EnvelopeEncryption,
  ) {}

  async read(ids: readonly string[]): Promise<ReadonlyMap<string, EndpointConfig>> {
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
      `SELECT ${secretsTable.selected} FROM \`webhook_secrets\` WHERE \`endpointId\` IN (${placeholders(ids.length)}) ORDER BY \`id\` DESC`,
      ids,
    )
    return rows.map((row) => secretsTable.toRow(row))
  }

  private open(row: WebhookSecret): SigningSecret {
    const { secretSealed, expiresAt } = row
    const cached = this.decrypted.get(secretSealed)
    const secret =
      cached ?? this.encryption.open(secretSealed, encryptionContext('webhook_secrets.secretSealed', row))
    if (cached === undefined) this.decrypted.set(secretSealed, secret)
    return { secret, expiresAt: expiresAt === null ? null : Number(expiresAt) }
  }
}

/** Fingerprint that changes with every change of an endpoint. */
export const configFingerprint = (endpoint: WebhookEndpoint): string => JSON.stringify(endpoint)
