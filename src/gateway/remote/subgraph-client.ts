import { setTimeout as wait } from 'node:timers/promises'
import { CircuitBreaker } from './circuit-breaker.ts'
import { invalidResponse, timedOut, unavailable } from './errors.ts'
import { deadlineSignal } from '../../platform/lifecycle/deadline.ts'

/** Address of a remote subgraph. */
export interface SubgraphAddress {
  readonly name: string
  readonly url: string
  /** Time in ms for one request with all its retries. A mutation has at least 20 s. */
  readonly timeoutMs: number
}

/**
 * Minimum timeout of a mutation. It is longer than a mutation waits for a provider. After an earlier timeout, the
 * caller would repeat a mutation that is still running.
 */
const MIN_WRITE_MS = 20_000
const MAX_ATTEMPTS = 3
const FIRST_DELAY_MS = 50
const PROBE_MS = 500
/** Statuses of a proxy that does not reach the server, or of a server that is shutting down. */
const TRANSIENT_STATUSES = new Set([502, 503, 504])

/** HTTP client of a remote subgraph, with keep-alive connections, deadlines, and retries of queries. */
export class SubgraphClient {
  private readonly circuit = new CircuitBreaker(() => this.answers())

  constructor(readonly address: SubgraphAddress) {}

  get name(): string {
    return this.address.name
  }

  /** Sends a query. Retries it if the subgraph does not answer or answers with a transient status. */
  readonly read = (_url: string, options: RequestInit = {}): Promise<Response> =>
    this.send(options, MAX_ATTEMPTS, this.address.timeoutMs)

  /** Sends a mutation once, because it may have run even if no answer came. */
  readonly write = (_url: string, options: RequestInit = {}): Promise<Response> =>
    this.send(options, 1, Math.max(this.address.timeoutMs, MIN_WRITE_MS))

  /** Opens a stream that lasts until `signal` aborts; only the response headers have a deadline. */
  async open(options: RequestInit, signal: AbortSignal): Promise<Response> {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), this.address.timeoutMs)
    try {
      return await fetch(this.address.url, { ...options, signal: AbortSignal.any([signal, deadline.signal]) })
    } catch (cause) {
      throw deadline.signal.aborted ? timedOut(this.name, cause) : unavailable(this.name, cause)
    } finally {
      clearTimeout(timer)
    }
  }

  /** Whether a server answers, with any status except a transient one. */
  async answers(): Promise<boolean> {
    try {
      const response = await fetch(this.address.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ __typename }"}',
        signal: deadlineSignal(PROBE_MS),
      })
      await response.arrayBuffer()
      return !TRANSIENT_STATUSES.has(response.status)
    } catch {
      return false
    }
  }

  private async send(options: RequestInit, maxAttempts: number, timeoutMs: number): Promise<Response> {
    if (!(await this.circuit.allowsRequest())) throw unavailable(this.name)
    const deadline = deadlineSignal(timeoutMs)
    for (let attempt = 1; ; attempt++) {
      const response = await this.attempt(options, deadline).catch((cause: unknown) => {
        this.circuit.failed()
        if (deadline.aborted) throw timedOut(this.name, cause)
        if (attempt >= maxAttempts) throw unavailable(this.name, cause)
      })
      if (response) {
        this.circuit.succeeded()
        return this.requireJson(response)
      }
      await wait(FIRST_DELAY_MS * 3 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  /** Reads the whole response, so that a broken body is retried like a missing response. */
  private async attempt(options: RequestInit, signal: AbortSignal): Promise<Response> {
    const response = await fetch(this.address.url, { ...options, signal })
    const text = await response.text()
    if (TRANSIENT_STATUSES.has(response.status)) throw new Error(`transient status ${response.status}`)
    const contentType = response.headers.get('content-type') ?? ''
    return new Response(text, { status: response.status, headers: { 'content-type': contentType } })
  }

  private requireJson(response: Response): Response {
    if (isJson(response)) return response
    throw invalidResponse(this.name, new Error(`status ${response.status} without JSON`))
  }
}

export const isJson = ({ headers }: Response): boolean =>
  /^application\/([\w.-]+\+)?json\b/i.test(headers.get('content-type') ?? '')

export const isEventStream = ({ headers }: Response): boolean =>
  /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')
