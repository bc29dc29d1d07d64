/** Error codes of the API, each with its HTTP status and its GraphQL code. */
export const errorCodes = {
  bad_request: { status: 400, graphql: 'BAD_USER_INPUT' },
  cost_limit_exceeded: { status: 400, graphql: 'COST_LIMIT_EXCEEDED' },
  document_not_found: { status: 400, graphql: 'DOCUMENT_NOT_FOUND' },
  document_not_trusted: { status: 403, graphql: 'DOCUMENT_NOT_TRUSTED' },
  unauthorized: { status: 401, graphql: 'UNAUTHENTICATED' },
  forbidden: { status: 403, graphql: 'FORBIDDEN' },
  not_found: { status: 404, graphql: 'NOT_FOUND' },
  method_not_allowed: { status: 405, graphql: 'METHOD_NOT_ALLOWED' },
  conflict: { status: 409, graphql: 'CONFLICT' },
  idempotency_key_in_use: { status: 409, graphql: 'IDEMPOTENCY_KEY_IN_USE' },
  gone: { status: 410, graphql: 'GONE' },
  payload_too_large: { status: 413, graphql: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, graphql: 'UNSUPPORTED_MEDIA_TYPE' },
  unprocessable_entity: { status: 422, graphql: 'UNPROCESSABLE_ENTITY' },
  idempotency_key_reused: { status: 422, graphql: 'IDEMPOTENCY_KEY_REUSED' },
  invalid_credentials: { status: 422, graphql: 'INVALID_CREDENTIALS' },
  insufficient_permissions: { status: 422, graphql: 'INSUFFICIENT_PERMISSIONS' },
  connection_disconnected: { status: 422, graphql: 'CONNECTION_DISCONNECTED' },
  too_many_requests: { status: 429, graphql: 'TOO_MANY_REQUESTS' },
  internal_server_error: { status: 500, graphql: 'INTERNAL_SERVER_ERROR' },
  not_implemented: { status: 501, graphql: 'NOT_IMPLEMENTED' },
  bad_gateway: { status: 502, graphql: 'BAD_GATEWAY' },
  service_unavailable: { status: 503, graphql: 'SERVICE_UNAVAILABLE' },
  gateway_timeout: { status: 504, graphql: 'GATEWAY_TIMEOUT' },
} as const

export type ErrorCode = keyof typeof errorCodes

/** Problem in a request. `path` locates it, for example `{requestQuery}.limit`. */
export interface Problem {
  readonly message: string
  readonly path: string
  readonly suggestion?: string
}

interface PublicErrorOptions {
  readonly cause?: unknown
  /** List of problems for status 400; list or text for 422; text for any other status. */
  readonly detail?: string | readonly Problem[]
  /** Time after which a retry can succeed. It is rounded up, because `Retry-After` has whole seconds only. */
  readonly retryAfterSeconds?: number
}

/** Error that a caller may see. Any other error becomes INTERNAL_SERVER_ERROR with a fixed message. */
export class PublicError extends Error {
  readonly detail?: string | readonly Problem[]
  readonly retryAfterSeconds?: number

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, detail, retryAfterSeconds }: PublicErrorOptions = {},
  ) {
    super(message, { cause })
    this.name = 'PublicError'
    if (detail !== undefined) this.detail = detail
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = Math.max(1, Math.ceil(retryAfterSeconds))
  }

  /** Extensions of the GraphQL error; graphql-js copies them into the response. */
  get extensions(): Record<string, unknown> {
    return {
      code: errorCodes[this.code].graphql,
      ...(this.detail ? { detail: this.detail } : {}),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfter: this.retryAfterSeconds }),
    }
  }
}

/** Returns the error for an invalid argument of a field. */
export const invalidArgument = (path: string, message: string): PublicError =>
  new PublicError('bad_request', message, { detail: [{ message, path }] })

/** Returns the error for an invalid member of a mutation's `input`. */
export const invalidMember = (member: string, message: string): PublicError =>
  invalidArgument(`input.${member}`, message)

export const INTERNAL_MESSAGE = 'Something went wrong on our side. Quote the request id when you report it.'

const codesByGraphqlCode = new Map<string, ErrorCode>(
  Object.entries(errorCodes).map(([code, { graphql }]) => [graphql, code as ErrorCode]),
)

/** Returns the error code for a GraphQL code; `internal_server_error` for an unknown one. */
export const codeFromGraphql = (code: unknown): ErrorCode =>
  codesByGraphqlCode.get(String(code)) ?? 'internal_server_error'

/** Returns the error code for a GraphQL code. An unknown code, such as that of a custom subgraph, stays as it is. */
export const nameOfCode = (code: unknown): string => codesByGraphqlCode.get(String(code)) ?? String(code)

export const isPublic = (error: unknown): error is PublicError => error instanceof PublicError

/** Whether an error rejects the request itself (4xx), as opposed to a failure of the service (5xx). */
export const isClientError = (error: unknown): error is PublicError =>
  isPublic(error) && errorCodes[error.code].status < 500
