import type { Ready } from '../support/service-process.ts'

/** A request without a response within this time counts as hung. */
const HANG_MS = 30_000

export interface Answer<Body> {
  readonly status: number
  readonly body: Body
}

/** Credentials of a caller; a token restricts it to a connection. */
export interface Credentials {
  readonly secretKey: string
  readonly token?: string
}

/** A client that counts responses by status, including failures. */
export class Client {
  /** Responses by path and status; `refused` and `hung` without a response. */
  readonly counts = new Map<string, number>()
  /** First unexpected responses of each kind. */
  readonly odd: string[] = []
  slowestMs = 0

  constructor(private readonly ready: Ready) {}

  rest<Body>(
    credentials: Credentials,
    method: string,
    path: string,
    body?: object,
  ): Promise<Answer<Body> | null> {
    return this.ask(`${method} ${path.split('?')[0]?.replace(/_\w{26}/, '_…')}`, this.ready.restUrl + path, {
      method,
      headers: headersOf(credentials),
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  }

  /** Returns the data of an operation; null if it has none or has errors. */
  async graphql<Data>(
    credentials: Credentials,
    query: string,
    variables: Readonly<Record<string, unknown>>,
  ): Promise<Data | null> {
    const answer = await this.ask<{ data?: Data; errors?: readonly GraphqlError[] }>(
      'graphql',
      this.ready.graphqlUrl,
      { method: 'POST', headers: headersOf(credentials), body: JSON.stringify({ query, variables }) },
    )
    const [error] = answer?.body.errors ?? []
    if (error) this.note(`graphql ${error.extensions?.code}`, JSON.stringify(error))
    return error ? null : (answer?.body.data ?? null)
  }

  private async ask<Body>(what: string, url: string, request: RequestInit): Promise<Answer<Body> | null> {
    const begun = performance.now()
    try {
      const response = await fetch(url, { ...request, signal: AbortSignal.timeout(HANG_MS) })
      const text = await response.text()
      this.note(`${what} ${response.status}`, text)
      return { status: response.status, body: JSON.parse(text) as Body }
    } catch (error) {
      this.note(`${what} ${(error as Error).name === 'TimeoutError' ? 'hung' : 'refused'}`, String(error))
      return null
    } finally {
      this.slowestMs = Math.max(this.slowestMs, performance.now() - begun)
    }
  }

  private note(kind: string, text: string): void {
    const count = (this.counts.get(kind) ?? 0) + 1
    this.counts.set(kind, count)
    if (count <= 2 && / (5\d\d|INTERNAL\w*|undefined|hung)$/.test(kind))
      this.odd.push(`${new Date().toISOString()} ${kind}: ${text.slice(0, 400)}`)
  }
}

interface GraphqlError {
  readonly extensions?: { readonly code?: string }
}

const headersOf = ({ secretKey, token }: Credentials): Record<string, string> => ({
  authorization: `Bearer ${secretKey}`,
  'content-type': 'application/json',
  ...(token === undefined ? {} : { 'connection-token': token }),
})
