import { failureTests, type Mutant, type TestSelection } from './mutant.ts'

const goldenTests: TestSelection = {
  file: 'test/unit/providers/golden.test.ts',
  only: 'golden pairs of traccar',
}
const failureTest = (failure: string): TestSelection => failureTests('traccar', failure)

const at = { provider: 'traccar' } as const
const FOLDER = 'src/providers/traccar'

export const traccarMutants: readonly Mutant[] = [
  {
    ...at,
    kind: 'unit',
    description: 'speeds stay in knots',
    file: `${FOLDER}/mappers.ts`,
    text: 'rounded(knotsToKilometersPerHour(record.speed), 2)',
    replacement: 'rounded(record.speed, 2)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'a knot is a mile per hour',
    file: 'src/domain/units.ts',
    text: 'knots * 1.852',
    replacement: 'knots * 1.609344',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the distance of a trip stays in meters',
    file: `${FOLDER}/mappers.ts`,
    text: 'toKilometers(record.distance)',
    replacement: 'record.distance',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the odometer with the latest position stays in meters',
    file: `${FOLDER}/mappers.ts`,
    text: 'toKilometers(meters)',
    replacement: 'meters',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'measured odometers stay in meters',
    file: `${FOLDER}/measurements.ts`,
    text: "toKilometers(numberIn(attributes, 'odometer', 'totalDistance'))",
    replacement: "numberIn(attributes, 'odometer', 'totalDistance')",
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the speeds of safety events stay in knots',
    file: `${FOLDER}/safety.ts`,
    text: 'rounded(knotsToKilometersPerHour(knots), 2)',
    replacement: 'rounded(knots, 2)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'rule',
    description: 'a disabled account is mistaken for a missing permission',
    file: `${FOLDER}/error-mapping.ts`,
    text: "new ProviderError('invalid_credentials', 'the account is disabled or expired')",
    replacement: "new ProviderError('scope_missing', 'the account is disabled or expired')",
    killedBy: failureTest('a stack trace that reports a disabled account'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a missing permission is mistaken for a revoked account',
    file: `${FOLDER}/error-mapping.ts`,
    text: "new ProviderError('scope_missing', 'the account lacks a permission')",
    replacement: "new ProviderError('invalid_credentials', 'the account lacks a permission')",
    killedBy: failureTest('a stack trace that reports a missing permission'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a response truncated at the server’s own limit counts as complete',
    file: `${FOLDER}/readers.ts`,
    text: 'found.length >= TRUNCATION_THRESHOLD && last',
    replacement: 'false && last',
    killedBy: failureTest('more positions than the server returns at once'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'one unreadable record fails the sync',
    file: 'src/sync/pipeline/sync-model.ts',
    text: 'run.onUnreadable(model, error)',
    replacement: 'throw error',
    killedBy: failureTest('unreadable drivers'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'the repeated last valid position counts as a new one',
    file: `${FOLDER}/readers.ts`,
    text: 'safeParse(record).data?.outdated !== true',
    replacement: 'safeParse(record).data !== null',
    killedBy: {
      file: 'test/integration/providers/truth.test.ts',
      only: 'reads of .?traccar.? .* VehicleLocation$',
    },
  },
]
