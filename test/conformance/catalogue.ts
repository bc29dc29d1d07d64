/** Every operation below /tsp/v1, with its parameters. Generic checks and the fuzzer use this table. */

export type Kind = 'vehicle' | 'driver' | 'connection'

/** Type of a query parameter. */
export type Takes =
  | 'cursor'
  | 'limit'
  | 'flag'
  | 'text'
  | 'dateTime'
  | 'date'
  | 'month'
  | `ids of ${Kind}s`
  | `id of a ${Kind}`
  | 'expand'
  | 'groupBy'
  | 'types'
  | readonly string[]

export interface Operation {
  /** Part of the ids of checks. */
  readonly slug: string
  readonly part: string
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE'
  /** Path with ids in braces: {vehicle} is the id of a vehicle. */
  readonly path: string
  readonly needs: 'token' | 'key' | 'nothing'
  readonly query: Readonly<Record<string, Takes>>
  /** Values of `expand`, each with its field. */
  readonly expand: readonly string[]
  readonly answers: 'list' | 'record' | 'array'
  /** Required months or days. */
  readonly always?: Readonly<Record<string, string>>
  /** Whether the operation calls the provider during the request. */
  readonly live?: true
  readonly series?: true
}

const paged = { cursor: 'cursor', limit: 'limit' } as const
const modified = { modifiedAfter: 'dateTime', modifiedBefore: 'dateTime' } as const
const started = { startedAfter: 'dateTime', startedBefore: 'dateTime' } as const
const between = { startAt: 'dateTime', endAt: 'dateTime' } as const
const days = { startDate: 'date', endDate: 'date' } as const
const gone = { hidden: 'flag', deleted: 'flag' } as const
const raw = { raw: 'flag' } as const
const vehicleIds = { vehicleIds: 'ids of vehicles' } as const
const driverIds = { driverIds: 'ids of drivers' } as const
const expands = { expand: 'expand' } as const

export const connectionStatuses = 'connected disconnected archived pending_deletion deleting deleted'.split(
  ' ',
)

/** Months of the summary in the checks: this one and the twelve before. */
const thisMonth = new Date().toISOString().slice(0, 7)
const [yearNow = '', monthNow = ''] = thisMonth.split('-')
export const months = { startMonth: `${Number(yearNow) - 1}-${monthNow}`, endMonth: thisMonth }

const monthsAgo = (count: number) => new Date(Date.now() - count * 30 * 86_400_000).toISOString().slice(0, 10)
/** Series grow during the checks, so requested windows end some minutes ago. */
const steady = { endAt: new Date(Date.now() - 300_000).toISOString() }

const always = { startDate: monthsAgo(12), endDate: monthsAgo(0) }

type Given = Partial<Operation> & Pick<Operation, 'slug' | 'part' | 'path'>

const get = (given: Given): Operation => ({
  method: 'GET',
  needs: 'token',
  query: {},
  expand: [],
  answers: 'list',
  ...given,
})

const other = (method: Operation['method'], given: Given): Operation => ({
  ...get({ answers: 'record', ...given }),
  method,
})

const list = (
  slug: string,
  part: string,
  path: string,
  query: Operation['query'],
  expand: readonly string[] = [],
  more: Partial<Operation> = {},
): Operation =>
  get({
    slug,
    part,
    path,
    expand,
    query: { ...paged, ...raw, ...query, ...(expand.length > 0 ? expands : {}) },
    ...more,
  })

const record = (slug: string, part: string, path: string, expand: readonly string[] = []): Operation =>
  get({
    slug,
    part,
    path,
    expand,
    answers: 'record',
    query: { ...raw, ...(expand.length > 0 ? expands : {}) },
  })

/** Lists and records of the specification itself. */
export const reads: readonly Operation[] = [
  get({
    slug: 'connections',
    part: '4.3',
    path: '/connections',
    needs: 'key',
    query: {
      ...paged,
      externalId: 'text',
      dotNumber: 'text',
      tag: 'text',
      updatedAfter: 'dateTime',
      updatedBefore: 'dateTime',
      status: connectionStatuses,
      provider: 'text',
    },
  }),
  get({ slug: 'connection', part: '4.4', path: '/connections/current', answers: 'record' }),
  get({ slug: 'providers', part: '4.6', path: '/providers', needs: 'nothing', answers: 'array' }),
  record('vehicle', '4.7', '/vehicles/{vehicle}', ['groups', 'devices']),
  list('locations', '4.8', '/vehicles/locations', { ...vehicleIds, ...driverIds }, ['vehicle', 'driver'], {
    live: true,
  }),
  list('drivers', '4.9', '/drivers', { ...modified, ...gone }, ['groups']),
  list(
    'trips',
    '4.10',
    '/trips',
    {
      ...modified,
      ...started,
      endedAfter: 'dateTime',
      endedBefore: 'dateTime',
      ...driverIds,
      ...vehicleIds,
    },
    ['vehicle', 'driver'],
  ),
  list('hos-logs', '4.11', '/hos/logs', { ...started, ...modified, ...driverIds }, [
    'driver',
    'vehicle',
    'codrivers',
  ]),
  list('safety-events', '4.12', '/safety/events', { ...modified, ...started, ...driverIds, ...vehicleIds }, [
    'vehicle',
    'driver',
  ]),
  list('fault-codes', '4.13', '/fault-codes/events', { ...modified, ...between, ...vehicleIds }, ['vehicle']),
  list(
    'ifta',
    '4.14',
    '/ifta/summary',
    { startMonth: 'month', endMonth: 'month', groupBy: 'groupBy' },
    ['vehicle'],
    { always: months },
  ),
]

