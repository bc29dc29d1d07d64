import { GraphQLError } from 'graphql'
import { errorCodes, type ErrorCode } from '../../domain/errors.ts'

/** Errors of remote subgraphs as callers see them: they name the subgraph, never its address. */

export const unavailable = (name: string, cause?: unknown): GraphQLError =>
  failure('service_unavailable', `The subgraph ${name} is unavailable. Try again later.`, cause)

export const timedOut = (name: string, cause?: unknown): GraphQLError =>
  failure('gateway_timeout', `The subgraph ${name} did not answer in time.`, cause)

export const invalidResponse = (name: string, cause?: unknown): GraphQLError =>
  failure('bad_gateway', `The subgraph ${name} returned an invalid response.`, cause)

export const interrupted = (name: string): GraphQLError =>
  failure('service_unavailable', `The subgraph ${name} ended the subscription. Subscribe again.`)

const RETRY_AFTER_SECONDS = 1

function failure(code: ErrorCode, message: string, cause?: unknown): GraphQLError {
  const retryHint = code === 'bad_gateway' ? {} : { retryAfter: RETRY_AFTER_SECONDS }
  return new GraphQLError(message, {
    extensions: { code: errorCodes[code].graphql, ...retryHint },
    originalError: cause instanceof Error ? new Error(cause.message, { cause }) : null,
  })
}
