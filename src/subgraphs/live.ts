import type { SecretBox } from '../auth/secret-box.ts'
import { PublicError } from '../errors.ts'
import { ProviderError, type ProviderApi } from '../providers/api.ts'
import type { ProviderAdapter, ProviderCredentials, Renewing } from '../providers/provider.ts'
import type { Registry } from '../providers/registry.ts'
import type { Rows } from '../storage/database.ts'
import type { Instant } from '../time.ts'
import { and, equal, mine, type Tenant } from '../storage/where.ts'
import { holds } from './connection-states.ts'
import { sealedFor } from './sealed-columns.ts'

/** What asking a provider in the middle of a request takes. */
export interface LiveFrom {
  readonly db: Rows
  /** Where what must not be a moment old is looked up, if that is not `db`. */
  readonly primary?: Rows
  readonly secrets: Pick<SecretBox, 'open'>
  readonly registry: Registry
  /** Keeps the credentials of a connection good while its provider is asked. */
  renewing(connection: AskedConnection, signal: AbortSignal): Renewing
  /** Where this service serves a film for an hour. */
  mediaUrl(film: Film): string
}

/** A film of a safety event. */
export interface Film {
  readonly connectionId: string
  /** The event's id in the provider's system. */
  readonly eventSourceId: string
  readonly startedAt: Instant
  readonly facing: 'front' | 'rear'
}

export interface LiveConnection {
  readonly adapter: ProviderAdapter
  readonly api: ProviderApi
}

/** Less than a gateway waits for a mutation. */
const DEADLINE_MS = 15_000
/** When to try again at a provider that takes no more requests and does not say for how long. */
const UNTOLD_RETRY_MS = 1_000

export interface AskedConnection {
  readonly id: string
  readonly applicationId: string
  readonly provider: string
}

interface Known extends AskedConnection {
  readonly status: string
  readonly credentialsSealed: string
}

/** Asks providers on behalf of one caller, where the connection can be asked now (decision 8). */
export function liveReads(
  { db, primary = db, secrets, registry, renewing }: Omit<LiveFrom, 'mediaUrl'>,
  tenant: Tenant,
) {
  async function known(connectionId: string): Promise<Known | null> {
    const where = and(mine(tenant), equal('id', connectionId))
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
    ): Promise<LiveConnection> {
      const connection = await known(connectionId)
      const adapter = connection && registry.find(connection.provider)
      if (!connection || !adapter) throw new PublicError('not_found', 'There is no such connection.')
      refuseUnlessConnected(connection.status)
      const credentials = JSON.parse(
        secrets.open(connection.credentialsSealed, sealedFor('connections.credentialsSealed', connection)),
      )
      const fresh = renewing(connection, signal)
      const api = adapter.api(credentials as ProviderCredentials, signal, 'live', fresh)
      return { adapter, api }
    },
  }
}

export function refuseUnlessConnected(status: string): void {
  if (holds(status, 'isAsked')) return
  if (status === 'disconnected')
    throw new PublicError(
      'connection_disconnected',
      'The connection is disconnected: the fleet must sign in again at its `linkUrl`.',
    )
  throw new PublicError('unprocessable_entity', `The connection is ${status}: its provider is not asked.`)
}

/** What a caller is told when a provider that was asked in the request did not answer as hoped. */
export async function asked<T>(work: Promise<T>): Promise<T> {
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
