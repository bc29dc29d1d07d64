import { worldOf } from '../world/world.ts'
import { Geotab, type Reply } from './geotab.ts'
import { passwordOf } from './protocol/sessions.ts'
import type { Switches } from './switches.ts'
import { DAY } from './times.ts'
import { models } from './truth/truth.ts'
import type { Entity } from './formats.ts'

/** Client of tests: one user of one database. */
const STARTS = Date.parse('2026-02-20T06:00:00Z')
const DATABASE = 'fleet_one'
const USER = 'reader@fleet.example'

interface CallerOptions {
  readonly vehicles?: number
  readonly days?: number
  readonly switches?: Partial<Switches>
  /** Whether rate limits apply. If so, their clock stands still until `passRealTime`. */
  readonly hasRateLimits?: boolean
  readonly mostFound?: number
}

export function callGeotab({
  vehicles = 12,
  days = 12,
  switches = {},
  hasRateLimits: isHurried = false,
  mostFound,
}: CallerOptions = {}) {
  let now = STARTS + days * DAY
  let machineTime = 0
  const world = worldOf({
    seed: 5,
    vehicles,
    startsAt: STARTS,
    now: () => now,
    options: { restlessness: 20 },
  })
  const geotab = new Geotab({
    worldOf: (database) => (database === DATABASE ? world : null),
    clock: () => now,
    machineClock: () => (isHurried ? machineTime : (machineTime += 60_000)),
    switches,
    mostFound,
  })
  const post = (method: string, params: object, host?: 'first' | 'second') =>
    geotab.answer(JSON.stringify({ id: -1, method, params }), host)
  const signIn = { database: DATABASE, userName: USER, password: passwordOf(USER) }
  const credentials = () => resultOf<{ credentials: object }>(post('Authenticate', signIn)).credentials
  let session = credentials()
  const call = <Result>(method: string, params: object) =>
    resultOf<Result>(post(method, { ...params, credentials: session }))
  return {
    geotab,
    world,
    signIn,
    post,
    call,
    credentials: () => session,
    signInAgain: () => (session = credentials()),
    move: (milliseconds: number) => (now += milliseconds),
    passRealTime: (milliseconds: number) => (machineTime += milliseconds),
    get: (typeName: string, params: object = {}) => call<Entity[]>('Get', { typeName, ...params }),
    feed: (typeName: string, params: object = {}) =>
      call<{ data: Entity[]; toVersion: string }>('GetFeed', { typeName, ...params }),
    truth: (model: string, from = 0, to = now + 1) => expectedRecords(geotab, model, from, to),
  }
}

export type Caller = ReturnType<typeof callGeotab>

export type RecordFields = Readonly<Record<string, unknown>>

function expectedRecords(geotab: Geotab, model: string, from: number, to: number): RecordFields[] {
  const fleet = geotab.database(DATABASE)?.fleet
  if (!fleet) throw new Error('no fleet')
  return JSON.parse(JSON.stringify(models[model]?.(fleet, from, to))) as RecordFields[]
}

/** Returns the result of a response; throws its error. */
export function resultOf<Result>(reply: Reply): Result {
  const { result, error } = JSON.parse(reply.body) as { result: Result; error?: { data: { type?: string } } }
  if (error) throw new Error(JSON.stringify(error))
  return result
}

export function refusalOf(reply: Reply) {
  const { error } = JSON.parse(reply.body) as {
    error: { code: number; message: string; data: RecordFields; errors?: RecordFields[] }
  }
  return error
}
