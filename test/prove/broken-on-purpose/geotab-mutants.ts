import type { Mutant, TestSelection } from './mutant.ts'

const goldenTests: TestSelection = {
  file: 'test/unit/providers/golden.test.ts',
  only: 'golden pairs of geotab',
}
const signInTests = (only: string): TestSelection => ({
  file: 'test/integration/providers/geotab/sign-in.test.ts',
  only,
})
const comparisonTests = (model: string): TestSelection => ({
  file: 'test/integration/providers/truth.test.ts',
  only: `reads of .?geotab.? .* ${model}$`,
})

const at = { provider: 'geotab' } as const
const READERS = 'src/providers/geotab/readers'

export const geotabMutants: readonly Mutant[] = [
  {
    ...at,
    kind: 'unit',
    description: 'engine hours stay in seconds',
    file: `${READERS}/measurements.ts`,
    text: "type: 'engine_runtime', value: secondsToMilliseconds",
    replacement: "type: 'engine_runtime', value: (seconds) => seconds",
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'odometers stay in meters',
    file: `${READERS}/measurements.ts`,
    text: 'rounded(metersToKilometers(meters), 3)',
    replacement: 'rounded(meters, 3)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'trips of databases in meters stay in meters',
    file: `${READERS}/trip.ts`,
    text: 'isInMeters ? metersToKilometers(distance) : distance',
    replacement: 'distance',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'trips of databases in kilometers are divided by a thousand',
    file: `${READERS}/trip.ts`,
    text: 'isInMeters ? metersToKilometers(distance) : distance',
    replacement: 'metersToKilometers(distance)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the days of a timespan are ignored',
    file: 'src/providers/geotab/schema-types.ts',
    text: '(Number(days) * 24 + Number(hours)) * 60',
    replacement: 'Number(hours) * 60',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'a timespan is in seconds',
    file: 'src/providers/geotab/schema-types.ts',
    text: 'secondsToMilliseconds(whole + Number(seconds))',
    replacement: 'whole + Number(seconds)',
    killedBy: comparisonTests('HOSAvailableTime'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'an expired session is not opened again',
    file: 'src/providers/http/request-signing.ts',
    text: "error instanceof ProviderError && error.kind === 'invalid_credentials'",
    replacement: 'false',
    killedBy: signInTests('that has expired is renewed'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a rate limit is mistaken for revoked credentials',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "new ProviderError('limited', errorText, { retryAfterMs })",
    replacement: "new ProviderError('invalid_credentials', errorText, { retryAfterMs })",
    killedBy: signInTests(
      'with the error type in both a rate limit has the pause that the provider requests',
    ),
  },
  {
    ...at,
    kind: 'rule',
    description: 'the duration of a rate limit is ignored',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "new ProviderError('limited', errorText, { retryAfterMs })",
    replacement: "new ProviderError('limited', errorText)",
    killedBy: signInTests(
      'with the error type in both a rate limit has the pause that the provider requests',
    ),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a request to a starting database is not retried',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "? 'invalid_credentials' : 'unavailable'",
    replacement: "? 'invalid_credentials' : 'malformed'",
    killedBy: signInTests('with the error type in data a request to a starting database is sent again'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a user without one permission loses all access',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "return 'scope_missing'",
    replacement: "return 'invalid_credentials'",
    killedBy: signInTests('with the error type in errors a missing permission is reported as scope_missing'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'the server of the sign-in response is ignored',
    file: 'src/providers/geotab/auth.ts',
    text: "path === 'ThisServer' ? server : path",
    replacement: 'server',
    killedBy: signInTests('continues on the server that the sign-in names'),
  },
]
