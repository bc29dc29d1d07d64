import { PublicError } from '../domain/errors.ts'
import type { Id } from '../domain/ids.ts'
import type { Clock, Instant } from '../domain/time.ts'
import type { Caller, Credentials } from './caller.ts'
import { hashKey, SECRET_KEY } from './keys.ts'

/** Credentials of an open socket or stream. The socket or stream closes when the first of them ends. */
export interface AccessGrant extends Pick<Caller, 'applicationId' | 'connectionIds'> {
  readonly keyHash: string | null
  readonly tokenHash: string | null
  readonly session: Caller['session']
}

/** Lookups of keys, sessions and connections that are still active. Each call looks up many at once. */
export interface AccessLookups {
  /** Active keys by hash, with their expiry. */
  activeKeys(hashes: readonly string[]): Promise<ReadonlyMap<string, Instant | null>>
  /** Active sessions by id, with their expiry. */
  activeSessions(ids: readonly Id<'session'>[]): Promise<ReadonlyMap<string, Instant>>
  /** Token hashes by connection id. Connections that are archived or being deleted are not active. */
  activeConnections(ids: readonly Id<'connection'>[]): Promise<ReadonlyMap<string, string>>
}

interface AccessMonitorDeps {
  readonly lookups: AccessLookups
  /** Subscribes to notifications that some access to an application has ended. */
  subscribe(applicationId: string, listener: () => void): () => void
  readonly clock: Clock
  /** Interval of the periodic check. It finds accesses that ended without a notification. */
  readonly checkMs: number
  onError(error: unknown): void
}

type OnEnded = (reason: PublicError) => void

/** Access by one set of credentials, shared by all sockets and streams that use it. */
interface Access {
  readonly grant: AccessGrant
  readonly listeners: Set<OnEnded>
  /** Result of the first check: the reason why the access has ended, or null. */
  readonly initialCheck: Promise<PublicError | null>
  /** Timer that ends the access at its expiry. Absent if the access does not expire. */
  timer?: NodeJS.Timeout | undefined
  leave(): void
}

/** Longest delay that `setTimeout` accepts. */
const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Ends open sockets and streams when their access ends: at once after a notification, otherwise at the next
 * periodic check. Sockets and streams with the same credentials share one lookup.
 */
export class AccessMonitor {
  private readonly accesses = new Map<string, Access>()
  private readonly applications = new Map<string, { readonly members: Set<Access>; unsubscribe(): void }>()
  private readonly timer: NodeJS.Timeout

  constructor(private readonly deps: AccessMonitorDeps) {
    this.timer = setInterval(() => void this.check([...this.accesses.values()]), deps.checkMs).unref()
  }

  /**
   * Watches the access until the returned function is called. Calls `ended` once when the access ends. Throws if
   * it has ended already. Access to an archived connection counts as ended, because the connection gets no more
   * events.
   */
  async open(credentials: Credentials, caller: Caller, ended: OnEnded): Promise<() => void> {
    const grant = grantOf(credentials, caller)
    const key = JSON.stringify(grant)
    const access = this.accesses.get(key) ?? this.addAccess(key, grant)
    const listener: OnEnded = (reason) => ended(reason)
    access.listeners.add(listener)
    const leave = () => {
      access.listeners.delete(listener)
      if (access.listeners.size === 0) access.leave()
    }
    try {
      const refusal = await access.initialCheck
      if (refusal) throw refusal
      return leave
    } catch (error) {
      leave()
      throw error
    }
  }

  close(): Promise<void> {
    clearInterval(this.timer)
    for (const access of this.accesses.values()) access.leave()
    return Promise.resolve()
  }

  private addAccess(key: string, grant: AccessGrant): Access {
    const members = this.membersOf(grant.applicationId)
    const access: Access = {
      grant,
      listeners: new Set(),
      initialCheck: findActive(this.deps.lookups, [grant]).then((active) => this.evaluate(access, active)),
      leave: () => {
        clearTimeout(access.timer)
        if (this.accesses.get(key) === access) this.accesses.delete(key)
        members.delete(access)
        if (members.size === 0) this.evict(grant.applicationId, members)
      },
    }
    this.accesses.set(key, access)
    members.add(access)
    return access
  }

