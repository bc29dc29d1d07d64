import { type Part, should } from './part.ts'

/** Parts 5 to 9: authentication, events, errors, limits, versions. */
export const rules: readonly Part[] = [
  {
    part: '5',
    title: 'Authentication',
    statements: {
      'secret-key': 'Requests carry Authorization: Bearer and the secret key; an unknown key is refused',
      'token-selects': 'The connection token selects the account whose data is returned',
      'token-required': "A connection's data needs its token",
      'key-alone': 'The exchange and the lists of connections and providers need only the secret key',
      'public-token-becomes-connection': 'The exchange of a public token returns a connection and its token',
    },
    unseen: ['The link flow and its publishable key: pages for users', 'How keys are issued: not shown'],
  },
  {
    part: '6',
    title: 'Events',
    statements: {},
    unseen: ['Webhooks go to receivers: no request under /tsp/v1 shows one'],
  },
  {
    part: '7',
    title: 'Errors',
    statements: {
      'retry-after': 'A request above the rate limit gets status 429 with Retry-After',
    },
    unseen: ['How callers retry: advice', 'The rest is not shown: part g6'],
  },
  {
    part: '8',
    title: 'Limits',
    statements: {
      'driver-ids': '`driverIds` takes 50 ids at most, here',
      'vehicle-ids': '`vehicleIds` takes 50 ids at most, here',
      'public-token-once': 'A public token has one use',
    },
    unseen: ['Lookback windows and polling intervals: advice'],
  },
  {
    part: '9',
    title: 'Versioning',
    statements: {
      path: 'The version is part of the path: /tsp/v2 and paths without version do not exist',
      'no-header': should('No header selects another version'),
      'deprecated-served': 'The deprecated fuelEfficiency is still served',
    },
  },
]
