import type { EnvelopeEncryption } from '../../auth/envelope-encryption.ts'
import { PublicError } from '../../domain/errors.ts'
import type { ProviderApi } from '../../providers/provider-api.ts'
import { ProviderError } from '../../providers/provider-error.ts'
import type { ProviderAdapter, ProviderCredentials, RenewableCredentials } from '../../providers/provider.ts'
import type { Registry } from '../../providers/registry.ts'
import type { Rows } from '../../storage/database.ts'
import type { Instant } from '../../domain/time.ts'
import { and, equal, tenantWhere, type Tenant } from '../../storage/sql/where.ts'
import { hasStatusFlag } from '../tables/connection-states.ts'
import { encryptionContext } from '../tables/encrypted-columns.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

/** Dependencies of provider calls within a request. */
export interface ProviderCallDeps {
  readonly db: Rows
  /** Primary database for reads that must not be stale. Default: `db`. */
  readonly primary?: Rows
  readonly secrets: Pick<EnvelopeEncryption, 'open'>
  readonly registry: Registry
  /** Renews the credentials of a connection during a provider call. */
  renewing(connection: CredentialsOwner, signal: AbortSignal): RenewableCredentials
  /** Returns the URL that serves a video for an hour. */
  mediaUrl(reference: MediaReference): string
}

/** Reference to a video of a safety event. */
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

/**
 * Timeout of a provider call. The gateway waits longer for a mutation: a caller that gets the timeout of the gateway
 * would send the mutation again.
 */
const TIMEOUT_MS = 15_000
/** Delay that the error names if a provider limits requests without a `Retry-After`. */
const DEFAULT_RETRY_MS = 1_000

/** Connection that owns credentials, and the code of its provider. */
export interface CredentialsOwner {
  readonly id: string
  readonly applicationId: string
  readonly provider: string
}

interface ConnectionRow extends CredentialsOwner {
  readonly status: string
  readonly credentialsSealed: string
}

/** Creates provider calls for one caller. They fail unless the connection is connected. */
export function createProviderCalls(
  { db, primary = db, secrets, registry, renewing }: Omit<ProviderCallDeps, 'mediaUrl'>,
  tenant: Tenant,
) {
  async function findConnection(connectionId: string): Promise<ConnectionRow | null> {
    const where = and(tenantWhere(tenant), equal('id', connectionId))
    const [row] = await primary.rows<ConnectionRow>(
      `SELECT \`id\`, \`applicationId\`, \`status\`, \`provider\`, \`credentialsSealed\` FROM \`connections\` WHERE ${where.sql}`,
      where.parameters,
    )
    return row ?? null
  }
  return {
    /** Returns the provider adapter of a connection and an API client with its credentials. */
    async connection(connectionId: string, signal = deadlineSignal(TIMEOUT_MS)): Promise<CallableConnection> {
      const connection = await findConnection(connectionId)
      const adapter = connection && registry.find(connection.provider)
      if (!connection || !adapter) throw new PublicError('not_found', 'There is no such connection.')
      requireConnected(connection.status)
      const credentials = JSON.parse(
        secrets.open(
          connection.credentialsSealed,
          encryptionContext('connections.credentialsSealed', connection),
        ),
      )
      const renewable = renewing(connection, signal)
      const api = adapter.api(credentials as ProviderCredentials, signal, 'live', renewable)
      return { adapter, api }
    },
  }
}

/** Throws unless the status of a connection permits provider calls. */
export function requireConnected(status: string): void {
  if (hasStatusFlag(status, 'allowsProviderCalls')) return
  if (status === 'disconnected')
    throw new PublicError(
      'connection_disconnected',
      'The connection is disconnected: the fleet must sign in again at its `linkUrl`.',
    )
  throw new PublicError('unprocessable_entity', `The connection is ${status}: its provider cannot be called.`)
}

/** Converts the error of a provider call within a request to the error of the API. */
export async function withPublicErrors<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    if (hasTimedOut(cause))
      throw new PublicError('gateway_timeout', 'The provider did not respond in time.', { cause })
    if (!(cause instanceof ProviderError)) throw cause
    switch (cause.kind) {
      case 'invalid_credentials':
        throw new PublicError('connection_disconnected', 'The provider no longer accepts the credentials.', {
          cause,
        })
      case 'scope_missing':
        throw new PublicError('insufficient_permissions', 'The provider does not permit this request.', {
          cause,
        })
      case 'limited':
        throw new PublicError('too_many_requests', 'The provider limits requests. Retry later.', {
          cause,
          retryAfterSeconds: (cause.retryAfterMs ?? DEFAULT_RETRY_MS) / 1000,
        })
      case 'unavailable':
        throw new PublicError('bad_gateway', 'The provider is unavailable.', { cause })
      default:
        throw new PublicError(
          'bad_gateway',
          'The provider refused the request, or sent an invalid response.',
          { cause },
        )
    }
  }
}

/** Whether a provider call exceeded its own timeout or the deadline of the request. */
const hasTimedOut = (cause: unknown): boolean =>
  cause instanceof ProviderError
    ? cause.timedOut
    : cause instanceof Error && (cause.name === 'TimeoutError' || cause.name === 'AbortError')
