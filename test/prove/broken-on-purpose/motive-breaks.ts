import type { Break, Guard } from './break.ts'

const truth = (model: string): Guard => ({
  file: 'test/integration/providers/truth.test.ts',
  only: `reads of .?motive.? .* ${model}$`,
})

const golden: Guard = { file: 'test/unit/providers/golden.test.ts', only: 'golden pairs of motive' }
const shifting = (only: string): Guard => ({ file: 'test/unit/providers/motive/shifting.test.ts', only })
const signIn = (only: string): Guard => ({ file: 'test/integration/providers/motive/sign-in.test.ts', only })

const at = { provider: 'motive' } as const
const PAGES = 'src/providers/motive/readers/paging/pages.ts'
const CONVERSIONS = 'src/providers/motive/mappers/conversions.ts'

export const motiveBreaks: readonly Break[] = [
  {
    ...at,
    kind: 'unit',
    description: 'distances stay in miles',
    file: CONVERSIONS,
    text: 'inMetric(distance, isMetric, milesToKilometers)',
    replacement: 'inMetric(distance, isMetric, (miles) => miles)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'speeds stay in miles per hour',
    file: CONVERSIONS,
    text: 'inMetric(speed, isMetric, milesPerHourToKilometersPerHour)',
    replacement: 'inMetric(speed, isMetric, (milesPerHour) => milesPerHour)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'fuel stays in gallons',
    file: CONVERSIONS,
    text: 'inMetric(volume, isMetric, usGallonsToLiters)',
    replacement: 'inMetric(volume, isMetric, (gallons) => gallons)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'metric values are converted again',
    file: CONVERSIONS,
    text: 'isMetric ? value : convert(value)',
    replacement: 'convert(value)',
    guard: golden,
  },
  {
    ...at,
    kind: 'unit',
    description: 'durations stay in seconds',
    file: CONVERSIONS,
    text: 'null : secondsToMilliseconds(seconds)',
    replacement: 'null : seconds',
    guard: truth('HOSAvailableTime'),
  },
  {
    ...at,
    kind: 'unit',
    description: 'engine hours are mistaken for minutes',
    file: CONVERSIONS,
    text: 'null : hoursToMilliseconds(hours)',
    replacement: 'null : Math.round(hours * 60_000)',
    guard: truth('VehicleStatLog'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a list ends after its first page',
    file: PAGES,
    text: 'if (isLast || read <= cursor.read)',
    replacement: 'if (isLast || read > place.read)',
    guard: shifting('a stable list is not checked for shifts'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a shift of a list during the read is not detected',
    file: PAGES,
    text: 'if (!isFound) return',
    replacement: 'if (!isFound && false) return',
    guard: shifting('a list that moves up by a whole page loses nobody'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a constantly shifting list is mistaken for an unreadable one',
    file: PAGES,
    text: "throw new ProviderError('unavailable', `${path} changes during each read`)",
    replacement: "throw new ProviderError('malformed', `${path} changes during each read`)",
    guard: shifting('a list that never stands still is not read today'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a missing scope disconnects the account',
    file: 'src/providers/motive/error-mapping.ts',
    text: "throw new ProviderError('scope_missing', 'the account lacks a permission', { cause: error })",
    replacement: 'throw error',
    guard: signIn('without one scope reads the other models, refused by .?401'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a revoked grant is mistaken for a missing scope',
    file: 'src/providers/motive/error-mapping.ts',
    text: '|| !(await isSignedIn(api))',
    replacement: '',
    guard: signIn('ends when the fleet revokes it, with token errors as .?oauth'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a grant refusal without a body is not recognized',
    file: 'src/providers/motive/auth.ts',
    text: 'treatsBare400AsRefusal: true',
    replacement: 'treatsBare400AsRefusal: false',
    guard: signIn('ends when the fleet revokes it, with token errors as .?as_elsewhere.? and body .?empty'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a refresh omits the redirect URL of the code',
    file: 'src/providers/motive/auth.ts',
    text: 'sendsRedirectUri: true',
    replacement: 'sendsRedirectUri: false',
    guard: signIn('is renewed with its redirect URI'),
  },
]
