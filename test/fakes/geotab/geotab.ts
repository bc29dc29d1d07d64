import type { World } from '../world/truth.ts'
import { call, type MethodCall, type Host, type CallContext } from './protocol/calls.ts'
import { Database } from './protocol/database.ts'
import { Limits } from './protocol/limits.ts'
import { Refusal, refusalBody } from './protocol/refusal.ts'
import { Sessions } from './protocol/sessions.ts'
import { type Switches, defaultSwitches } from './switches.ts'

export interface GeotabOptions {
  /** Returns the current fleet of a database; null for an unknown one. */
  readonly worldOf: (database: string) => World | null
  /** Clock of the data and the sessions. */
  readonly clock: () => number
  /** Clock of the rate limits; real time by default. */
  readonly machineClock?: () => number
  readonly switches?: Partial<Switches>
  /** Limit of the results of a Get, if lower than MyGeotab's. Small test fleets can then exceed it. */
  readonly mostFound?: number | undefined
}

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** MyGeotab with all its databases. */
export class Geotab {
  readonly switches: Switches
  readonly limits: Limits
  readonly sessions: Sessions
  /** Address of the second host; a test can replace it. */
  secondHost = 'my112.geotab.com'
  private readonly databases = new Map<string, Database>()
  private readonly context: CallContext

  constructor(private readonly options: GeotabOptions) {
    this.switches = { ...defaultSwitches, ...options.switches }
    this.limits = new Limits(this.switches, options.machineClock ?? Date.now)
    const knows = (name: string) => options.worldOf(name) !== null
    this.sessions = new Sessions(this.switches, knows, options.clock)
    const { switches, limits, sessions } = this
    const databaseOf = (name: string) => this.database(name)
    this.context = { switches, limits, sessions, databaseOf, secondHost: () => this.secondHost }
  }

  /** Handles a request to /apiv1 of one of the hosts. */
  answer(text: string, host: Host = 'first'): Reply {
    try {
      const { result, headers } = call(this.context, parseCall(text), host)
      return { status: 200, headers, body: this.serialize({ result, jsonrpc: '2.0' }) }
    } catch (error) {
      if (error instanceof Refusal) return this.refused(error)
      throw error
    }
  }

  database(name: string): Database | null {
    if (this.options.worldOf(name) === null) return null
    const worldNow = () => this.options.worldOf(name) as World
    const database =
      this.databases.get(name) ?? new Database(name, worldNow, this.switches, this.options.mostFound)
    this.databases.set(name, database)
    return database
  }

  /** Sets switches and drops all data: feeds start again. */
  setSwitches(switches: Partial<Switches>): void {
    Object.assign(this.switches, switches)
    for (const database of this.databases.values()) database.dropStores()
  }

  /** Makes all versions that callers have unknown. */
  restartVersions(): void {
    for (const database of this.databases.values()) database.restartVersions()
  }

  private refused(refusal: Refusal): Reply {
    const { type, retryAfterSeconds } = refusal
    const headers: Record<string, string> = {}
    if (retryAfterSeconds !== null) headers['retry-after'] = String(retryAfterSeconds)
    const status = type === 'OverLimitException' ? Number(this.switches.overLimit) : 200
    return { status, headers, body: this.serialize(refusalBody(refusal, this.switches.errorNames)) }
  }

  /** Serializes a response. Depending on a switch, NaN is not quoted, which is invalid JSON. */
  private serialize(body: unknown): string {
    const text = JSON.stringify(body)
    return this.switches.nanSpeed === 'bare' ? text.replaceAll('"speed":"NaN"', '"speed":NaN') : text
  }
}

function parseCall(text: string): MethodCall {
  try {
    const { method, params } = JSON.parse(text) as Partial<MethodCall>
    return { method: String(method), params: params ?? {} }
  } catch (error) {
    throw new Refusal('JsonSerializerException', `The request is not valid JSON: ${(error as Error).message}`)
  }
}
