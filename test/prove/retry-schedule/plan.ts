/**
 * Specified retry delays in seconds after each failed attempt. The proof does not use the production
 * constant.
 */
export const PLAN: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

export const ATTEMPTS = PLAN.length + 1
const ALL_SECONDS = 75 * 3600 + 35 * 60
const JITTER = 0.2
const SLACK_SECONDS = 60

/** Returns the seconds between requests. The last one precedes the replay and follows no schedule. */
export const waitsOf = (cameAt: readonly number[]): number[] =>
  cameAt.slice(1, ATTEMPTS).map((at, index) => (at - (cameAt[index] ?? 0)) / 1000)

/** Returns the delays that deviate from the schedule by more than a fifth, apart from a small lateness. */
export function offPlan(waits: readonly number[]): string[] {
  const isOff = (seconds: number, planned: number, slack: number) =>
    seconds < (1 - JITTER) * planned - 1 || seconds > (1 + JITTER) * planned + slack
  const failures = PLAN.flatMap((planned, index) => {
    const seconds = waits[index]
    if (seconds === undefined) return [`the wait of ${planned} s after attempt ${index + 1} was not reached`]
    if (!isOff(seconds, planned, SLACK_SECONDS)) return []
    return [`after attempt ${index + 1} it waited ${Math.round(seconds)} s, not ${planned} s`]
  })
  const all = waits.reduce((sum, seconds) => sum + seconds, 0)
  if (isOff(all, ALL_SECONDS, SLACK_SECONDS * PLAN.length))
    failures.push(`all in all it waited ${Math.round(all)} s, not ${ALL_SECONDS} s`)
  return failures
}
