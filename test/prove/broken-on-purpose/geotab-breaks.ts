import type { Break, Guard } from './break.ts'

const golden: Guard = { file: 'test/unit/providers/golden.test.ts', only: 'golden pairs of geotab' }
const signIn = (only: string): Guard => ({ file: 'test/integration/providers/geotab/sign-in.test.ts', only })
const truth = (model: string): Guard => ({
  file: 'test/integration/providers/truth.test.ts',
  only: `reads of .?geotab.? .* ${model}$`,
})

const at = { provider: 'geotab' } as const
const RECORDS = 'src/providers/geotab/readers'

export const geotabBreaks: readonly Break[] = [
  {
    ...at,
    kind: 'unit',
    description: 'engine hours stay in seconds',
    file: `${RECORDS}/measurements.ts`,
    text: "type: 'engine_runtime', value: secondsToMilliseconds",
    replacement: "type: 'engine_runtime', value: (seconds) => seconds",
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'odometers stay in meters',
    file: `${RECORDS}/measurements.ts`,
    text: 'rounded(metersToKilometers(meters), 3)',
    replacement: 'rounded(meters, 3)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'trips of databases in meters stay in meters',
    file: `${RECORDS}/trip.ts`,
    text: 'isInMeters ? metersToKilometers(distance) : distance',
    replacement: 'distance',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'trips of databases in kilometers are divided by a thousand',
    file: `${RECORDS}/trip.ts`,
    text: 'isInMeters ? metersToKilometers(distance) : distance',
    replacement: 'metersToKilometers(distance)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'the days of a timespan are ignored',
    file: 'src/providers/geotab/schema-types.ts',
    text: '(Number(days) * 24 + Number(hours)) * 60',
    replacement: 'Number(hours) * 60',
    guard: { file: 'test/unit/providers/golden.test.ts', only: 'golden pairs of geotab' },
  },
  {
    ...at,
    kind: 'unit',
    description: 'a timespan is in seconds',
    file: 'src/providers/geotab/schema-types.ts',
    text: 'secondsToMilliseconds(whole + Number(seconds))',
    replacement: 'whole + Number(seconds)',
    guard: truth('HOSAvailableTime'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'an expired session is not opened again',
    file: 'src/providers/http/request-signing.ts',
    text: "error instanceof ProviderError && error.kind === 'revoked'",
    replacement: 'false',
    guard: signIn('that has expired is renewed'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a rate limit is mistaken for revoked credentials',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "new ProviderError('limited', errorText, { retryAfterMs })",
    replacement: "new ProviderError('revoked', said, { retryAfterMs })",
    guard: signIn('with the error type in both a rate limit has the pause that the provider requests'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'the duration of a rate limit is ignored',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "new ProviderError('limited', errorText, { retryAfterMs })",
    replacement: "new ProviderError('limited', said)",
    guard: signIn('with the error type in both a rate limit has the pause that the provider requests'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a request to a starting database is not retried',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "? 'revoked' : 'unavailable'",
    replacement: "? 'revoked' : 'malformed'",
    guard: signIn('with the error type in data a request to a starting database is sent again'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a user without one permission loses all access',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "return 'scope_missing'",
    replacement: "return 'revoked'",
    guard: signIn('with the error type in errors a missing permission is reported as scope_missing'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'the server of the sign-in response is ignored',
    file: 'src/providers/geotab/auth.ts',
    text: "path === 'ThisServer' ? server : path",
    replacement: 'server',
    guard: signIn('continues on the server that the sign-in names'),
  },
]
