import type { Answer, PlainError } from './rig.ts'

export interface Comparable {
  readonly data: unknown
  readonly errors: readonly string[]
}

/** What must be equal between engines: the data, and the errors as a set. */
export const comparable = ({ data, errors = [] }: Answer): Comparable => ({
  data: data ?? null,
  errors: [...new Set(errors.map(told))].sort(),
})

const told = ({ path = [], message, extensions }: PlainError): string =>
  `${path.join('.') || '(operation)'} ${extensions?.code ?? 'no code'}: ${message}`
