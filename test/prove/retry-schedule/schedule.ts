/**
 * Specified retry delays in seconds after each failed attempt. The proof does not use the production
 * constant.
 */
export const RETRY_DELAYS: readonly number[] = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400]

export const ATTEMPTS = RETRY_DELAYS.length + 1
const TOTAL_SECONDS = 75 * 3600 + 35 * 60
const JITTER = 0.2
const SLACK_SECONDS = 60

/** Returns the seconds between the scheduled requests. The last request is the replay, which follows no schedule. */
export const waitsOf = (receivedAt: readonly number[]): number[] =>
  receivedAt.slice(1, ATTEMPTS).map((at, index) => (at - (receivedAt[index] ?? 0)) / 1000)

/** Returns a failure for each delay that is more than a fifth off the schedule, apart from a small lateness. */
export function deviations(waits: readonly number[]): string[] {
  const deviates = (seconds: number, planned: number, slack: number) =>
    seconds < (1 - JITTER) * planned - 1 || seconds > (1 + JITTER) * planned + slack
  const failures = RETRY_DELAYS.flatMap((planned, index) => {
    const seconds = waits[index]
    if (seconds === undefined)
      return [`attempt ${index + 2}, due ${planned} s after attempt ${index + 1}, did not arrive`]
    if (!deviates(seconds, planned, SLACK_SECONDS)) return []
    return [`after attempt ${index + 1} it waited ${Math.round(seconds)} s, not ${planned} s`]
  })
  const total = waits.reduce((sum, seconds) => sum + seconds, 0)
  if (deviates(total, TOTAL_SECONDS, SLACK_SECONDS * RETRY_DELAYS.length))
    failures.push(`the total wait was ${Math.round(total)} s, not ${TOTAL_SECONDS} s`)
  return failures
}
