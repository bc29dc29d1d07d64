import { type Part, should } from './part.ts'

const sayings: Readonly<Record<string, string>> = {
  modified: '`modifiedAfter` and `modifiedBefore` limit the time of modification',
  started: '`startedAfter` and `startedBefore` bound the start',
  ended: '`endedAfter` and `endedBefore` bound the end',
  between: '`startAt` and `endAt`, date-times, limit the time of observation',
  hidden: '`hidden=true` adds the hidden ones',
  deleted: '`deleted=true` adds the deleted ones',
  defaults: 'hidden and deleted are false by default',
  'vehicle-ids': '`vehicleIds` returns the records of those vehicles',
  'driver-ids': '`driverIds` returns the records of those drivers',
  expand: '`expand` takes each combination in any order',
  variants: 'The results are events of either variant',
}

function listPart(part: string, path: string, slugs: readonly string[]): Part {
  return {
    part,
    title: `GET ${path}`,
    statements: {
      ...Object.fromEntries(slugs.map((slug) => [slug, sayings[slug] ?? slug])),
      results: 'The results are records of their kind',
    },
  }
}

/** Parts 3 and 4: states and operations. */
export const endpoints: readonly Part[] = [
  {
    part: '3.1',
    title: 'Connection status',
    statements: {
      'status-values': '`status` is one of the six',
      'exchange-connects': 'A connection from an exchange is connected',
      'revoked-is-not-connected': 'Refused credentials create no connected connection',
      'restored-connects': 'A restored disconnected connection is connected',
      'archive-connected': 'PATCH with status archived archives a connected connection',
      'archive-disconnected': 'PATCH with status archived archives a disconnected connection too',
      'archive-stops-syncs': 'Data of an archived connection does not sync',
      'archive-keeps-data': 'Data synced before stays as it is',
      'archived-checked-again': 'A reconnect of an archived connection checks its status again',
    },
    unseen: ['Webhooks of each transition: see part 6'],
  },
  {
    part: '3.2',
    title: 'Other status values',
    statements: {
      'sync-modes': '`syncMode` is automatic or manual',
      'provider-statuses': "A provider's status is live, beta, sandbox or deprecated",
      'vehicle-statuses': 'Vehicles are active or inactive, and there are both',
      'driver-statuses': 'Drivers are active or inactive, and there are active ones',
      'deleted-on-request':
        'Soft-deleted records have metadata.deletedAt and are listed only with deleted=true',
      'hidden-on-request':
        'Records hidden by filters have metadata.visibility and are listed only with hidden=true',
    },
  },
  {
    part: '4',
    title: 'Endpoints: common rules',
    statements: {
      authorization: 'Every call carries Authorization: without it, 401',
      'connection-token': 'Every call that reads a connection needs its token: without it, 403',
      'connection-token-pattern': 'A malformed connection token is refused',
      'list-shape': 'A list returns {results, next?}',
      cursor: '`cursor` continues at a previous `next`: each record appears once',
      limit: '`limit` is the maximum page size',
      raw: '`raw` adds the raw responses of the provider to each record, in an array',
      expand: '`expand` replaces ids by whole records; comma-separated, in any order',
      ids: 'Filters by ids take comma-separated ids',
      'ids-at-most-50': 'Filters by ids take at most 50 ids',
    },
  },
  {
    part: '4.1',
    title: 'Summary',
    statements: {
      operation: 'The operation exists, and needs only the headers of the table',
    },
  },
  {
    part: '4.2',
    title: 'POST /public-token/exchange',
    statements: {
      'public-token-required': '`publicToken` is required, a string',
      'public-token-pattern': '`publicToken` fits its pattern',
      'answers-connection': 'The response is 200 and a connection with its token',
      'single-use': 'An exchange uses up the public token',
    },
  },
  {
    part: '4.3',
    title: 'GET /connections',
    statements: {
      'external-id': '`externalId` gives the connections that have it',
      'dot-number': '`dotNumber` gives the connections that have it',
      tag: '`tag` gives the connections that have it',
      'updated-after': '`updatedAfter` returns connections updated then or later',
      'updated-before': '`updatedBefore` returns connections updated then or earlier',
      status: '`status` gives the connections in that state',
      provider: "`provider` filters connections by the provider's code",
      'results-are-connections': 'The results are connections',
    },
  },
  {
    part: '4.4',
    title: 'GET /connections/current',
    statements: {
      'no-parameters': 'It takes no parameters',
      'of-the-token': 'The response is the connection of the token, with agreements',
      'last-sync': '`lastSync` is present after the first sync',
    },
  },
  {
    part: '4.5',
    title: 'PATCH /connections/current',
    statements: {
      archives: 'The body {status: "archived"} archives the connection',
      'status-values': 'An unknown status is refused',
    },
  },
  {
    part: '4.6',
    title: 'GET /providers',
    statements: {
      'no-parameters': 'It takes no parameters',
      'bare-array': 'The response is an array of providers, without results or next',
    },
  },
  {
    part: '4.7',
    title: 'GET /vehicles/{id}',
    statements: {
      id: '`id` chooses the vehicle',
      raw: '`raw` adds the raw responses',
      expand: '`expand` takes groups, devices, groups,devices and devices,groups',
      answer: 'The answer is the vehicle by itself',
    },
  },
  {
    part: '4.8',
    title: 'GET /vehicles/locations',
    statements: {
      'vehicle-ids': '`vehicleIds` gives the locations of those vehicles',
      'driver-ids': '`driverIds` gives the locations with those drivers',
      expand: '`expand` takes vehicle, driver and both in either order',
      current: should('Locations are a minute old at most while vehicles report'),
      'without-place': 'Vehicles without a last known location are omitted',
      results: 'The results are latest vehicle locations',
    },
    unseen: ['Managed polling is set in a dashboard'],
  },
  ...(
    [
      ['4.9', '/drivers', ['modified', 'hidden', 'deleted', 'expand', 'defaults']],
      ['4.10', '/trips', ['modified', 'started', 'ended', 'vehicle-ids', 'driver-ids', 'expand']],
      ['4.11', '/hos/logs', ['modified', 'started', 'driver-ids', 'expand']],
      ['4.12', '/safety/events', ['modified', 'started', 'vehicle-ids', 'driver-ids', 'expand']],
      ['4.13', '/fault-codes/events', ['modified', 'between', 'vehicle-ids', 'expand', 'variants']],
    ] as const
  ).map(([part, path, slugs]) => listPart(part, path, slugs)),
  {
    part: '4.14',
    title: 'GET /ifta/summary',
    statements: {
      months: '`startMonth` and `endMonth`, YYYY-MM, limit the summary, both inclusive',
      'group-by': '`groupBy` takes vehicle,jurisdiction',
      'group-by-others': '`groupBy` takes jurisdiction, vehicle, and month with both, in any order',
      results: 'The results are IFTA summary records',
    },
  },
  {
    part: '4.15',
    title: 'Other endpoints',
    statements: { path: 'The path exists' },
    unseen: ['Their shapes and the other operations: see the parts that start with g3'],
  },
  {
    part: '4.16',
    title: 'Access patterns for syncing',
    statements: {
      'ingestion-order': 'A window by modification time is sorted by it, ascending',
      'record-order': 'A window by record time is sorted by it, ascending',
      'entities-by-modified': 'Entities are read by modifiedAfter',
      'records-by-either': 'Time-based records are read by modifiedAfter or by record time',
      'series-by-record-time': 'Series are read by record time',
      'days-alias': '`startDay` and `endDay` are taken for days',
      'whole-by-cursor': '`cursor` pages through all results',
      'default-page': 'Without `limit` there is a default page size',
    },
    unseen: ['Lookback windows and upserts: advice to callers'],
  },
]
