import { Agent, request } from 'node:http'

/** A request as it goes over the wire: nothing is put right. */
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

/** No answer within this time is a hang. */
const HANG_MS = 20_000

export const agent = new Agent({ keepAlive: true, maxSockets: 4 })

/** Sends it; a service that hangs up is told from one that hangs. */
export function send(origin: string, { method, path, headers, body }: Wire): Promise<Came> {
  const { hostname, port } = new URL(origin)
  const sent = new Map<string, string[]>()
  for (const [name, value] of headers) sent.set(name, [...(sent.get(name) ?? []), value])
  return new Promise((resolve, reject) => {
    const asked = request({ agent, hostname, port, method, path, signal: AbortSignal.timeout(HANG_MS) })
    asked.on('error', (error) => reject(new Error(whyNot(error), { cause: error })))
    asked.on('response', (response) => {
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
    for (const [name, values] of sent) asked.setHeader(name, values.length === 1 ? String(values[0]) : values)
    if (body !== undefined) asked.setHeader('content-length', Buffer.byteLength(body))
    asked.end(body)
  })
}

const whyNot = (error: Error & { code?: string }): string =>
  error.name === 'AbortError' || error.name === 'TimeoutError'
    ? `it hangs: no answer in ${HANG_MS} ms`
    : `the connection broke: ${error.code ?? error.message}`

/** A text in a path or a query, with nothing left that the parser of HTTP would refuse. */
export const escaped = (text: string): string => encodeURIComponent(wellFormed(text))

/** Lone halves of surrogates cannot be written in UTF-8. */
const wellFormed = (text: string): string => text.replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
