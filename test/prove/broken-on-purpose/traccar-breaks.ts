import { afterFailure, type Break, type Guard } from './break.ts'

const golden: Guard = { file: 'test/unit/providers/golden.test.ts', only: 'golden pairs of traccar' }
const after = (failure: string): Guard => afterFailure('traccar', failure)

const at = { provider: 'traccar' } as const
const FOLDER = 'src/providers/traccar'

export const traccarBreaks: readonly Break[] = [
  {
    ...at,
    kind: 'unit',
    says: 'speeds stay in knots',
    file: `${FOLDER}/mappers.ts`,
    text: 'rounded(knotsToKilometersPerHour(record.speed), 2)',
    instead: 'rounded(record.speed, 2)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'a knot is a mile per hour',
    file: 'src/domain/units.ts',
    text: 'knots * 1.852',
    instead: 'knots * 1.609344',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'the distance of a trip stays in meters',
    file: `${FOLDER}/mappers.ts`,
    text: 'toKilometers(record.distance)',
    instead: 'record.distance',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'the odometer with the latest position stays in meters',
    file: `${FOLDER}/mappers.ts`,
    text: 'toKilometers(meters)',
    instead: 'meters',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'measured odometers stay in meters',
    file: `${FOLDER}/measurements.ts`,
    text: "toKilometers(numberIn(attributes, 'odometer', 'totalDistance'))",
    instead: "numberIn(attributes, 'odometer', 'totalDistance')",
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'the speeds of safety events stay in knots',
    file: `${FOLDER}/safety.ts`,
    text: 'rounded(knotsToKilometersPerHour(knots), 2)',
    instead: 'rounded(knots, 2)',
    guard: golden,
  },
  {
    ...at,
    kind: 'rule',
    says: 'a disabled account is mistaken for a missing permission',
    file: `${FOLDER}/error-mapping.ts`,
    text: "new ProviderError('revoked', 'the account is disabled')",
    instead: "new ProviderError('scope_missing', 'the account is disabled')",
    guard: after('a stack trace that reports a disabled account'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'a missing permission is mistaken for a revoked account',
    file: `${FOLDER}/error-mapping.ts`,
    text: "new ProviderError('scope_missing', 'the account lacks a permission')",
    instead: "new ProviderError('revoked', 'the account lacks a permission')",
    guard: after('a stack trace that reports a missing permission'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'a response truncated at the server’s own limit counts as complete',
    file: `${FOLDER}/readers.ts`,
    text: 'found.length >= TRUNCATION_THRESHOLD && last',
    instead: 'false && last',
    guard: after('more positions than the server returns at once'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'one unreadable record fails the sync',
    file: 'src/sync/pipeline/sync-model.ts',
    text: 'run.onUnreadable(model, error)',
    instead: 'throw error',
    guard: after('unreadable drivers'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'the repeated last valid position counts as a new one',
    file: `${FOLDER}/readers.ts`,
    text: 'safeParse(record).data?.outdated !== true',
    instead: 'safeParse(record).data !== null',
    guard: {
      file: 'test/integration/providers/truth.test.ts',
      only: 'reads of .?traccar.? .* VehicleLocation$',
    },
  },
]
