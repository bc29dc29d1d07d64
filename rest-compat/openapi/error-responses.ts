import { STATUS_CODES } from 'node:http'
import { type ErrorCode, errorCodes, INTERNAL_MESSAGE } from '../../src/domain/errors.ts'
import type { Route } from '../route.ts'
import type { JsonSchema } from './json-schema.ts'

// Error responses of routes and their schemas.

/** Errors that every route can have. */
const alwaysPossible: readonly ErrorCode[] = [
  'bad_request',
  'cost_limit_exceeded',
  'unauthorized',
  'too_many_requests',
  'internal_server_error',
  'service_unavailable',
  'gateway_timeout',
]

/** Returns the errors that a route can have. */
export function errorsOf({
  method,
  auth,
  params,
  requestBody,
  response,
  mayFailWith = [],
}: Route): ErrorCode[] {
  return [
    ...alwaysPossible,
    ...(auth === 'none' ? [] : (['forbidden'] as const)),
    ...(params || response.mayMiss ? (['not_found'] as const) : []),
    ...(requestBody ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    ...(method === 'GET' ? [] : (['idempotency_key_in_use', 'idempotency_key_reused'] as const)),
    ...mayFailWith,
  ]
}

/** Returns references to the responses of errors, by status. */
export function errorResponsesOf(codes: readonly ErrorCode[]): [string, JsonSchema][] {
  const statuses = [...new Set(codes.map((code) => errorCodes[code].status))].toSorted((a, b) => a - b)
  return statuses.map((status) => [String(status), { $ref: `#/components/responses/${nameOf(status)}` }])
}

const nameOf = (status: number): string => (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '')

const problem: JsonSchema = {
  type: 'object',
  properties: {
    message: { type: 'string', description: 'The reason for the problem.' },
    path: {
      type: 'string',
      description: 'The location, such as `{requestQuery}.limit` or `{requestBody}.company.name`.',
    },
    suggestion: { type: 'string', description: 'The likely intended name or value.' },
  },
  required: ['message', 'path'],
}

export const errorComponents: Readonly<Record<string, JsonSchema>> = { Problem: problem }

const problems: JsonSchema = { type: 'array', items: { $ref: '#/components/schemas/Problem' } }
const text: JsonSchema = { type: 'string' }

/** Returns the schema of `detail` for a status: a list of problems for 400, either for 422, else a text. */
const detailOf = (status: number): JsonSchema => {
  if (status === 400) return problems
  return status === 422 ? { anyOf: [problems, text] } : text
}

const examples: Readonly<Partial<Record<ErrorCode, Readonly<Record<string, unknown>>>>> = {
  bad_request: {
    message: 'The query cannot be read.',
    detail: [
      { message: 'There is no such parameter.', path: '{requestQuery}.driverId', suggestion: 'driverIds' },
    ],
  },
  unauthorized: { message: 'The request is not authenticated.', detail: 'The secret key is unknown.' },
  forbidden: {
    message: 'The connection token is not valid.',
    detail: 'Send the token of one of your connections in the Connection-Token header.',
  },
  not_found: { message: 'There is no such vehicle.' },
  method_not_allowed: { message: 'This path supports GET, HEAD.' },
  conflict: { message: 'A sync is running.', detail: 'sync_01J8ZQ4N5R8X2V6T3W1Y7K9M0P is in progress.' },
  gone: { message: 'The event is no longer in the log.', detail: 'Read the lists again.' },
  payload_too_large: { message: 'The body is too large.' },
  unsupported_media_type: { message: 'Send application/json in UTF-8.' },
  unprocessable_entity: { message: 'The connection is archived.' },
  too_many_requests: {
    message: 'The request rate of the application is used up. Retry after 2 seconds.',
    retryAfter: 2,
  },
  internal_server_error: { message: INTERNAL_MESSAGE, detail: 'req-1' },
  not_implemented: { message: 'The provider does not offer this.' },
  bad_gateway: { message: 'The provider failed.' },
  service_unavailable: { message: 'Try again in a moment.' },
  gateway_timeout: { message: 'The provider took too long.' },
}

const RETRY_AFTER_DESCRIPTION = 'The seconds to wait before the next request.'

/** Headers of responses to authenticated requests: the rate limit that is closest to being used up. */
export const rateLimitHeaders: JsonSchema = {
  'RateLimit-Policy': {
    description:
      'The rate limit as a structured field: its name, the points of a window (`q`) and the seconds of a window (`w`).',
    schema: { type: 'string' },
    example: '"application";q=3000000;w=60',
  },
  RateLimit: {
    description:
      'The state of the rate limit: its name, the remaining points (`r`) and the seconds until all are available again (`t`).',
    schema: { type: 'string' },
    example: '"application";r=2998900;t=1',
  },
}

/** Codes that only GraphQL has: the documents of REST are fixed. */
const graphqlCodes: ReadonlySet<ErrorCode> = new Set(['document_not_found', 'document_not_trusted'])

/** Error responses by name. */
export const errorResponses: Readonly<Record<string, JsonSchema>> = Object.fromEntries(
  [...new Set(Object.values(errorCodes).map(({ status }) => status))].map((status) => [
    nameOf(status),
    responseOf(status),
  ]),
)

function responseOf(status: number): JsonSchema {
  const codes = (Object.keys(errorCodes) as ErrorCode[]).filter(
    (code) => errorCodes[code].status === status && !graphqlCodes.has(code),
  )
  const [code = 'internal_server_error'] = codes
  const isRateLimit = status === 429
  return {
    description: `${STATUS_CODES[status]}.`,
    ...(isRateLimit
      ? {
          headers: {
            'Retry-After': { description: RETRY_AFTER_DESCRIPTION, schema: { type: 'integer' } },
            ...rateLimitHeaders,
          },
        }
      : {}),
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            code: { type: 'string', enum: codes },
            message: { type: 'string', description: 'A human-readable sentence.' },
            detail: detailOf(status),
            retryAfter: { type: 'integer', description: RETRY_AFTER_DESCRIPTION },
          },
          required: ['code', 'message', ...(isRateLimit ? ['retryAfter'] : [])],
        },
        example: { code, ...examples[code] },
      },
    },
  }
}
