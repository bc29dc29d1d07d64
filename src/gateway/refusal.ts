import { type ExecutionResult, GraphQLError } from 'graphql'

/** Returns the result of an operation that is refused before it runs. */
export const refusalResult = (originalError: Error): ExecutionResult => ({
  errors: [new GraphQLError(originalError.message, { originalError })],
})
