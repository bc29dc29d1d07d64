import type { Mutant, TestSelection } from './mutant.ts'

const comparisonTests = (model: string): TestSelection => ({
  file: 'test/integration/providers/truth.test.ts',
  only: `reads of .?motive.? .* ${model}$`,
})

const goldenTests: TestSelection = {
  file: 'test/unit/providers/golden.test.ts',
  only: 'golden pairs of motive',
}
const shiftTests = (only: string): TestSelection => ({
  file: 'test/unit/providers/motive/shifting.test.ts',
  only,
})
const signInTests = (only: string): TestSelection => ({
  file: 'test/integration/providers/motive/sign-in.test.ts',
  only,
})

const at = { provider: 'motive' } as const
const PAGES = 'src/providers/motive/readers/paging/pages.ts'
const CONVERSIONS = 'src/providers/motive/mappers/conversions.ts'

export const motiveMutants: readonly Mutant[] = [
  {
    ...at,
    kind: 'unit',
    description: 'distances stay in miles',
    file: CONVERSIONS,
    text: 'inMetric(distance, isMetric, milesToKilometers)',
    replacement: 'inMetric(distance, isMetric, (miles) => miles)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'speeds stay in miles per hour',
    file: CONVERSIONS,
    text: 'inMetric(speed, isMetric, milesPerHourToKilometersPerHour)',
    replacement: 'inMetric(speed, isMetric, (milesPerHour) => milesPerHour)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'fuel stays in gallons',
    file: CONVERSIONS,
    text: 'inMetric(volume, isMetric, usGallonsToLiters)',
    replacement: 'inMetric(volume, isMetric, (gallons) => gallons)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'metric values are converted again',
    file: CONVERSIONS,
    text: 'isMetric ? value : convert(value)',
    replacement: 'convert(value)',
    killedBy: goldenTests,
  },
  {
    ...at,
    kind: 'unit',
    description: 'durations stay in seconds',
    file: CONVERSIONS,
    text: 'null : secondsToMilliseconds(seconds)',
    replacement: 'null : seconds',
    killedBy: comparisonTests('HOSAvailableTime'),
  },
  {
    ...at,
    kind: 'unit',
    description: 'engine hours are mistaken for minutes',
    file: CONVERSIONS,
    text: 'null : hoursToMilliseconds(hours)',
    replacement: 'null : Math.round(hours * 60_000)',
    killedBy: comparisonTests('VehicleStatLog'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a list ends after its first page',
    file: PAGES,
    text: 'if (isLast || read <= cursor.read)',
    replacement: 'if (isLast || read > place.read)',
    killedBy: shiftTests('an unchanged list is read in the minimum number of pages'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a shift of a list during the read is not detected',
    file: PAGES,
    text: 'if (!isFound) return',
    replacement: 'if (!isFound && false) return',
    killedBy: shiftTests('a list that shifts up by a whole page loses no record'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a constantly shifting list is mistaken for an unreadable one',
    file: PAGES,
    text: "throw new ProviderError('unavailable', `${path} changes during each read`)",
    replacement: "throw new ProviderError('malformed', `${path} changes during each read`)",
    killedBy: shiftTests('a list that always shifts fails as unavailable'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a missing scope disconnects the account',
    file: 'src/providers/motive/error-mapping.ts',
    text: "throw new ProviderError('scope_missing', 'the account lacks a permission', { cause: error })",
    replacement: 'throw error',
    killedBy: signInTests('without one scope reads the other models, refused by .?401'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a revoked grant is mistaken for a missing scope',
    file: 'src/providers/motive/error-mapping.ts',
    text: '|| !(await isSignedIn(api))',
    replacement: '',
    killedBy: signInTests('ends when the fleet revokes it, with token errors as .?oauth'),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a grant refusal without a body is not recognized',
    file: 'src/providers/motive/auth.ts',
    text: 'treatsBare400AsRefusal: true',
    replacement: 'treatsBare400AsRefusal: false',
    killedBy: signInTests(
      'ends when the fleet revokes it, with token errors as .?as_elsewhere.? and body .?empty',
    ),
  },
  {
    ...at,
    kind: 'rule',
    description: 'a refresh omits the redirect URL of the code',
    file: 'src/providers/motive/auth.ts',
    text: 'sendsRedirectUri: true',
    replacement: 'sendsRedirectUri: false',
    killedBy: signInTests('is renewed with its redirect URI'),
  },
]
