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
    says: 'engine hours stay in seconds',
    file: `${RECORDS}/measurements.ts`,
    text: "type: 'engine_runtime', value: secondsToMilliseconds",
    instead: "type: 'engine_runtime', value: (seconds) => seconds",
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'odometers stay in meters',
    file: `${RECORDS}/measurements.ts`,
    text: 'rounded(metersToKilometers(meters), 3)',
    instead: 'rounded(meters, 3)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'trips of databases in meters stay in meters',
    file: `${RECORDS}/trip.ts`,
    text: 'isInMeters ? metersToKilometers(distance) : distance',
    instead: 'distance',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'trips of databases in kilometers are divided by a thousand',
    file: `${RECORDS}/trip.ts`,
    text: 'isInMeters ? metersToKilometers(distance) : distance',
    instead: 'metersToKilometers(distance)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    says: 'the days of a timespan are ignored',
    file: 'src/providers/geotab/schema-types.ts',
    text: '(Number(days) * 24 + Number(hours)) * 60',
    instead: 'Number(hours) * 60',
    guard: { file: 'test/unit/providers/golden.test.ts', only: 'golden pairs of geotab' },
  },
  {
    ...at,
    kind: 'unit',
    says: 'a timespan is in seconds',
    file: 'src/providers/geotab/schema-types.ts',
    text: 'secondsToMilliseconds(whole + Number(seconds))',
    instead: 'whole + Number(seconds)',
    guard: truth('HOSAvailableTime'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'an expired session is not opened again',
    file: 'src/providers/http/request-signing.ts',
    text: "error instanceof ProviderError && error.kind === 'revoked'",
    instead: 'false',
    guard: signIn('that has expired is renewed'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'a rate limit is mistaken for revoked credentials',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "new ProviderError('limited', said, { retryAfterMs })",
    instead: "new ProviderError('revoked', said, { retryAfterMs })",
    guard: signIn('with the error type in both a rate limit has the pause that the provider requests'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'the duration of a rate limit is ignored',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "new ProviderError('limited', said, { retryAfterMs })",
    instead: "new ProviderError('limited', said)",
    guard: signIn('with the error type in both a rate limit has the pause that the provider requests'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'a request to a starting database is not retried',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "? 'revoked' : 'unavailable'",
    instead: "? 'revoked' : 'malformed'",
    guard: signIn('with the error type in data a request to a starting database is sent again'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'a user without one permission loses all access',
    file: 'src/providers/geotab/error-mapping.ts',
    text: "return 'scope_missing'",
    instead: "return 'revoked'",
    guard: signIn('with the error type in errors a missing permission is reported as scope_missing'),
  },
  {
    ...at,
    kind: 'rule',
    says: 'the server of the sign-in response is ignored',
    file: 'src/providers/geotab/auth.ts',
    text: "path === 'ThisServer' ? server : path",
    instead: 'server',
    guard: signIn('continues on the server that the sign-in names'),
  },
]