/** Operations that the specification only names, or that fill its gaps. */
export const otherReads: readonly Operation[] = [
  list('vehicles', 'g3.4', '/vehicles', { ...modified, ...gone }, ['groups', 'devices']),
  record('driver', 'g3.4', '/drivers/{driver}', ['groups']),
  list('trailers', 'g3.4', '/trailers', { ...modified, deleted: 'flag' }, ['groups']),
  list('groups', 'g3.4', '/groups', { ...modified, deleted: 'flag' }, ['parent']),
  list('devices', 'g3.4', '/devices', { ...modified, deleted: 'flag' }, ['vehicle']),
  list('trailer-locations', 'g3.4', '/trailers/locations', {}, ['trailer'], { live: true }),
  list('daily-logs', 'g3.4', '/hos/daily-logs', { ...days, ...modified, ...driverIds }, ['driver']),
  list('available-time', 'g3.4', '/hos/available-time', driverIds, ['driver'], { live: true }),
  list('track', 'g3.4', '/vehicles/{vehicle}/locations', between, [], {
    series: true,
    always: steady,
  }),
  list('stats', 'g3.4', '/vehicles/{vehicle}/stats/historical', { ...between, types: 'types' }, ['vehicle'], {
    series: true,
    always: steady,
  }),
  list('utilization', 'g3.4', '/vehicles/utilization', { ...days, ...modified, ...vehicleIds }, ['vehicle'], {
    always,
  }),
  record('safety-event', 'g3.4', '/safety/events/{safetyEvent}', ['vehicle', 'driver']),
  record('camera-media', 'g3.4', '/safety/events/{safetyEvent}/camera-media'),
  get({
    slug: 'syncs',
    part: 'g3.3',
    path: '/syncs',
    expand: ['issues'],
    query: { ...paged, status: ['requested', 'in_progress', 'completed', 'failed'], ...expands },
  }),
  get({
    slug: 'sync',
    part: 'g3.3',
    path: '/syncs/{sync}',
    answers: 'record',
    expand: ['issues'],
    query: expands,
  }),
  get({
    slug: 'issues',
    part: 'g3.4',
    path: '/issues',
    needs: 'key',
    expand: ['connection'],
    query: {
      ...paged,
      lastReportedAfter: 'dateTime',
      lastReportedBefore: 'dateTime',
      connectionId: 'id of a connection',
      errorCode: 'text',
      status: ['ongoing', 'resolved'],
      ...expands,
    },
  }),
]

export const writes: readonly Operation[] = [
  other('POST', { slug: 'exchange', part: '4.2', path: '/public-token/exchange', needs: 'key' }),
  other('PATCH', { slug: 'patch-connection', part: '4.5', path: '/connections/current' }),
  other('DELETE', { slug: 'delete-connection', part: 'g3.2', path: '/connections/current' }),
  other('POST', { slug: 'create-connection', part: 'g3.1', path: '/connections', needs: 'key' }),
  other('POST', { slug: 'request-sync', part: 'g3.3', path: '/syncs' }),
  other('POST', { slug: 'retry-sync', part: 'g3.3', path: '/syncs/{sync}/retry' }),
  other('POST', { slug: 'cancel-sync', part: 'g3.3', path: '/syncs/{sync}/cancel' }),
  other('POST', { slug: 'resolve-issue', part: 'g3.4', path: '/issues/{issue}/resolve', needs: 'key' }),
  other('POST', { slug: 'passthrough', part: 'g3.7', path: '/passthrough' }),
  other('POST', { slug: 'passthrough-raw', part: 'g3.7', path: '/passthrough/raw' }),
]

export const catalogue: readonly Operation[] = [...reads, ...otherReads, ...writes]

export const operationOf = (slug: string): Operation => {
  const found = catalogue.find((operation) => operation.slug === slug)
  if (!found) throw new Error(`unknown operation ${slug}`)
  return found
}

export const lists = catalogue.filter(({ answers, method }) => answers === 'list' && method === 'GET')

/** Operations that the specification itself shows (4.1), writes and reads. */
export const specified = catalogue.filter(({ part }) => part.startsWith('4.'))
