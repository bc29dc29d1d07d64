import type { HosLogRecord } from '../../../src/providers/sandbox/simulator/records/hos/logs.ts'

const HOUR_MS = 3_600_000

/** A duty log as times; an open log ends at `nowMs`. */
export interface Duty {
  readonly status: string
  readonly startMs: number
  readonly endMs: number
}

export const dutiesOf = (logs: readonly HosLogRecord[], nowMs: number): Duty[] =>
  logs.map(({ status, startedAt, endedAt }) => ({
    status,
    startMs: Date.parse(startedAt),
    endMs: endedAt === null ? nowMs : Date.parse(endedAt),
  }))

/**
 * 49 CFR 395.2, and 395.28 for personal conveyance: off duty includes the berth. Waiting at a well site is
 * 395.1(d)(2).
 */
const OFF_DUTY = new Set(['off_duty', 'sleeper_berth', 'personal_conveyance', 'well_site_waiting'])

/** Returns every violation of 49 CFR 395.3 in a driver's logs, which start with a rest. */
export function breachesOf(duties: readonly Duty[]): string[] {
  const rests = runsOf(duties, ({ status }) => OFF_DUTY.has(status))
  const pauses = runsOf(duties, ({ status }) => status !== 'driving')
  const lastEnd = (runs: readonly Run[], hours: number, beforeMs: number) =>
    runs.findLast(({ startMs, endMs }) => endMs <= beforeMs && endMs - startMs >= hours * HOUR_MS)?.endMs
  return duties
    .filter(({ status }) => status === 'driving')
    .flatMap(({ startMs, endMs }) => {
      const breach = (rule: string) => `${rule} ${new Date(startMs).toISOString()}`
      const shiftMs = lastEnd(rests, 10, startMs)
      if (shiftMs === undefined) return [breach('(a)(1) drives without ten hours off')]
      const drivenMs = timeIn(duties, shiftMs, endMs, ({ status }) => status === 'driving')
      const pauseMs = lastEnd(pauses, 0.5, startMs) ?? shiftMs
      const unbrokenMs = timeIn(duties, pauseMs, endMs, ({ status }) => status === 'driving')
      const cycleMs = Math.max(endMs - 192 * HOUR_MS, lastEnd(rests, 34, startMs) ?? 0)
      const workedMs = timeIn(duties, cycleMs, endMs, ({ status }) => !OFF_DUTY.has(status))
      return [
        ...(endMs - shiftMs > 14 * HOUR_MS ? [breach('(a)(2) drives after the 14th hour')] : []),
        ...(drivenMs > 11 * HOUR_MS ? [breach('(a)(3)(i) drives more than 11 hours')] : []),
        ...(unbrokenMs > 8 * HOUR_MS
          ? [breach('(a)(3)(ii) drives 8 hours without a break of 30 minutes')]
          : []),
        ...(workedMs > 70 * HOUR_MS ? [breach('(b)(2) drives after 70 hours in 8 days')] : []),
      ]
    })
}

interface Run {
  readonly startMs: number
  readonly endMs: number
}

/** Returns the longest intervals in which all logs fulfil a condition. */
function runsOf(duties: readonly Duty[], holds: (duty: Duty) => boolean): Run[] {
  const runs: { startMs: number; endMs: number }[] = []
  for (const duty of duties.filter(holds)) {
    const last = runs.at(-1)
    if (last?.endMs === duty.startMs) last.endMs = duty.endMs
    else runs.push({ startMs: duty.startMs, endMs: duty.endMs })
  }
  return runs
}

function timeIn(duties: readonly Duty[], fromMs: number, toMs: number, holds: (duty: Duty) => boolean) {
  return duties
    .filter(holds)
    .reduce(
      (sum, { startMs, endMs }) => sum + Math.max(0, Math.min(endMs, toMs) - Math.max(startMs, fromMs)),
      0,
    )
}
