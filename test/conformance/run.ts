import { type Check, NotApplicable, Unmet } from './check.ts'
import { suite } from './suite.ts'
import { type Access, Subject } from './subject.ts'

export interface Verdict {
  readonly check: Check
  readonly outcome: 'holds' | 'does not hold' | 'not applicable'
  readonly remark: string
}

/** Runs checks one after another in suite order, and yields each verdict. */
export async function* run(
  access: Access,
  only: (check: Check) => boolean = () => true,
): AsyncGenerator<Verdict> {
  const subject = new Subject({ ...access, url: originOf(access.url) })
  for (const check of suite.filter(only)) yield await runCheck(check, subject)
}

/** URLs may end in a slash, and may include the version. */
const originOf = (url: string): string => url.replace(/\/+$/, '').replace(/\/tsp\/v1$/, '')

async function runCheck(check: Check, subject: Subject): Promise<Verdict> {
  try {
    return { check, outcome: 'holds', remark: (await check.run(subject)) ?? '' }
  } catch (error) {
    if (error instanceof NotApplicable) return { check, outcome: 'not applicable', remark: error.message }
    const remark = error instanceof Unmet ? error.message : String((error as Error).stack ?? error)
    return { check, outcome: 'does not hold', remark }
  }
}
