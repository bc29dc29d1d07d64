import type { IncomingMessage } from 'node:http'
import { HttpError } from './http-error.ts'

const MAX_BODY_BYTES = 1_000_000

/** Response body of `/echo`: the caller's request, without its key. It shows what a passthrough call sends. */
export async function echo(request: IncomingMessage) {
  const { authorization: _, ...headers } = request.headers
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers,
    body: parsed(await textOf(request)),
  }
}

export async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY_BYTES) throw new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

/** Parses a body: text if it is not JSON, null if it is empty. */
function parsed(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