  private membersOf(applicationId: string): Set<Access> {
    const existing = this.applications.get(applicationId)
    if (existing) return existing.members
    const members = new Set<Access>()
    const unsubscribe = this.deps.subscribe(applicationId, () => void this.check([...members]))
    this.applications.set(applicationId, { members, unsubscribe })
    return members
  }

  private evict(applicationId: string, members: ReadonlySet<Access>): void {
    const current = this.applications.get(applicationId)
    if (current?.members !== members) return
    current.unsubscribe()
    this.applications.delete(applicationId)
  }

  /** Returns why an access has ended. If it has not, returns null and sets the expiry timer. */
  private evaluate(access: Access, active: ActiveIds): PublicError | null {
    clearTimeout(access.timer)
    const endsAt = expiryOf(access.grant, active)
    const remainingMs = endsAt === null ? null : endsAt - this.deps.clock.now()
    if (remainingMs !== null && remainingMs <= 0) return expired(access.grant)
    const reason = endReason(access.grant, active)
    if (remainingMs !== null && reason === null && access.listeners.size > 0)
      access.timer = this.expiryTimer(remainingMs, access)
    return reason
  }

  private expiryTimer(remainingMs: number, access: Access): NodeJS.Timeout {
    const onTimer = () =>
      remainingMs > MAX_TIMER_MS ? void this.check([access]) : end(access, expired(access.grant))
    return setTimeout(onTimer, Math.min(remainingMs, MAX_TIMER_MS)).unref()
  }

  private async check(accesses: readonly Access[]): Promise<void> {
    if (accesses.length === 0) return
    try {
      const grants = accesses.map((access) => access.grant)
      const active = await findActive(this.deps.lookups, grants)
      for (const access of accesses) {
        const reason = this.evaluate(access, active)
        if (reason) end(access, reason)
      }
    } catch (error) {
      this.deps.onError(error)
    }
  }
}

function end(access: Access, reason: PublicError): void {
  const listeners = [...access.listeners]
  access.listeners.clear()
  access.leave()
  for (const listener of listeners) listener(reason)
}

function grantOf({ authorization = '', connectionToken }: Credentials, caller: Caller): AccessGrant {
  const { applicationId, connectionIds, session } = caller
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  return {
    applicationId,
    connectionIds,
    session,
    keyHash: SECRET_KEY.test(bearer) ? hashKey(bearer) : null,
    tokenHash: connectionToken === undefined ? null : hashKey(connectionToken),
  }
}

interface ActiveIds {
  readonly keys: ReadonlyMap<string, Instant | null>
  readonly sessions: ReadonlyMap<string, Instant>
  readonly connections: ReadonlyMap<string, string>
}

async function findActive(lookups: AccessLookups, grants: readonly AccessGrant[]): Promise<ActiveIds> {
  const distinct = <T>(values: readonly (T | null | undefined)[]): T[] => [
    ...new Set(values.filter((value) => value != null)),
  ]
  const [keys, sessions, connections] = await Promise.all([
    lookups.activeKeys(distinct(grants.map(({ keyHash }) => keyHash))),
    lookups.activeSessions(distinct(grants.map(({ session }) => session?.id))),
    lookups.activeConnections(distinct(grants.flatMap(({ connectionIds }) => connectionIds ?? []))),
  ])
  return { keys, sessions, connections }
}

function endReason(
  { keyHash, tokenHash, session, connectionIds }: AccessGrant,
  active: ActiveIds,
): PublicError | null {
  if (keyHash !== null && !active.keys.has(keyHash))
    return new PublicError('unauthorized', 'The secret key has been revoked.')
  if (session !== null && !active.sessions.has(session.id))
    return new PublicError('unauthorized', 'The session has been revoked.')
  for (const id of connectionIds ?? []) {
    const hash = active.connections.get(id)
    if (hash === undefined)
      return new PublicError('forbidden', `The connection ${id} is archived or being deleted.`)
    if (tokenHash !== null && hash !== tokenHash)
      return new PublicError('forbidden', 'The connection token is no longer valid.')
  }
  return null
}

/** Expiry of the key or the session. Null if it does not expire or is not active. */
const expiryOf = ({ keyHash, session }: AccessGrant, active: ActiveIds): Instant | null =>
  (keyHash === null ? null : active.keys.get(keyHash)) ?? (session && active.sessions.get(session.id)) ?? null

const expired = ({ session }: AccessGrant) =>
  new PublicError('unauthorized', `The ${session === null ? 'secret key' : 'session'} has expired.`)
