import { decided } from './outline/decided.ts'
import { endpoints } from './outline/endpoints.ts'
import { operations } from './outline/operations.ts'
import type { Part, Says } from './outline/part.ts'
import { resources } from './outline/resources.ts'
import { rules } from './outline/rules.ts'

/**
 * What the specification and the decisions after it bind the service to, part by part: one statement for each
 * sentence and each row of a table. Numbers are the specification's; `d` stands before those of decisions, `c` before
 * clients' quirks and `g` before those of the document that fills its gaps.
 */
export const parts: readonly Part[] = [...resources, ...endpoints, ...rules, ...operations, ...decided]

/** MUST: a client breaks without it. SHOULD: a client works, but not as promised. MAY: an extension of ours. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

export interface Statement {
  readonly id: string
  readonly part: string
  readonly level: Level
  readonly says: string
}

const levelled = (says: Says): Pick<Statement, 'level' | 'says'> =>
  typeof says === 'string' ? { level: 'MUST', says } : says

export const statements: readonly Statement[] = parts.flatMap(({ part, statements }) =>
  Object.entries(statements).map(([slug, says]) => ({ id: `${part}-${slug}`, part, ...levelled(says) })),
)
