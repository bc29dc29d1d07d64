import type { z } from 'zod'
import { ProviderError } from '../provider-error.ts'

/** Keys that lead from the data to a value. The key of a list item is a number. */
export type InvalidPath = readonly PropertyKey[]

/** Error: data of a provider does not have its schema. */
export class InvalidData extends ProviderError {
  constructor(
    message: string,
    /** Path of each mismatch. */
    readonly paths: readonly InvalidPath[],
  ) {
    super('malformed', message)
  }
}

/** Validates a provider's data. Throws an error with the path of each mismatch. */
export function validate<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const { success, data, error } = shape.safeParse(value)
  if (success) return data
  const { issues } = error
  throw new InvalidData(
    issues.map(describeIssue).join('; '),
    issues.map(({ path }) => path),
  )
}

const describeIssue = ({ path, message }: { path: PropertyKey[]; message: string }) =>
  `${path.join('.')}: ${message}`
