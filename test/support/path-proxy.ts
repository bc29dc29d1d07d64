import { createServer, request, type IncomingMessage } from 'node:http'
import { connect, type AddressInfo } from 'node:net'

/** Reverse proxy that serves another server under a path and removes the path from its requests. */
export interface PathProxy extends AsyncDisposable {
  readonly url: string
  /** URL of the other server. Set it before the first request. */
  target: string
}

export async function startPathProxy(path: string): Promise<PathProxy> {
  const proxy = { url: '', target: '' }
  const pathBehind = ({ url = '/' }: IncomingMessage) =>
    url === path ? '/' : url.startsWith(`${path}/`) ? url.slice(path.length) : null
  const server = createServer((incoming, response) => {
    const inner = pathBehind(incoming)
    if (inner === null) return void response.writeHead(404).end()
    const { method, headers } = incoming
    const outgoing = request(new URL(inner, proxy.target), { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    outgoing.on('error', () => response.destroy())
    incoming.pipe(outgoing)
  })
  server.on('upgrade', (incoming, socket, head) => {
    const inner = pathBehind(incoming)
    const { hostname, port } = new URL(proxy.target)
    const behind = connect(Number(port), hostname, () => {
      const lines = [`GET ${inner} HTTP/1.1`]
      for (let at = 0; at < incoming.rawHeaders.length; at += 2)
        lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`)
      behind.write(`${lines.join('\r\n')}\r\n\r\n`)
      behind.write(head)
      behind.pipe(socket).pipe(behind)
    })
    for (const side of [behind, socket])
      side.on('error', () => [behind, socket].forEach((end) => end.destroy()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  })
}
