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

/** Default password of every user. It is not a secret and does not look like one. */
export const passwordOf = (userName: string): string => `the password of ${userName}`

/** Sessions, by the clock of the world. */
export class Sessions {
  private readonly sessions = new Map<string, Session>()
  private readonly barred = new Set<string>()

  constructor(
    private readonly switches: Readonly<Switches>,
    private readonly knows: (database: string) => boolean,
    private readonly clock: () => Ms,
  ) {}

  open(database: string, userName: string, password: string): Credentials {
    if (!this.knows(database)) throw unknownDatabase(database)
    if (password !== passwordOf(userName) || this.barred.has(barOf(database, userName))) throw badLogin()
    const sessionId = `${randomInt(2 ** 40)}${createHash('sha256').update(userName).digest('hex').slice(0, 8)}`
    this.sessions.set(sessionId, { database, userName, expiresAt: this.laterOn() })
    return { database, userName, sessionId }
  }

  /** An expired session, an unknown one and one of another database give the same error. */
  check(credentials: Partial<Credentials> | undefined): Credentials {
    const { database = '', userName = '', sessionId = '' } = credentials ?? {}
    const session = this.sessions.get(sessionId)
    if (!session || session.database !== database || session.userName !== userName) throw badLogin()
    if (this.clock() >= session.expiresAt || this.barred.has(barOf(database, userName))) throw badLogin()
    return { database, userName, sessionId }
  }

  extend({ sessionId }: Credentials): void {
    const session = this.sessions.get(sessionId)
    if (session) session.expiresAt = this.laterOn()
  }

  expireAll(): void {
    this.sessions.clear()
  }

  bar(database: string, userName: string): void {
    this.barred.add(barOf(database, userName))
  }

  admit(database: string, userName: string): void {
    this.barred.delete(barOf(database, userName))
  }

  private laterOn(): Ms {
    return this.clock() + Number(this.switches.sessionDays) * DAY
  }
}

const barOf = (database: string, userName: string): string => `${database} ${userName}`

export const unknownDatabase = (database: string): Refusal =>
  new Refusal('DbUnavailableException', `UnknownDatabase: ${database}`)
