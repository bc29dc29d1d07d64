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
  /** Method and URL of the request, without its query. */
  readonly address?: string
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
    {
      status = null,
      detail = null,
      address,
      requestId = null,
      retryAfterSeconds = null,
      cause,
    }: ErrorFacts = {},
  ) {
    super(describe(message, detail, address), cause === undefined ? undefined : { cause })
    this.status = status
    this.detail = detail
    this.requestId = requestId
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Returns the message with its details and the address, because logs often show nothing else of an error. */
function describe(message: string, detail: ErrorDetail | null, address: string | undefined): string {
  const problems =
    typeof detail === 'string'
      ? [detail]
      : (detail ?? []).filter((problem) => problem.message !== message).map(describeProblem)
  const place = address === undefined ? [] : [`(${address})`]
  return [message, ...problems, ...place].join(' ')
}

const describeProblem = ({ message, path, suggestion }: RequestProblem): string =>
  `${path}: ${message}${suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`}`

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
    { status, requestId, address }: Pick<ErrorFacts, 'status' | 'requestId' | 'address'>,
  ) {
    const { message = 'The response is empty.', extensions = {} } = errors[0] ?? {}
    const { code = 'unreadable_answer', detail = null, retryAfter = null } = extensions
    super(code, message, {
      detail,
      retryAfterSeconds: retryAfter,
      ...(status === undefined ? {} : { status }),
      ...(requestId === undefined ? {} : { requestId }),
      ...(address === undefined ? {} : { address }),
    })
  }
}
