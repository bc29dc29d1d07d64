import { Agent, type IncomingMessage, request } from 'node:http'
import WebSocket from 'ws'
import { type Target, urlOf } from './attack.ts'

export type Headers = Readonly<Record<string, string>>

const agents = new Map<string, Agent>()

/** Keeps connections alive, so that the attack measures requests and not handshakes. */
function agentOf(localAddress: string): Agent {
  const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress })
  agents.set(localAddress, agent)
  return agent
}

interface Sent {
  readonly path: string
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string
}

/** Sends a request to the gateway of a client. Returns its status and error code, such as `429 too_many_requests`. */
export async function send(target: Target, client: number, sent: Sent): Promise<string> {
  try {
    return await statusAndCode(target, client, sent)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error)
  }
}

function statusAndCode(
  target: Target,
  client: number,
  { path, method, headers, body }: Sent,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      agent: agentOf(target.localAddress),
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        authorization: `Bearer ${target.secretKey}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
    }
    const outgoing = request(new URL(path, urlOf(target, client)), options, (response) => {
      beginningOf(response).then((text) => resolve(`${response.statusCode} ${codeIn(text)}`.trim()), reject)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

const KEPT_BYTES = 10_000

/** Reads the whole body, but keeps its beginning only. */
async function beginningOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) if (text.length < KEPT_BYTES) text += String(chunk)
  return text
}

/** Returns the first error code of a response of REST or GraphQL, in upper case. */
const codeIn = (text: string): string => /"code":"(\w+)"/.exec(text)?.[1]?.toUpperCase() ?? ''

export const graphqlBody = (query: string, variables: object = {}): string =>
  JSON.stringify({ query, variables })

/** Ways to send an operation. */
type Door = (target: Target, client: number, query: string) => Promise<string>

export const overHttp: Door = (target, client, query) =>
  send(target, client, { path: '/graphql', body: graphqlBody(query) })

/** The status is 200 in any case: the error is in the stream. */
export const overSse: Door = (target, client, query) =>
  send(target, client, {
    path: '/graphql',
    body: graphqlBody(query),
    headers: { accept: 'text/event-stream' },
  })

/** Opens a socket for one operation. */
export const overWebsocket: Door = (target, client, query) =>
  new Promise((resolve) => {
    const socket = openSocket(target, client)
    socket.on('open', () => socket.send(initMessage(target)))
    socket.on('message', (data: Buffer) => {
      const text = data.toString()
      if (text.includes('"connection_ack"'))
        return socket.send(JSON.stringify({ id: '1', type: 'subscribe', payload: { query } }))
      resolve(`socket ${codeIn(text)}`.trim())
      socket.terminate()
    })
    socket.on('error', ({ message }) => resolve(`socket ${message}`))
    socket.on('close', (code) => resolve(`socket closed ${code}`))
  })

export const openSocket = (target: Target, client: number): WebSocket =>
  new WebSocket(new URL('/graphql', urlOf(target, client).replace('http', 'ws')), 'graphql-transport-ws', {
    localAddress: target.localAddress,
    perMessageDeflate: false,
  })

export const initMessage = ({ secretKey }: Target): string =>
  JSON.stringify({ type: 'connection_init', payload: { authorization: `Bearer ${secretKey}` } })

export const doors: readonly Door[] = [overHttp, overSse, overWebsocket]
