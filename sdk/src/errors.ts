/** Problem of a request with its location, such as `{requestQuery}.limit`. */
export interface RequestProblem {
  readonly message: string
  readonly path: string
  readonly suggestion?: string
}

export type ErrorDetail = string | readonly RequestProblem[]

interface ErrorFacts {
  readonly status?: number | null
  readonly detail?: ErrorDetail | null
  readonly requestId?: string | null
  readonly retryAfterSeconds?: number | null
  readonly cause?: unknown
}

/**
 * Error of a request. `code` is the error code of the service, such as not_found or connection_disconnected,
 * or one of this client: connection_failed, timed_out, unreadable_answer, repeated_cursor.
 */
export class OdographError extends Error {
  override readonly name: string = 'OdographError'
  /** HTTP status; null without a response. */
  readonly status: number | null
  /** Problems with their locations for 400 and 422, a sentence for other statuses. */
  readonly detail: ErrorDetail | null
  /** Id of the request in the log of the service. Quote it when you report the error. */
  readonly requestId: string | null
  /** Wait that the service demands before the next request. */
  readonly retryAfterSeconds: number | null

  constructor(
    readonly code: string,
    message: string,
    { status = null, detail = null, requestId = null, retryAfterSeconds = null, cause }: ErrorFacts = {},
  ) {
    super(message, cause === undefined ? undefined : { cause })
    this.status = status
    this.detail = detail
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

export interface GraphQLProblem {
  readonly message: string
  readonly path?: readonly (string | number)[]
  readonly extensions?: {
    readonly code?: string
    readonly detail?: ErrorDetail
    readonly retryAfter?: number
  }
}

/** GraphQL response with errors. `code` is that of the first error, such as BAD_USER_INPUT. */
export class OdographGraphQLError extends OdographError {
  override readonly name: string = 'OdographGraphQLError'

  constructor(
    readonly errors: readonly GraphQLProblem[],
    /** Partial data of the response. */
    readonly data: unknown,
    { status, requestId }: Pick<ErrorFacts, 'status' | 'requestId'>,
  ) {
    const { message = 'The response is empty.', extensions = {} } = errors[0] ?? {}
    const { code = 'unreadable_answer', detail = null, retryAfter = null } = extensions
    super(code, message, {
      detail,
      retryAfterSeconds: retryAfter,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
    })
  }
}
