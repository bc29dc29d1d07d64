import { PublicError } from '../domain/errors.ts'
import type { Id } from '../domain/ids.ts'
import type { Clock, Instant } from '../domain/time.ts'
import type { Caller, Credentials } from './caller.ts'
import { hashOf, SECRET_KEY } from './keys.ts'

/** What somebody has open stands on these: it ends with the first of them. */
export interface AccessGrant extends Pick<Caller, 'applicationId' | 'connectionIds'> {
  readonly keyHash: string | null
  readonly tokenHash: string | null
  readonly session: Caller['session']
}

/** Which of what is asked for is still good; all that is asked for at once is looked up at once. */
export interface AccessLookups {
  /** With when they end by themselves. */
  activeKeys(hashes: readonly string[]): Promise<ReadonlyMap<string, Instant | null>>
  activeSessions(ids: readonly Id<'session'>[]): Promise<ReadonlyMap<string, Instant>>
  /** With the hashes of their tokens, those that are neither archived nor going. */
  activeConnections(ids: readonly Id<'connection'>[]): Promise<ReadonlyMap<string, string>>
}

interface AccessMonitorDeps {
  readonly lookups: AccessLookups
  /** Calls an ear whenever some access to an application has ended. */
  subscribe(applicationId: string, listener: () => void): () => void
  readonly clock: Clock
  /** How often it looks without having heard of anything: a ring may be lost. */
  readonly checkMs: number
  onTrouble(error: unknown): void
}

type Ended = (why: PublicError) => void

/** One way in, however many things are open by it. */
interface Access {
  readonly grant: AccessGrant
  readonly listeners: Set<Ended>
  /** Settles with the first look, which says whether it is any good. */
  readonly admitted: Promise<PublicError | null>
  /** Rings when the grounds end by themselves, as far as that is known. */
  timer?: NodeJS.Timeout | undefined
  leave(): void
}

const MAX_TIMER_MS = 2 ** 31 - 1

/**
 * Ends what is open when what it was opened with ends: at once where that is rung, else at the next look. However many
 * sockets and streams come by one key, it is looked up once.
 */
export class AccessMonitor {
  private readonly accesses = new Map<string, Access>()
  private readonly applications = new Map<string, { readonly members: Set<Access>; unsubscribe(): void }>()
  private readonly timer: NodeJS.Timeout

  constructor(private readonly deps: AccessMonitorDeps) {
    this.timer = setInterval(() => void this.check([...this.accesses.values()]), deps.checkMs).unref()
  }

  /**
   * Calls back, once, when the access ends, unless the returned function is called before. Refused where it has ended
   * already: also to a connection that is archived, of which nothing comes any more.
   */
  async open(credentials: Credentials, caller: Caller, ended: Ended): Promise<() => void> {
    const grant = grantOf(credentials, caller)
    const key = JSON.stringify(grant)
    const access = this.accesses.get(key) ?? this.begin(key, grant)
    const listener: Ended = (why) => ended(why)
    access.listeners.add(listener)
    const leave = () => {
      access.listeners.delete(listener)
      if (access.listeners.size === 0) access.leave()
    }
    try {
      const refusal = await access.admitted
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

  private begin(key: string, grant: AccessGrant): Access {
    const members = this.membersOf(grant.applicationId)
    const access: Access = {
      grant,
      listeners: new Set(),
      admitted: findActive(this.deps.lookups, [grant]).then((active) => this.judged(access, active)),
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
    const known = this.applications.get(applicationId)
    if (known) return known.members
    const members = new Set<Access>()
    const unsubscribe = this.deps.subscribe(applicationId, () => void this.check([...members]))
    this.applications.set(applicationId, { members, unsubscribe })
    return members
  }

  private evict(applicationId: string, members: ReadonlySet<Access>): void {
    const known = this.applications.get(applicationId)
    if (known?.members !== members) return
    known.unsubscribe()
    this.applications.delete(applicationId)
  }

  /** Why an access has ended; of one that has not, notes when it will. */
  private judged(access: Access, active: ActiveIds): PublicError | null {
    clearTimeout(access.timer)
    const endsAt = endOf(access.grant, active)
    const left = endsAt === null ? null : endsAt - this.deps.clock.now()
    if (left !== null && left <= 0) return expired(access.grant)
    const why = whyEnded(access.grant, active)
    if (left !== null && why === null && access.listeners.size > 0) access.timer = this.after(left, access)
    return why
  }

  private after(left: number, access: Access): NodeJS.Timeout {
    const then = () => (left > MAX_TIMER_MS ? void this.check([access]) : end(access, expired(access.grant)))
    return setTimeout(then, Math.min(left, MAX_TIMER_MS)).unref()
  }

  private async check(accesses: readonly Access[]): Promise<void> {
    if (accesses.length === 0) return
    try {
      const grant = accesses.map((access) => access.grant)
      const active = await findActive(this.deps.lookups, grant)
      for (const access of accesses) {
        const why = this.judged(access, active)
        if (why) end(access, why)
      }
    } catch (error) {
      this.deps.onTrouble(error)
    }
  }
}

function end(access: Access, why: PublicError): void {
  const listeners = [...access.listeners]
  access.listeners.clear()
  access.leave()
  for (const listener of listeners) listener(why)
}

function grantOf({ authorization = '', connectionToken }: Credentials, caller: Caller): AccessGrant {
  const { applicationId, connectionIds, session } = caller
  const bearer = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  return {
    applicationId,
    connectionIds,
    session,
    keyHash: SECRET_KEY.test(bearer) ? hashOf(bearer) : null,
    tokenHash: connectionToken === undefined ? null : hashOf(connectionToken),
  }
}

interface ActiveIds {
  readonly keys: ReadonlyMap<string, Instant | null>
  readonly sessions: ReadonlyMap<string, Instant>
  readonly connections: ReadonlyMap<string, string>
}

async function findActive(lookups: AccessLookups, all: readonly AccessGrant[]): Promise<ActiveIds> {
  const distinct = <T>(values: readonly (T | null | undefined)[]): T[] => [
    ...new Set(values.filter((value) => value != null)),
  ]
  const [keys, sessions, connections] = await Promise.all([
    lookups.activeKeys(distinct(all.map(({ keyHash }) => keyHash))),
    lookups.activeSessions(distinct(all.map(({ session }) => session?.id))),
    lookups.activeConnections(distinct(all.flatMap(({ connectionIds }) => connectionIds ?? []))),
  ])
  return { keys, sessions, connections }
}

function whyEnded(
  { keyHash, tokenHash, session, connectionIds }: AccessGrant,
  active: ActiveIds,
): PublicError | null {
  if (keyHash !== null && !active.keys.has(keyHash))
    return new PublicError('unauthorized', 'The secret key has been revoked.')
  if (session !== null && !active.sessions.has(session.id))
    return new PublicError('unauthorized', 'The session has been revoked.')
  for (const id of connectionIds ?? []) {
    const hash = active.connections.get(id)
    if (hash === undefined) return new PublicError('forbidden', `${id} is archived, or being deleted.`)
    if (tokenHash !== null && hash !== tokenHash)
      return new PublicError('forbidden', 'The connection token is no longer good.')
  }
  return null
}

/** When grounds end by themselves: what has ended already has no such moment. */
const endOf = ({ keyHash, session }: AccessGrant, active: ActiveIds): Instant | null =>
  (keyHash === null ? null : active.keys.get(keyHash)) ?? (session && active.sessions.get(session.id)) ?? null

const expired = ({ session }: AccessGrant) =>
  new PublicError('unauthorized', `The ${session === null ? 'secret key' : 'session'} has expired.`)
