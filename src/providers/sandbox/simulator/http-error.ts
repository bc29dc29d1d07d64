/** Error codes by status. Any other status has the code `unavailable`. */
const CODES = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'scope_missing',
  404: 'not_found',
  405: 'method_not_allowed',
  413: 'too_large',
  429: 'rate_limited',
  500: 'internal',
} as const

/** Error that becomes a response with its status. Any part of a request handler may throw it. */
export class HttpError extends Error {
  readonly status: number
  readonly code: string
  readonly headers: Record<string, string>

  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = status in CODES ? CODES[status as keyof typeof CODES] : 'unavailable'
    this.headers = headers
  }
}

export function badRequest(message: string): HttpError {
  return new HttpError(400, message)
}
