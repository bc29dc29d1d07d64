/** One thing that is wrong with a request, and where: `{requestQuery}.limit`. */
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
 * Everything that fails. Its code is the one that the service gave, such as not_found or connection_disconnected, or of
 * this client: connection_failed, timed_out, unreadable_answer, repeated_cursor.
 */
export class OdographError extends Error {
  override readonly name: string = 'OdographError'
  /** The HTTP status; null where nothing answered. */
  readonly status: number | null
  /** Problems with their places for 400 and 422, a sentence for the others. */
  readonly detail: ErrorDetail | null
  /** What to quote when it is reported. */
  readonly requestId: string | null
  /** How long the service asks to be left alone. */
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

/** A GraphQL answer with errors; its code is that of the first, such as BAD_USER_INPUT. */
export class OdographGraphQLError extends OdographError {
  override readonly name: string = 'OdographGraphQLError'

  constructor(
    readonly errors: readonly GraphQLProblem[],
    /** What was answered all the same. */
    readonly data: unknown,
    { status, requestId }: Pick<ErrorFacts, 'status' | 'requestId'>,
  ) {
    const { message = 'There is no answer.', extensions = {} } = errors[0] ?? {}
    const { code = 'unreadable_answer', detail = null, retryAfter = null } = extensions
    super(code, message, {
      detail,
      retryAfterSeconds: retryAfter,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
    })
  }
}
