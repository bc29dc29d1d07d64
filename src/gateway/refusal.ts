import { type ExecutionResult, GraphQLError } from 'graphql'
import type { PublicError } from '../domain/errors.ts'

/** Returns the result of an operation that is refused before it runs. */
export const refusalResult = (originalError: PublicError): ExecutionResult => ({
  errors: [new GraphQLError(originalError.message, { originalError })],
})
