import { createHash, randomInt } from 'node:crypto'
import { DAY } from '../times.ts'
import type { Switches } from '../switches.ts'
import type { Ms } from '../../world/truth.ts'
import { badLogin, Refusal } from './refusal.ts'

export interface Credentials {
  readonly database: string
  readonly userName: string
  readonly sessionId: string
}

interface Session {
  readonly database: string
  readonly userName: string
  expiresAt: Ms
}

/** Returns the password of a user. It does not look like a secret, so secret scanners ignore it. */
export const passwordOf = (userName: string): string => `the password of ${userName}`

/** Sessions of users. They expire by the fake's clock. */
export class Sessions {
  private readonly sessions = new Map<string, Session>()
  private readonly disabledUsers = new Set<string>()

  constructor(
    private readonly switches: Readonly<Switches>,
    private readonly knows: (database: string) => boolean,
    private readonly clock: () => Ms,
  ) {}

  open(database: string, userName: string, password: string): Credentials {
    if (!this.knows(database)) throw unknownDatabase(database)
    if (password !== passwordOf(userName) || this.disabledUsers.has(userKey(database, userName)))
      throw badLogin()
    const sessionId = `${randomInt(2 ** 40)}${createHash('sha256').update(userName).digest('hex').slice(0, 8)}`
    this.sessions.set(sessionId, { database, userName, expiresAt: this.newExpiry() })
    return { database, userName, sessionId }
  }

  /** Throws the same error for an expired session, an unknown one and one of another database. */
  check(credentials: Partial<Credentials> | undefined): Credentials {
    const { database = '', userName = '', sessionId = '' } = credentials ?? {}
    const session = this.sessions.get(sessionId)
    if (!session || session.database !== database || session.userName !== userName) throw badLogin()
    if (this.clock() >= session.expiresAt || this.disabledUsers.has(userKey(database, userName)))
      throw badLogin()
    return { database, userName, sessionId }
  }

  extend({ sessionId }: Credentials): void {
    const session = this.sessions.get(sessionId)
    if (session) session.expiresAt = this.newExpiry()
  }

  expireAll(): void {
    this.sessions.clear()
  }

  disable(database: string, userName: string): void {
    this.disabledUsers.add(userKey(database, userName))
  }

  enable(database: string, userName: string): void {
    this.disabledUsers.delete(userKey(database, userName))
  }

  private newExpiry(): Ms {
    return this.clock() + Number(this.switches.sessionDays) * DAY
  }
}

const userKey = (database: string, userName: string): string => `${database} ${userName}`

export const unknownDatabase = (database: string): Refusal =>
  new Refusal('DbUnavailableException', `UnknownDatabase: ${database}`)
