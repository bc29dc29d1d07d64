import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Calls } from './calls.ts'
import { controlsOf } from './controls.ts'
import type { Fake, FakeContext } from './fake.ts'
import { type Fault, Faults } from './faults.ts'
import { type Answer, type Call, callOf, endpointOf, paramsOf, type Route, send, serialize } from './http.ts'
import { Limits } from './limits.ts'

/** Serves a fake and its controls over HTTP. */
export function serverOf(fake: Fake, context: FakeContext, seed: number): Server {
  const [faults, calls, limits] = [new Faults(seed), new Calls(), new Limits()]
  const controls = controlsOf(fake, context, { faults, calls, limits })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request)
    const control = find(controls, call)
    if (control) return send(response, await reportingOwnErrors(() => control.route.handle(control.call)))
    const found = find(fake.routes, call)
    if (!found) return send(response, fake.refusal(404, call))
    const [endpoint, key] = [endpointOf(found.route), fake.keyOf(call)]
    const endCall = calls.begin(endpoint, key)
    const endLimits = limits.begin(fake.limitsOf?.(found.call, endpoint) ?? [])
    response.once('close', () => {
      endCall(response.headersSent ? response.statusCode : 0)
      endLimits()
    })
    const answer = () => reportingOwnErrors(() => found.route.handle(found.call))
    const query = `${endpoint} ${key} ${queryWithoutPage(found.call, fake.pagedBy)}`
    await respond(response, answer, faults.take(endpoint, key), found.call, query)
  }

  async function respond(
    response: ServerResponse,
    answer: () => Promise<Answer>,
    fault: Fault | null,
    call: Call,
    query: string,
  ): Promise<void> {
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'status') return send(response, refused(fake, fault, call))
    if (fault?.kind === 'slow') await wait(fault.milliseconds ?? 1000)
    const repeated = fault?.kind === 'repeated' ? faults.lastAnswers.get(query) : undefined
    const sent = repeated ?? (await answer())
    faults.lastAnswers.set(query, sent)
    if (fault?.kind === 'lost') response.destroy()
    else if (fault?.kind === 'truncated' || fault?.kind === 'cut') sendHalf(response, sent, fault.kind)
    else send(response, sent)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  // No idle timeout: on a slow machine a client could send a request on a connection that was just closed.
  server.keepAliveTimeout = 0
  return server
}

function find(routes: readonly Route[], call: Call): { route: Route; call: Call } | null {
  for (const route of routes) {
    const params = route.method === call.method ? paramsOf(route.path, call.path) : null
    if (params) return { route, call: { ...call, params } }
  }
  return null
}

function queryWithoutPage({ query }: Call, pagedBy: string | undefined): string {
  const kept = new URLSearchParams(query)
  if (pagedBy) kept.delete(pagedBy)
  return kept.toString()
}

/** Answers 599 when the fake itself fails, so that its faults differ from those of a provider. */
async function reportingOwnErrors(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    return { status: 599, body: { fake: error instanceof Error ? error.stack : String(error) } }
  }
}

function refused(fake: Fake, fault: Fault, call: Call): Answer {
  const usual = fake.refusal(fault.status ?? 500, call)
  const headers = { ...usual.headers, ...fault.headers }
  return fault.body === undefined
    ? { ...usual, headers }
    : { status: usual.status, headers, body: fault.body }
}

/** Sends half of the body. Then the response ends regularly, or the connection breaks. */
function sendHalf(response: ServerResponse, answer: Answer, kind: 'truncated' | 'cut'): void {
  const { headers, text } = serialize(answer)
  const half = text.slice(0, Math.ceil(text.length / 2))
  response.writeHead(answer.status, {
    ...headers,
    'content-length': Buffer.byteLength(kind === 'cut' ? text : half),
  })
  if (kind === 'truncated') response.end(half)
  else response.write(half, () => response.destroy())
}
