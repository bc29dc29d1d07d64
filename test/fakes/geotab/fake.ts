import { type BehaviourTable, Switches as Positions } from '../kit/behaviours.ts'
import type { Fake, Ground } from '../kit/fake.ts'
import { type Answer, type Call, ok } from '../kit/http.ts'
import { behaviours } from './behaviours.ts'
import { Geotab, type Reply } from './geotab.ts'
import { OTHER_HOST, SecondHost } from './protocol/second-host.ts'
import { permitted } from './protocol/permitted.ts'
import { badLogin, Refusal, refusalBody } from './protocol/refusal.ts'
import { catalogue } from './fleet/catalogue.ts'
import type { Switches } from './switches.ts'
import { models } from './truth/truth.ts'

/** Returns the database of an account, existing or not. */
const databaseName = (account: number): string => `fleet_${account}`
const accountOf = (database: string): number => Number(/^fleet_(\d+)$/.exec(database)?.[1] ?? Number.NaN)

/** Creates MyGeotab over HTTP. Its second host has a port of its own. */
export function geotabFake({ clock, accounts, settings }: Ground): Fake {
  const worldOf = (database: string) =>
    accounts.has(accountOf(database)) ? accounts.world(accountOf(database)) : null
  const mostFound = settings['mostFound'] === undefined ? undefined : Number(settings['mostFound'])
  const geotab = new Geotab({ worldOf, clock: clock.now, mostFound })
  const second = new SecondHost()
  if (settings['warm'] === 'yes')
    for (let account = 1; accounts.has(account); account++) warm(geotab, account)
  const apiv1 = async ({ headers, body }: Call): Promise<Answer> => {
    if (OTHER_HOST in headers) return answerOf(geotab.answer(body, 'second'))
    geotab.secondHost = await second.host(String(headers.host))
    return answerOf(geotab.answer(body))
  }
  return {
    routes: [
      { method: 'POST', path: '/apiv1', handle: apiv1 },
      { method: 'DELETE', path: '/_geotab/sessions', handle: () => (geotab.sessions.expireAll(), ok({})) },
      { method: 'DELETE', path: '/_geotab/versions', handle: () => (geotab.beginAnew(), ok({})) },
      { method: 'POST', path: '/_geotab/users', handle: ({ body }) => ok(admit(geotab, body)) },
    ],
    refusal: (status) => refusal(status, geotab),
    keyOf: ({ body }) => keyOf(body),
    limitsOf: ({ body }) => permitted(body, geotab.switches),
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

/** Computes the data of a large fleet before the first call, because it takes long. */
function warm(geotab: Geotab, account: number): void {
  const database = geotab.database(databaseName(account))
  for (const [typeName, kind] of Object.entries(catalogue)) database?.shelf(typeName, kind)
}

/** Switches that also update the provider. */
class UpdatingSwitches extends Positions<BehaviourTable> {
  constructor(private readonly geotab: Geotab) {
    super(behaviours)
  }

  override set(positions: Readonly<Record<string, string>>): void {
    super.set(positions)
    this.geotab.turn(positions as Partial<Switches>)
  }
}

const answerOf = ({ status, headers, body }: Reply): Answer => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
  body,
})

/** Disables or enables a user. A disabled user cannot sign in, and existing sessions end. */
function admit({ sessions }: Geotab, body: string): object {
  const { database, userName, isAdmitted } = JSON.parse(body) as Record<string, string> & {
    isAdmitted: boolean
  }
  if (isAdmitted) sessions.admit(String(database), String(userName))
  else sessions.bar(String(database), String(userName))
  return { isAdmitted }
}

/** Returns the key of a call, such as `fleet_1 GetFeed Trip`. Limits apply to each key. */
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
 * Returns an error in MyGeotab's format, nearly always with status 200. Errors of its infrastructure are not
 * JSON.
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
