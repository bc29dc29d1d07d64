/** Every code that a caller can meet, with its HTTP status and the code that GraphQL clients know. */
export const errorCodes = {
  bad_request: { status: 400, graphql: 'BAD_USER_INPUT' },
  unauthorized: { status: 401, graphql: 'UNAUTHENTICATED' },
  forbidden: { status: 403, graphql: 'FORBIDDEN' },
  not_found: { status: 404, graphql: 'NOT_FOUND' },
  method_not_allowed: { status: 405, graphql: 'METHOD_NOT_ALLOWED' },
  conflict: { status: 409, graphql: 'CONFLICT' },
  gone: { status: 410, graphql: 'GONE' },
  payload_too_large: { status: 413, graphql: 'PAYLOAD_TOO_LARGE' },
  unsupported_media_type: { status: 415, graphql: 'UNSUPPORTED_MEDIA_TYPE' },
  unprocessable_entity: { status: 422, graphql: 'UNPROCESSABLE_ENTITY' },
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

/** One thing that is wrong with a request, and where: `{requestQuery}.limit`. */
export interface Problem {
  readonly message: string
  readonly path: string
  readonly suggestion?: string
}

interface Details {
  readonly cause?: unknown
  /** A list of problems for 400 and 422, a sentence for the others. */
  readonly detail?: string | readonly Problem[]
  /** When it makes sense to try again. */
  readonly retryAfterSeconds?: number
}

/** The only error a caller meets. Anything else leaves as INTERNAL_SERVER_ERROR with a fixed sentence. */
export class PublicError extends Error {
  readonly detail?: string | readonly Problem[]
  readonly retryAfterSeconds?: number

  constructor(
    readonly code: ErrorCode,
    message: string,
    { cause, detail, retryAfterSeconds }: Details = {},
  ) {
    super(message, { cause })
    this.name = 'PublicError'
    if (detail !== undefined) this.detail = detail
    if (retryAfterSeconds !== undefined) this.retryAfterSeconds = retryAfterSeconds
  }

  /** How GraphQL clients see it; graphql-js copies this into the error of the answer. */
  get extensions(): Record<string, unknown> {
    return {
      code: errorCodes[this.code].graphql,
      ...(this.detail ? { detail: this.detail } : {}),
      ...(this.retryAfterSeconds === undefined ? {} : { retryAfter: this.retryAfterSeconds }),
    }
  }
}

export const INTERNAL_MESSAGE = 'Something went wrong on our side. Quote the request id when you report it.'

const codeOfGraphql = new Map<string, ErrorCode>(
  Object.entries(errorCodes).map(([code, { graphql }]) => [graphql, code as ErrorCode]),
)

/** The REST code of an error that came out of GraphQL. */
export const codeFromGraphql = (code: unknown): ErrorCode =>
  codeOfGraphql.get(String(code)) ?? 'internal_server_error'

export const isPublic = (error: unknown): error is PublicError => error instanceof PublicError

/** What a caller is refused for what they asked; not that nobody can be asked at the moment. */
export const isRefusal = (error: unknown): error is PublicError =>
  isPublic(error) && errorCodes[error.code].status < 500
