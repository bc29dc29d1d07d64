/** What a check has found: `fail` keeps the service from working as it should, `warn` will do so one day. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What to do about it. */
  readonly advice?: string
}

export const ok = (check: string, found: string): Finding => ({ check, state: 'ok', found })

export const warn = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'warn',
  found,
  advice,
})

export const fail = (check: string, found: string, advice: string): Finding => ({
  check,
  state: 'fail',
  found,
  advice,
})

/** What an error says, with its code where it has one. */
export function describeError(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return [message, code].filter(Boolean)[0] ?? String(error)
}

const MAX_SKEW_MS = 1000

/** How far another clock is from the one here, asked so that half of the time on the way is taken off. */
export async function clockFinding(check: string, ask: () => Promise<number>): Promise<Finding> {
  const begun = Date.now()
  const there = await ask()
  const skewMs = Math.round(there - (begun + Date.now()) / 2)
  const found = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this host`
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok(check, found)
    : fail(check, found, 'set both clocks with NTP: leases and stamps compare times of several hosts')
}
