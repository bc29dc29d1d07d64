import { decided } from './outline/decided.ts'
import { endpoints } from './outline/endpoints.ts'
import { operations } from './outline/operations.ts'
import type { Part, Requirement } from './outline/part.ts'
import { resources } from './outline/resources.ts'
import { rules } from './outline/rules.ts'

/**
 * Requirements by part: one statement for each sentence and table row of the specification. Parts have its numbers.
 * Other parts begin with `d` for later decisions, `c` for quirks of clients, and `g` for gaps of the specification.
 */
export const parts: readonly Part[] = [...resources, ...endpoints, ...rules, ...operations, ...decided]

/** MUST: a client breaks without it. SHOULD: a client works with restrictions. MAY: an extension of Odograph. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

export interface Statement {
  readonly id: string
  readonly part: string
  readonly level: Level
  readonly description: string
}

const withLevel = (description: Requirement): Pick<Statement, 'level' | 'description'> =>
  typeof description === 'string' ? { level: 'MUST', description } : description

export const statements: readonly Statement[] = parts.flatMap(({ part, statements }) =>
  Object.entries(statements).map(([slug, description]) => ({
    id: `${part}-${slug}`,
    part,
    ...withLevel(description),
  })),
)
