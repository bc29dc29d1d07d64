import { type ErrorDetail, OdographError } from './errors.ts'
import { type RetryOptions, retryAfterMs, type wait, backoffMs } from './backoff.ts'

/** Request that may be sent several times. */
export interface TransportRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether a second request has no further effect. */
  readonly isIdempotent: boolean
  readonly signal?: AbortSignal | undefined
  /** Key by which the service recognizes a repetition of this change. */
  readonly idempotencyKey?: string | undefined
}

export interface TransportResponse {
  /** Method and URL of the request, without its query. */
  readonly address: string
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface TransportSettings extends RetryOptions {
  readonly fetch: typeof fetch
  /** Timeout of one attempt, including the time to read the response. */
  readonly timeoutMs: number
  readonly wait: typeof wait
}

export type Transport = (sent: TransportRequest) => Promise<TransportResponse>

/**
 * Creates a transport with retries. It retries rate-limited requests. It retries requests with an idempotency key
 * also when their response is lost, and idempotent requests also when the service fails.
 */
export const createTransport =
  (settings: TransportSettings): Transport =>
  async (sent) => {
    for (let attempts = 1; ; attempts++) {
      const outcome = await attempt(sent, settings)
      if (!(outcome instanceof OdographError)) return outcome
      const ms = isRetryable(outcome, sent) ? backoffMs(attempts, demandedMs(outcome), settings) : null
      if (ms === null) throw outcome
      await settings.wait(ms, sent.signal)
    }
  }

const RETRIED_STATUSES = new Set([408, 500, 502, 503, 504])

/** Error of a repetition while the first request still runs. GraphQL writes error codes in capitals. */
const KEY_IN_USE = 'idempotency_key_in_use'

function isRetryable(
  { status, code }: OdographError,
  { isIdempotent, idempotencyKey }: TransportRequest,
): boolean {
  if (status === null) return isIdempotent || idempotencyKey !== undefined
  if (code.toLowerCase() === KEY_IN_USE) return true
  // After an error of the service, a request may have had its effect, and its key is free again.
  return status === 429 || (isIdempotent && RETRIED_STATUSES.has(status))
}

const TRANSIENT_CODES = new Set([
  'connection_failed',
  'timed_out',
  'too_many_requests',
  'internal_server_error',
  'bad_gateway',
  'service_unavailable',
  'gateway_timeout',
])

/** Returns whether a later attempt can succeed. GraphQL writes error codes in capitals. */
export const isTransient = (error: unknown): error is OdographError =>
  error instanceof OdographError &&
  (TRANSIENT_CODES.has(error.code.toLowerCase()) ||
    error.status === 429 ||
    RETRIED_STATUSES.has(error.status ?? 0))

const demandedMs = ({ retryAfterSeconds }: OdographError): number | null =>
  retryAfterSeconds === null ? null : retryAfterSeconds * 1000

async function attempt(
  sent: TransportRequest,
  { fetch, timeoutMs }: TransportSettings,
): Promise<TransportResponse | OdographError> {
  const { method, url, body, signal, idempotencyKey } = sent
  const headers =
    idempotencyKey === undefined ? sent.headers : { ...sent.headers, 'idempotency-key': idempotencyKey }
  signal?.throwIfAborted()
  const timeout = AbortSignal.timeout(timeoutMs)
  const address = addressOf(method, url)
  try {
    const response = await fetch(url, {
      method,
      headers,
      // A redirect could send the key to another server.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body }),
    })
    const received = {
      address,
      status: response.status,
      headers: response.headers,
      bytes: new Uint8Array(await response.arrayBuffer()),
    }
    return response.ok ? received : refusalOf(received)
  } catch (cause) {
    signal?.throwIfAborted()
    return timeout.aborted
      ? new OdographError('timed_out', `The service did not respond within ${timeoutMs} ms.`, {
          address,
          cause,
        })
      : unreachable(address, cause)
  }
}

/** Returns the method and the URL of a request. The query is left out, because it can be long. */
export const addressOf = (method: string, url: string): string => `${method} ${url.split('?', 1)[0]}`

export const unreachable = (address: string, cause: unknown): OdographError =>
  new OdographError('connection_failed', 'The service cannot be reached.', { address, cause })

interface Refusal {
  readonly code?: unknown
  readonly message?: unknown
  readonly detail?: ErrorDetail
  readonly retryAfter?: unknown
  readonly errors?: readonly { message?: string; extensions?: { code?: string; detail?: ErrorDetail } }[]
}

/** Reads the error of a REST or GraphQL response. */
export function refusalOf({ address, status, headers, bytes }: TransportResponse): OdographError {
  const { code, message, detail, retryAfter, errors } = readRefusal(bytes)
  const [first] = errors ?? []
  const inHeader = retryAfterMs(headers.get('retry-after'), Date.now())
  const inBody = typeof retryAfter === 'number' ? retryAfter : null
  return new OdographError(
    String(first?.extensions?.code ?? code ?? 'unreadable_answer'),
    String(first?.message ?? message ?? `The service responded with ${status}.`),
    {
      status,
      address,
      detail: first?.extensions?.detail ?? detail ?? null,
      requestId: headers.get('x-request-id'),
      retryAfterSeconds: inHeader === null ? inBody : inHeader / 1000,
    },
  )
}

function readRefusal(bytes: Uint8Array): Refusal {
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes))
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

/** Parses the JSON of a response. */
export function jsonOf({ address, status, headers, bytes }: TransportResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    const requestId = headers.get('x-request-id')
    throw new OdographError('unreadable_answer', 'The response is not JSON.', {
      status,
      address,
      requestId,
      cause,
    })
  }
}
