import { type BehaviourTable, Switches as Positions } from '../kit/behaviours.ts'
import type { Fake, FakeContext } from '../kit/fake.ts'
import { type Answer, type Call, ok } from '../kit/http.ts'
import { behaviours } from './behaviours.ts'
import { Geotab, type Reply } from './geotab.ts'
import { SECOND_HOST_HEADER, SecondHost } from './protocol/second-host.ts'
import { limitsOf } from './protocol/call-limits.ts'
import { badLogin, Refusal, refusalBody } from './protocol/refusal.ts'
import { catalogue } from './fleet/catalogue.ts'
import type { Switches } from './switches.ts'
import { MINUTE } from './times.ts'
import { models } from './truth/truth.ts'

const databaseName = (account: number): string => `fleet_${account}`
const accountOf = (database: string): number => Number(/^fleet_(\d+)$/.exec(database)?.[1] ?? Number.NaN)

/** Creates the fake of MyGeotab. Its second host has another port. */
export function geotabFake({ clock, accounts, settings }: FakeContext): Fake {
  const worldOf = (database: string) =>
    accounts.has(accountOf(database)) ? accounts.world(accountOf(database)) : null
  const mostFound = settings['mostFound'] === undefined ? undefined : Number(settings['mostFound'])
  const machineClock = settings['limits'] === 'off' ? minuteByMinute() : undefined
  const geotab = new Geotab({ worldOf, clock: clock.now, mostFound, machineClock })
  const second = new SecondHost()
  if (settings['warm'] === 'yes')
    for (let account = 1; accounts.has(account); account++) warm(geotab, account)
  const apiv1 = async ({ headers, body }: Call): Promise<Answer> => {
    if (SECOND_HOST_HEADER in headers) return answerOf(geotab.answer(body, 'second'))
    geotab.secondHost = await second.host(String(headers.host))
    return answerOf(geotab.answer(body))
  }
  return {
    routes: [
      { method: 'POST', path: '/apiv1', handle: apiv1 },
      { method: 'DELETE', path: '/_geotab/sessions', handle: () => (geotab.sessions.expireAll(), ok({})) },
      { method: 'DELETE', path: '/_geotab/versions', handle: () => (geotab.restartVersions(), ok({})) },
      { method: 'POST', path: '/_geotab/users', handle: ({ body }) => ok(setUserEnabled(geotab, body)) },
    ],
    refusal: (status) => refusal(status, geotab),
    keyOf: ({ body }) => keyOf(body),
    limitsOf: ({ body }) => limitsOf(body, geotab.switches),
    switches: new UpdatingSwitches(geotab),
    truth: Object.fromEntries(
      Object.entries(models).map(([model, recordsOf]) => [
        model,
        (account: number, from: number, to: number) => {
          const fleet = geotab.database(databaseName(account))?.fleet
          return fleet ? recordsOf(fleet, from, to) : []
        },
      ]),
    ),
  }
}

/** Returns a clock that moves a minute with each look, so that no call reaches a limit of calls per minute. */
function minuteByMinute(): () => number {
  let at = 0
  return () => (at += MINUTE)
}

/** Computes all data of a fleet before the first call. For a large fleet this takes long. */
function warm(geotab: Geotab, account: number): void {
  const database = geotab.database(databaseName(account))
  for (const [typeName, kind] of Object.entries(catalogue)) database?.store(typeName, kind)
}

/** Switches whose changes also reach the databases. */
class UpdatingSwitches extends Positions<BehaviourTable> {
  constructor(private readonly geotab: Geotab) {
    super(behaviours)
  }

  override set(positions: Readonly<Record<string, string>>): void {
    super.set(positions)
    this.geotab.setSwitches(positions as Partial<Switches>)
  }
}

const answerOf = ({ status, headers, body }: Reply): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body,
})

/** Disables or enables a user. A disabled user cannot sign in, and its sessions end. */
function setUserEnabled({ sessions }: Geotab, body: string): object {
  const { database, userName, isAdmitted } = JSON.parse(body) as Record<string, string> & {
    isAdmitted: boolean
  }
  if (isAdmitted) sessions.enable(String(database), String(userName))
  else sessions.disable(String(database), String(userName))
  return { isAdmitted }
}

/** Returns the key by which calls are counted, such as `fleet_1 GetFeed Trip`. */
export function keyOf(body: string): string {
  try {
    const { method = '', params = {} } = JSON.parse(body) as {
      method?: string
      params?: Record<string, unknown>
    }
    const { database } = { ...params, ...(params['credentials'] as object) } as { database?: string }
    return [database ?? '-', method, params['typeName'] ?? ''].join(' ').trim()
  } catch {
    return '-'
  }
}

/**
 * Returns an error response of MyGeotab, with status 200 for most errors. Errors of its infrastructure are HTML.
 */
function refusal(status: number, { switches }: Geotab): Answer {
  const refused = refusals[status]?.()
  if (!refused)
    return {
      status,
      body: `<html><body><h1>${status}</h1></body></html>`,
      headers: { 'content-type': 'text/html' },
    }
  const headers: Record<string, string> =
    refused.retryAfterSeconds === null ? {} : { 'retry-after': String(refused.retryAfterSeconds) }
  const isLimit = refused.type === 'OverLimitException'
  return {
    status: isLimit ? Number(switches.overLimit) : 200,
    headers,
    body: refusalBody(refused, switches.errorNames),
  }
}

const refusals: Readonly<Record<number, () => Refusal>> = {
  401: badLogin,
  403: () => new Refusal('GenericException', 'The user does not have sufficient clearance.'),
  429: () => new Refusal('OverLimitException', 'API calls quota exceeded. Maximum admitted 60 per 1m.', 58),
  503: () => new Refusal('DbUnavailableException', 'Initializing: the database is not available yet'),
}
