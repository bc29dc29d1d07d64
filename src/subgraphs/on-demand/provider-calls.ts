import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import { PublicError } from '../../domain/errors.ts'
import type { ProviderApi } from '../../providers/provider-api.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { ProviderAdapter, ProviderCredentials, RenewableCredentials } from '../../providers/provider.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'
import { and, equal, tenantWhere, type Tenant } from '../../storage/sql/where.ts'
import { holds } from '../tables/connection-states.ts'
import { encryptionContext } from '../tables/encrypted-columns.ts'

/** What asking a provider in the middle of a request takes. */
export interface ProviderCallDeps {
  readonly db: Rows
  /** Where what must not be a moment old is looked up, if that is not `db`. */
  readonly primary?: Rows
  readonly secrets: Pick<EnvelopeEncryption, 'open'>
  readonly registry: Registry
  /** Keeps the credentials of a connection good while its provider is asked. */
  renewing(connection: OpenedConnection, signal: AbortSignal): RenewableCredentials
  /** Where this service serves a film for an hour. */
  mediaUrl(film: MediaReference): string
}

/** A film of a safety event. */
export interface MediaReference {
  readonly connectionId: string
  /** The event's id in the provider's system. */
  readonly eventSourceId: string
  readonly startedAt: Instant
  readonly facing: 'front' | 'rear'
}

export interface CallableConnection {
  readonly adapter: ProviderAdapter
  readonly api: ProviderApi
}

/** Less than a gateway waits for a mutation. */
const DEADLINE_MS = 15_000
/** When to try again at a provider that takes no more requests and does not say for how long. */
const UNTOLD_RETRY_MS = 1_000

export interface OpenedConnection {
  readonly id: string
  readonly applicationId: string
  readonly provider: string
}

interface Known extends OpenedConnection {
  readonly status: string
  readonly credentialsSealed: string
}

/** Asks providers on behalf of one caller, where the connection can be asked now (decision 8). */
export function createProviderCalls(
  { db, primary = db, secrets, registry, renewing }: Omit<ProviderCallDeps, 'mediaUrl'>,
  tenant: Tenant,
) {
  async function known(connectionId: string): Promise<Known | null> {
    const where = and(tenantWhere(tenant), equal('id', connectionId))
    const [row] = await primary.rows<Known>(
      `SELECT \`id\`, \`applicationId\`, \`status\`, \`provider\`, \`credentialsSealed\` FROM \`connections\` WHERE ${where.sql}`,
      where.parameters,
    )
    return row ?? null
  }
  return {
    /** The provider of a connection with its credentials. */
    async connection(
      connectionId: string,
      signal = AbortSignal.timeout(DEADLINE_MS),
    ): Promise<CallableConnection> {
      const connection = await known(connectionId)
      const adapter = connection && registry.find(connection.provider)
      if (!connection || !adapter) throw new PublicError('not_found', 'There is no such connection.')
      requireConnected(connection.status)
      const credentials = JSON.parse(
        secrets.open(
          connection.credentialsSealed,
          encryptionContext('connections.credentialsSealed', connection),
        ),
      )
      const fresh = renewing(connection, signal)
      const api = adapter.api(credentials as ProviderCredentials, signal, 'live', fresh)
      return { adapter, api }
    },
  }
}

export function requireConnected(status: string): void {
  if (holds(status, 'isAsked')) return
  if (status === 'disconnected')
    throw new PublicError(
      'connection_disconnected',
      'The connection is disconnected: the fleet must sign in again at its `linkUrl`.',
    )
  throw new PublicError('unprocessable_entity', `The connection is ${status}: its provider is not asked.`)
}

/** What a caller is told when a provider that was asked in the request did not answer as hoped. */
export async function toPublicError<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (isOverdue(cause))
      throw new PublicError('gateway_timeout', 'The provider did not answer in time.', { cause })
    if (!(cause instanceof ProviderError)) throw cause
    switch (cause.kind) {
      case 'revoked':
        throw new PublicError('connection_disconnected', 'The provider no longer accepts the credentials.', {
          cause,
        })
      case 'scope_missing':
        throw new PublicError('insufficient_permissions', 'The provider does not permit this.', { cause })
      case 'limited':
        throw new PublicError('too_many_requests', 'The provider takes no more requests for now.', {
          cause,
          retryAfterSeconds: (cause.retryAfterMs ?? UNTOLD_RETRY_MS) / 1000,
        })
      case 'unavailable':
        throw new PublicError('bad_gateway', 'The provider did not answer.', { cause })
      default:
        throw new PublicError('bad_gateway', 'The provider did not answer as it should.', { cause })
    }
  }
}

/** That the provider, or what is left of the deadline, took too long. */
const isOverdue = (cause: unknown): boolean =>
  cause instanceof ProviderError
    ? cause.timedOut
    : cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError')
