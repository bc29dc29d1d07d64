import { type Setting, settings } from './settings.ts'

/** Environment variable that is no setting, but is spelt almost like one. */
export interface MisspeltVariable {
  readonly variable: string
  readonly setting: string
}

/**
 * Finds variables that are one typing mistake away from a setting which is not set, such as `CORS_ORIGIN`. The
 * environment also has variables of other programs, so they cannot be refused.
 */
export function misspeltVariables(
  environment: Readonly<Record<string, string | undefined>>,
): readonly MisspeltVariable[] {
  const known = Object.values(settings as Record<string, Setting>).flatMap(({ variable }) => variable ?? [])
  const unset = known.filter((name) => !environment[name])
  return Object.keys(environment)
    .filter((variable) => environment[variable] && !known.includes(variable))
    .flatMap((variable) => {
      const setting = unset.find((name) => isOneMistakeAway(variable, name))
      return setting === undefined ? [] : [{ variable, setting }]
    })
}

/** Whether two words differ by one character that is added, missing or different, or by two that are swapped. */
function isOneMistakeAway(one: string, other: string): boolean {
  const shorter = Math.min(one.length, other.length)
  let start = 0
  while (start < shorter && one[start] === other[start]) start++
  let end = 0
  while (end < shorter - start && one.at(-1 - end) === other.at(-1 - end)) end++
  const [left, right] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (left.length <= 1 && right.length <= 1) return true
  return left.length === 2 && right === `${left[1]}${left[0]}`
}
