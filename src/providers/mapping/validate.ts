import type { z } from 'zod'
import { ProviderError } from '../provider-error.ts'

/** Validates a provider's data. Throws a `malformed` error with the path of each mismatch. */
export function validate<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const result = shape.safeParse(value)
  if (!result.success) throw new ProviderError('malformed', result.error.issues.map(describeIssue).join('; '))
  return result.data
}

const describeIssue = ({ path, message }: { path: PropertyKey[]; message: string }) =>
  `${path.join('.')}: ${message}`
