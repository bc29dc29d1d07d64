import { type ErrorDetail, OdographError } from './errors.ts'
import { type RetryOptions, retryAfterMs, type wait, backoffMs } from './backoff.ts'

/** A request that may be made several times. */
export interface TransportRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Whether it does no more when it is made twice. */
  readonly isIdempotent: boolean
  readonly signal?: AbortSignal | undefined
}

export interface TransportResponse {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array
}

export interface TransportSettings extends RetryOptions {
  readonly fetch: typeof fetch
  /** How long one attempt may take, its answer included. */
  readonly timeoutMs: number
  readonly wait: typeof wait
}

export type Transport = (sent: TransportRequest) => Promise<TransportResponse>

/**
 * Sends a request until it is answered. What was refused for its rate is sent again, and what is idempotent also where
 * the service failed or could not be reached.
 */
export const createTransport =
  (settings: TransportSettings): Transport =>
  async (sent) => {
    for (let attempts = 1; ; attempts++) {
      const outcome = await attempt(sent, settings)
      if (!(outcome instanceof OdographError)) return outcome
      const ms = isRetryable(outcome, sent) ? backoffMs(attempts, askedMs(outcome), settings) : null
      if (ms === null) throw outcome
      await settings.wait(ms, sent.signal)
    }
  }

const REPEATED = new Set([408, 500, 502, 503, 504])

const isRetryable = ({ status }: OdographError, { isIdempotent }: TransportRequest): boolean =>
  status === 429 || (isIdempotent && (status === null || REPEATED.has(status)))

const TRANSIENT_CODES = new Set([
  'connection_failed',
  'timed_out',
  'too_many_requests',
  'internal_server_error',
  'bad_gateway',
  'service_unavailable',
  'gateway_timeout',
])

/** Whether it may be well by itself, however often it was tried; GraphQL writes codes in capitals. */
export const isTransient = (error: unknown): error is OdographError =>
  error instanceof OdographError &&
  (TRANSIENT_CODES.has(error.code.toLowerCase()) || error.status === 429 || REPEATED.has(error.status ?? 0))

const askedMs = ({ retryAfterSeconds }: OdographError): number | null =>
  retryAfterSeconds === null ? null : retryAfterSeconds * 1000

async function attempt(
  sent: TransportRequest,
  { fetch, timeoutMs }: TransportSettings,
): Promise<TransportResponse | OdographError> {
  const { method, url, headers, body, signal } = sent
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(timeoutMs)
  try {
    const answer = await fetch(url, {
      method,
      headers,
      // A key goes nowhere but where it was meant to go.
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, late]) : late,
      ...(body === undefined ? {} : { body }),
    })
    const received = {
      status: answer.status,
      headers: answer.headers,
      bytes: new Uint8Array(await answer.arrayBuffer()),
    }
    return answer.ok ? received : refusalOf(received)
  } catch (cause) {
    signal?.throwIfAborted()
    return late.aborted
      ? new OdographError('timed_out', `The service did not answer within ${timeoutMs} ms.`, { cause })
      : unanswered(cause)
  }
}

export const unanswered = (cause: unknown): OdographError =>
  new OdographError('connection_failed', 'The service cannot be reached.', { cause })

interface Refusal {
  readonly code?: unknown
  readonly message?: unknown
  readonly detail?: ErrorDetail
  readonly retryAfter?: unknown
  readonly errors?: readonly { message?: string; extensions?: { code?: string; detail?: ErrorDetail } }[]
}

/** The error that an answer tells of; GraphQL tells of it in another form. */
export function refusalOf({ status, headers, bytes }: TransportResponse): OdographError {
  const { code, message, detail, retryAfter, errors } = readRefusal(bytes)
  const [first] = errors ?? []
  const asked = retryAfterMs(headers.get('retry-after'), Date.now())
  const inBody = typeof retryAfter === 'number' ? retryAfter : null
  return new OdographError(
    String(first?.extensions?.code ?? code ?? 'unreadable_answer'),
    String(first?.message ?? message ?? `The service answered ${status}.`),
    {
      status,
      detail: first?.extensions?.detail ?? detail ?? null,
      requestId: headers.get('x-request-id'),
      retryAfterSeconds: asked === null ? inBody : asked / 1000,
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

/** The JSON of an answer. */
export function jsonOf({ status, headers, bytes }: TransportResponse): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch (cause) {
    const requestId = headers.get('x-request-id')
    throw new OdographError('unreadable_answer', 'The answer is no JSON.', { status, requestId, cause })
  }
}
