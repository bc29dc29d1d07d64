import { statements, type Level, type Statement } from './outline.ts'
import type { Subject } from './subject.ts'

/** One requirement of the specification. `run` may return a remark for the table. */
export interface Check {
  /** Part and statement; a case follows after a slash if one statement has several checks. */
  readonly id: string
  readonly part: string
  readonly level: Level
  readonly description: string
  run(subject: Subject): Promise<string | void>
}

/** The service does not fulfil the statement. */
export class Unmet extends Error {}

/** The fleet or the command line lacks something that the check needs. */
export class NotApplicable extends Error {}

const byId = new Map(statements.map((statement): [string, Statement] => [statement.id, statement]))

/** Creates the check of an outline statement, or of one case of it. */
export function check(statement: string, run: Check['run'], of?: string): Check {
  const found = byId.get(statement)
  if (!found) throw new Error(`unknown statement ${statement}`)
  const { part, level, description } = found
  return of === undefined
    ? { id: statement, part, level, description, run }
    : { id: `${statement}/${of}`, part, level, description: `${description} [${of}]`, run }
}

export function fail(message: string): never {
  throw new Unmet(message)
}

export function holds(condition: unknown, message: string): asserts condition {
  if (!condition) fail(message)
}

export function equals(got: unknown, expected: unknown, what: string): void {
  const [one, other] = [written(got), written(expected)]
  if (one !== other) fail(`${what}: expected ${shortened(other)}, got ${shortened(one)}`)
}

/** Returns JSON with sorted members, so that equal values give equal texts. */
function written(value: unknown): string {
  return String(
    JSON.stringify(value, (_, inner: unknown) =>
      typeof inner === 'object' && inner !== null && !Array.isArray(inner)
        ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
        : inner,
    ),
  )
}

export const shortened = (text: string, most = 300): string =>
  text.length > most ? `${text.slice(0, most)}…` : text
