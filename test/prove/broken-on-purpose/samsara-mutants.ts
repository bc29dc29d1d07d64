import type { Mutant, TestSelection } from './mutant.ts'

const goldenTests: TestSelection = {
  file: 'test/unit/providers/golden.test.ts',
  only: 'golden pairs of samsara',
}
const signInTests = (only: string): TestSelection => ({
  file: 'test/integration/providers/samsara/sign-in.test.ts',
  only,
})
const comparisonTests = (model: string): TestSelection => ({
  file: 'test/integration/providers/truth.test.ts',
  only: `reads of .?samsara.? .* ${model}$`,
})

const at = { provider: 'samsara' } as const
const MAPPERS = 'src/providers/samsara/mappers'

export const samsaraMutants: readonly Mutant[] = [
  {
    ...at,
    kind: 'unit',
    description: 'speeds of stats stay in miles per hour',
    file: `${MAPPERS}/conversions.ts`,
    text: 'rounded(milesPerHourToKilometersPerHour(milesPerHour), 2)',
    replacement: 'rounded(milesPerHour, 2)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'a mile has 1609 meters',
    file: 'src/domain/units.ts',
    text: 'METERS_PER_MILE = 1609.344',
    replacement: 'METERS_PER_MILE = 1609',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'odometers and distances of trips stay in meters',
    file: `${MAPPERS}/conversions.ts`,
    text: 'rounded(metersToKilometers(meters), 3)',
    replacement: 'rounded(meters, 3)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the run time of an engine stays in seconds',
    file: `${MAPPERS}/engine.ts`,
    text: "type: 'engine_runtime', valueOf: secondsToMilliseconds",
    replacement: "type: 'engine_runtime', valueOf: unchanged",
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'fuel stays in milliliters',
    file: `${MAPPERS}/engine.ts`,
    text: 'null : millilitersToLiters(fuelConsumedMl)',
    replacement: 'null : fuelConsumedMl',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the distance in a jurisdiction stays in meters',
    file: `${MAPPERS}/engine.ts`,
    text: 'metersToKilometers(jurisdiction.totalMeters)',
    replacement: 'jurisdiction.totalMeters',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the run time with the latest position stays in seconds',
    file: `${MAPPERS}/travel.ts`,
    text: 'null : secondsToMilliseconds(seconds)',
    replacement: 'null : seconds',
    killedBy: comparisonTests('LatestVehicleLocation'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a token without permission for one model is mistaken for a revoked one',
    file: 'src/providers/samsara/adapter.ts',
    text: "new ProviderError('scope_missing', 'the token lacks the permission to read this data')",
    replacement:
      "new ProviderError('invalid_credentials', 'the token lacks the permission to read this data')",
    killedBy: signInTests('refused by 401'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a token is given up after the first region that does not know it',
    file: 'src/providers/samsara/auth.ts',
    text: 'if (response.status !== 401) throw errorOfResponse(response)',
    replacement: 'throw errorOfResponse(response)',
    killedBy: signInTests('is tried in each region'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'the used refresh token replaces the new one',
    file: 'src/providers/oauth.ts',
    text: '{ ...credentials, ...(await requestTokens(server, form, signal)) }',
    replacement: '{ ...(await tokens(server, form, signal)), ...credentials }',
    killedBy: signInTests('returns a refresh token for one use'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a revoked grant is mistaken for an unreadable response',
    file: 'src/providers/oauth.ts',
    text: 'if (isGrant) return',
    replacement: 'if (isGrant && false) return',
    killedBy: signInTests('ends when the fleet revokes it, with token errors as oauth'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a list ends after its first page',
    file: 'src/providers/samsara/readers/pages.ts',
    text: 'isLast: !hasNextPage',
    replacement: 'isLast: true',
    killedBy: comparisonTests('Vehicle'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a trip without a driver is a trip of driver 0',
    file: `${MAPPERS}/travel.ts`,
    text: "id == null || id === '0' ? null : id",
    replacement: 'id == null ? null : id',
    killedBy: comparisonTests('Trip'),
  },
]
