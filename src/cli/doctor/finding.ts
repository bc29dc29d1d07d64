/** Result of a check. `fail`: the service cannot work correctly. `warn`: it works, but a problem can follow. */
export interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** How to repair the problem. */
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

/** Returns the message of an error, or its code if it has no message. */
export function describeError(error: unknown): string {
  const { code, message } = error as { code?: string; message?: string }
  return [message, code].filter(Boolean)[0] ?? String(error)
}

const MAX_SKEW_MS = 1000

/**
 * Compares the clock of a server with the local clock. It assumes that the server read its clock halfway through the
 * call.
 */
export async function clockFinding(check: string, readClock: () => Promise<number>): Promise<Finding> {
  const begun = Date.now()
  const serverTime = await readClock()
  const skewMs = Math.round(serverTime - (begun + Date.now()) / 2)
  const found = `${Math.abs(skewMs)} ms ${skewMs < 0 ? 'behind' : 'ahead of'} this host`
  return Math.abs(skewMs) <= MAX_SKEW_MS
    ? ok(check, found)
    : fail(
        check,
        found,
        'set both clocks with NTP: leases and timestamps compare the clocks of several hosts',
      )
}
