import type { Level } from './outline.ts'
import type { Verdict } from './run.ts'

/** Labels of verdicts. */

const signs = { holds: 'ok', 'does not hold': 'FAILED', 'not applicable': 'n/a' } as const

export function lineOf({ check: { id, level, description }, outcome, remark }: Verdict): string {
  const line = `${signs[outcome].padEnd(7)}${level.padEnd(7)}${id.padEnd(46)} ${description}`
  return outcome === 'holds' || remark === '' ? line : `${line}\n${' '.repeat(14)}${remark}`
}

const levels: readonly Level[] = ['MUST', 'SHOULD', 'MAY']

export function summaryOf(verdicts: readonly Verdict[]): string {
  const count = (level: Level, outcome: Verdict['outcome']) =>
    verdicts.filter(({ check, outcome: was }) => check.level === level && was === outcome).length
  return levels
    .map(
      (level) =>
        `${level.padEnd(7)}${count(level, 'holds')} hold, ${count(level, 'does not hold')} do not, ${count(level, 'not applicable')} not applicable`,
    )
    .join('\n')
}

/** Returns whether all MUST statements hold. */
export const conforms = (verdicts: readonly Verdict[]): boolean =>
  verdicts.every(({ check, outcome }) => check.level !== 'MUST' || outcome !== 'does not hold')
