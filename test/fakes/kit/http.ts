import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'

export interface Call {
  readonly method: string
  readonly path: string
  /** Path parameters, by their names in the route. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as text, another value as JSON. */
  readonly body?: unknown
}

export type Handler = (call: Call) => Answer | Promise<Answer>

export interface Route {
  readonly method: string
  /** Such as /api/devices/:id. */
  readonly path: string
  readonly handle: Handler
}

export const ok = (body: unknown): Answer => ({ status: 200, body })

/** Returns the name of an endpoint, such as GET /api/devices/:id. */
export const endpointOf = ({ method, path }: Pick<Route, 'method' | 'path'>): string => `${method} ${path}`

/** Returns the path parameters of a route; null if the path does not match. */
export function paramsOf(route: string, path: string): Record<string, string> | null {
  const [wanted, given] = [route.split('/'), path.split('/')]
  if (wanted.length !== given.length) return null
  const params: Record<string, string> = {}
  for (const [index, part] of wanted.entries()) {
    const value = given[index] as string
    if (part.startsWith(':')) params[part.slice(1)] = decodeURIComponent(value)
    else if (part !== value) return null
  }
  return params
}

export async function callOf(request: IncomingMessage): Promise<Call> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://fake')
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return {
    method: request.method ?? 'GET',
    path: pathname,
    params: {},
    query: searchParams,
    headers: request.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

/** Returns body and headers as they are sent. */
export function serialize({ headers = {}, body }: Answer): { headers: Record<string, string>; text: string } {
  if (body === undefined) return { headers: { ...headers }, text: '' }
  if (typeof body === 'string') return { headers: { 'content-type': 'text/plain', ...headers }, text: body }
  return { headers: { 'content-type': 'application/json', ...headers }, text: JSON.stringify(body) }
}

export function send(response: ServerResponse, answer: Answer): void {
  const { headers, text } = serialize(answer)
  response.writeHead(answer.status, { ...headers, 'content-length': Buffer.byteLength(text) }).end(text)
}
