import { Agent, request } from 'node:http'

/** A request with its exact bytes; nothing is normalized. */
export interface Wire {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body?: string | undefined
}

export interface Came {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A request without a response within this time counts as hung. */
const HANG_MS = 20_000

export const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends a request. Distinguishes a closed connection from a hang. */
export function send(origin: string, { method, path, headers, body }: Wire): Promise<Came> {
  const { hostname, port } = new URL(origin)
  const sent = new Map<string, string[]>()
  for (const [name, value] of headers) sent.set(name, [...(sent.get(name) ?? []), value])
  return new Promise((resolve, reject) => {
    const requested = request({ agent, hostname, port, method, path, signal: AbortSignal.timeout(HANG_MS) })
    requested.on('error', (error) => reject(new Error(whyNot(error), { cause: error })))
    requested.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', (error) => reject(new Error(whyNot(error), { cause: error })))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      )
    })
    for (const [name, values] of sent)
      requested.setHeader(name, values.length === 1 ? String(values[0]) : values)
    if (body !== undefined) requested.setHeader('content-length', Buffer.byteLength(body))
    requested.end(body)
  })
}

const whyNot = (error: Error & { code?: string }): string =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? `it hangs: no answer in ${HANG_MS} ms`
    : `the connection broke: ${error.code ?? error.message}`

/** Encodes a text for a path or a query, so that the HTTP parser accepts it. */
export const escaped = (text: string): string => encodeURIComponent(wellFormed(text))

/** Replaces lone surrogates, which UTF-8 cannot encode. */
const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
