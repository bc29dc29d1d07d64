import { PublicError } from '../errors.ts'
import type { Id } from '../ids.ts'
import type { Clock, Instant } from '../time.ts'
import type { Caller, Credentials } from './caller.ts'
import { hashOf, SECRET_KEY } from './keys.ts'

/** What somebody has open stands on these: it ends with the first of them. */
export interface Grounds extends Pick<Caller, 'applicationId' | 'connectionIds'> {
  readonly keyHash: string | null
  readonly tokenHash: string | null
  readonly session: Caller['session']
}

/** Which of what is asked for is still good; all that is asked for at once is looked up at once. */
export interface AccessLookups {
  /** With when they end by themselves. */
  liveKeys(hashes: readonly string[]): Promise<ReadonlyMap<string, Instant | null>>
  liveSessions(ids: readonly Id<'session'>[]): Promise<ReadonlyMap<string, Instant>>
  /** With the hashes of their tokens, those that are neither archived nor going. */
  liveConnections(ids: readonly Id<'connection'>[]): Promise<ReadonlyMap<string, string>>
}

interface AccessFrom {
  readonly lookups: AccessLookups
  /** Calls an ear whenever some access to an application has ended. */
  listen(applicationId: string, ear: () => void): () => void
  readonly clock: Clock
  /** How often it looks without having heard of anything: a ring may be lost. */
  readonly lookMs: number
  onTrouble(error: unknown): void
}

type Ended = (why: PublicError) => void

/** One way in, however many things are open by it. */
interface Access {
  readonly grounds: Grounds
  readonly ears: Set<Ended>
  /** Settles with the first look, which says whether it is any good. */
  readonly admitted: Promise<PublicError | null>
  /** Rings when the grounds end by themselves, as far as that is known. */
  timer?: NodeJS.Timeout | undefined
  leave(): void
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * Ends what is open when what it was opened with ends: at once where that is rung, else at the next look. However many
 * sockets and streams come by one key, it is looked up once.
 */
export class LiveAccess {
  private readonly accesses = new Map<string, Access>()
  private readonly applications = new Map<string, { readonly members: Set<Access>; deafen(): void }>()
  private readonly timer: NodeJS.Timeout

  constructor(private readonly from: AccessFrom) {
    this.timer = setInterval(() => void this.look([...this.accesses.values()]), from.lookMs).unref()
  }

  /**
   * Calls back, once, when the access ends, unless the returned function is called before. Refused where it has ended
   * already: also to a connection that is archived, of which nothing comes any more.
   */
  async open(credentials: Credentials, caller: Caller, ended: Ended): Promise<() => void> {
    const grounds = groundsOf(credentials, caller)
    const key = JSON.stringify(grounds)
    const access = this.accesses.get(key) ?? this.begin(key, grounds)
    const ear: Ended = (why) => ended(why)
    access.ears.add(ear)
    const leave = () => {
      access.ears.delete(ear)
      if (access.ears.size === 0) access.leave()
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

  private begin(key: string, grounds: Grounds): Access {
    const members = this.membersOf(grounds.applicationId)
    const access: Access = {
      grounds,
      ears: new Set(),
      admitted: findLive(this.from.lookups, [grounds]).then((live) => this.judged(access, live)),
      leave: () => {
        clearTimeout(access.timer)
        if (this.accesses.get(key) === access) this.accesses.delete(key)
        members.delete(access)
        if (members.size === 0) this.forget(grounds.applicationId, members)
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
    const deafen = this.from.listen(applicationId, () => void this.look([...members]))
    this.applications.set(applicationId, { members, deafen })
    return members
  }

  private forget(applicationId: string, members: ReadonlySet<Access>): void {
    const known = this.applications.get(applicationId)
    if (known?.members !== members) return
    known.deafen()
    this.applications.delete(applicationId)
  }

  /** Why an access has ended; of one that has not, notes when it will. */
  private judged(access: Access, live: Live): PublicError | null {
    clearTimeout(access.timer)
    const endsAt = endOf(access.grounds, live)
    const left = endsAt === null ? null : endsAt - this.from.clock.now()
    if (left !== null && left <= 0) return expired(access.grounds)
    const why = whyEnded(access.grounds, live)
    if (left !== null && why === null && access.ears.size > 0) access.timer = this.after(left, access)
    return why
  }

  private after(left: number, access: Access): NodeJS.Timeout {
    const then = () =>
      left > LONGEST_TIMER_MS ? void this.look([access]) : end(access, expired(access.grounds))
    return setTimeout(then, Math.min(left, LONGEST_TIMER_MS)).unref()
  }

  private async look(accesses: readonly Access[]): Promise<void> {
    if (accesses.length === 0) return
    try {
      const grounds = accesses.map((access) => access.grounds)
      const live = await findLive(this.from.lookups, grounds)
      for (const access of accesses) {
        const why = this.judged(access, live)
        if (why) end(access, why)
      }
    } catch (error) {
      this.from.onTrouble(error)
    }
  }
}

function end(access: Access, why: PublicError): void {
  const ears = [...access.ears]
  access.ears.clear()
  access.leave()
  for (const ear of ears) ear(why)
}

function groundsOf({ authorization = '', connectionToken }: Credentials, caller: Caller): Grounds {
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

interface Live {
  readonly keys: ReadonlyMap<string, Instant | null>
  readonly sessions: ReadonlyMap<string, Instant>
  readonly connections: ReadonlyMap<string, string>
}

async function findLive(lookups: AccessLookups, all: readonly Grounds[]): Promise<Live> {
  const distinct = <T>(values: readonly (T | null | undefined)[]): T[] => [
    ...new Set(values.filter((value) => value != null)),
  ]
  const [keys, sessions, connections] = await Promise.all([
    lookups.liveKeys(distinct(all.map(({ keyHash }) => keyHash))),
    lookups.liveSessions(distinct(all.map(({ session }) => session?.id))),
    lookups.liveConnections(distinct(all.flatMap(({ connectionIds }) => connectionIds ?? []))),
  ])
  return { keys, sessions, connections }
}

function whyEnded({ keyHash, tokenHash, session, connectionIds }: Grounds, live: Live): PublicError | null {
  if (keyHash !== null && !live.keys.has(keyHash))
    return new PublicError('unauthorized', 'The secret key has been revoked.')
  if (session !== null && !live.sessions.has(session.id))
    return new PublicError('unauthorized', 'The session has been revoked.')
  for (const id of connectionIds ?? []) {
    const hash = live.connections.get(id)
    if (hash === undefined) return new PublicError('forbidden', `${id} is archived, or being deleted.`)
    if (tokenHash !== null && hash !== tokenHash)
      return new PublicError('forbidden', 'The connection token is no longer good.')
  }
  return null
}

/** When grounds end by themselves: what has ended already has no such moment. */
const endOf = ({ keyHash, session }: Grounds, live: Live): Instant | null =>
  (keyHash === null ? null : live.keys.get(keyHash)) ?? (session && live.sessions.get(session.id)) ?? null

const expired = ({ session }: Grounds) =>
  new PublicError('unauthorized', `The ${session === null ? 'secret key' : 'session'} has expired.`)
