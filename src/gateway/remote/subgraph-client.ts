import { setTimeout as wait } from 'node:timers/promises'
import { CircuitBreaker } from './circuit-breaker.ts'
import { invalidResponse, timedOut, unavailable } from './errors.ts'

/** Where a subgraph in another process is. */
export interface SubgraphAddress {
  readonly name: string
  readonly url: string
  /** How long one fetch may take, with everything that it is tried; a mutation has 20 s at least. */
  readonly timeoutMs: number
}

/** More than a mutation has for what it asks of a provider: who is told sooner that no answer came asks for it again. */
const MIN_WRITE_MS = 20_000
const MAX_ATTEMPTS = 3
const FIRST_PAUSE_MS = 50
const PROBE_MS = 500
/** What a proxy or a server that is going down answers in place of a subgraph. */
const TRANSIENT_STATUSES = new Set([502, 503, 504])

/** Every fetch of one subgraph in another process, over connections that are kept: in time, and again where that is safe. */
export class SubgraphClient {
  private readonly circuit = new CircuitBreaker(() => this.answers())

  constructor(readonly address: SubgraphAddress) {}

  get name(): string {
    return this.address.name
  }

  /** A query, which is sent again where the subgraph could not be reached. */
  readonly read = (_url: string, options: RequestInit = {}): Promise<Response> =>
    this.send(options, MAX_ATTEMPTS, this.address.timeoutMs)

  /** A mutation, which may have been done although no answer came: it is sent once. */
  readonly write = (_url: string, options: RequestInit = {}): Promise<Response> =>
    this.send(options, 1, Math.max(this.address.timeoutMs, MIN_WRITE_MS))

  /** Opens a stream, which stays open until the signal; only its beginning has a deadline. */
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

  /** Whether there is a server that answers, whatever it says. */
  async answers(): Promise<boolean> {
    try {
      const response = await fetch(this.address.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"query":"{ __typename }"}',
        signal: AbortSignal.timeout(PROBE_MS),
      })
      await response.arrayBuffer()
      return !TRANSIENT_STATUSES.has(response.status)
    } catch {
      return false
    }
  }

  private async send(options: RequestInit, tries: number, timeoutMs: number): Promise<Response> {
    if (!(await this.circuit.allowsRequest())) throw unavailable(this.name)
    const deadline = AbortSignal.timeout(timeoutMs)
    for (let attempt = 1; ; attempt++) {
      const answer = await this.attempt(options, deadline).catch((cause: unknown) => {
        this.circuit.failed()
        if (deadline.aborted) throw timedOut(this.name, cause)
        if (attempt >= tries) throw unavailable(this.name, cause)
      })
      if (answer) {
        this.circuit.succeeded()
        return this.checked(answer)
      }
      await wait(FIRST_PAUSE_MS * 3 ** (attempt - 1) * (0.5 + Math.random()))
    }
  }

  /** The whole answer: one that breaks off is tried again like one that never came. */
  private async attempt(options: RequestInit, signal: AbortSignal): Promise<Response> {
    const response = await fetch(this.address.url, { ...options, signal })
    const text = await response.text()
    if (TRANSIENT_STATUSES.has(response.status))
      throw new Error(`the subgraph was answered for with ${response.status}`)
    const contentType = response.headers.get('content-type') ?? ''
    return new Response(text, { status: response.status, headers: { 'content-type': contentType } })
  }

  private checked(response: Response): Response {
    if (isJson(response)) return response
    throw invalidResponse(this.name, new Error(`it answered with ${response.status} and no JSON`))
  }
}

export const isJson = ({ headers }: Response): boolean =>
  /^application\/([\w.-]+\+)?json\b/.test(headers.get('content-type') ?? '')
