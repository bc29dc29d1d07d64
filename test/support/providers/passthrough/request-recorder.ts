import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as the provider received it. */
export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export type Answer = (heard: RecordedRequest, response: ServerResponse) => unknown

export interface RequestRecorder extends AsyncDisposable {
  readonly url: string
  readonly heard: RecordedRequest[]
  /** Response that replaces that of the fake. */
  replacement: Answer | null
}

/** Starts a proxy for the fake of a provider. It records every request and forwards it unchanged. */
export async function startRequestRecorder(behind: string): Promise<RequestRecorder> {
  const heard: RecordedRequest[] = []
  const recorder = { heard, replacement: null as Answer | null }
  const server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    const body = await buffer(request)
    const one = { method, url, headers, body: body.toString() }
    heard.push(one)
    if (recorder.replacement) return recorder.replacement(one, response)
    const { host: _, connection: __, 'content-length': ___, ...rest } = headers
    const answer = await fetch(new URL(url, behind), {
      method,
      headers: rest as Record<string, string>,
      body: body.length === 0 ? null : one.body,
    })
    const type = answer.headers.get('content-type') ?? 'application/json'
    response.writeHead(answer.status, { 'content-type': type }).end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(recorder, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  })
}
