import type { z } from 'zod'
import { ProviderError } from '../provider-error.ts'

/** What a provider sent, in the shape that it must have; else it is malformed, and the error says where. */
export function validate<Shape extends z.ZodType>(shape: Shape, value: unknown): z.infer<Shape> {
  const result = shape.safeParse(value)
  if (!result.success) throw new ProviderError('malformed', result.error.issues.map(describeIssue).join('; '))
  return result.data
}

const describeIssue = ({ path, message }: { path: PropertyKey[]; message: string }) =>
  `${path.join('.')}: ${message}`
