import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import { Calls } from './calls.ts'
import { controlsOf } from './controls.ts'
import type { Fake, Ground } from './fake.ts'
import { type Fault, Faults } from './faults.ts'
import { type Answer, type Call, callOf, nameOf, paramsOf, type Route, send, wireOf } from './http.ts'
import { Limits } from './limits.ts'

/** Serves a fake and its controls over HTTP. */
export function serverOf(fake: Fake, ground: Ground, seed: number): Server {
  const [faults, calls, limits] = [new Faults(seed), new Calls(), new Limits()]
  const controls = controlsOf(fake, ground, { faults, calls, limits })

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const call = await callOf(request)
    const control = find(controls, call)
    if (control) return send(response, await safely(() => control.route.handle(control.call)))
    const found = find(fake.routes, call)
    if (!found) return send(response, fake.refusal(404, call))
    const [endpoint, key] = [nameOf(found.route), fake.keyOf(call)]
    const answered = calls.begin(endpoint, key)
    const over = limits.begin(fake.limitsOf?.(found.call, endpoint) ?? [])
    response.once('close', () => {
      answered(response.headersSent ? response.statusCode : 0)
      over()
    })
    const answer = () => safely(() => found.route.handle(found.call))
    const question = `${endpoint} ${key} ${questionIn(found.call, fake.pagedBy)}`
    await respond(response, answer, faults.take(endpoint, key), found.call, question)
  }

  async function respond(
    response: ServerResponse,
    answer: () => Promise<Answer>,
    fault: Fault | null,
    call: Call,
    question: string,
  ): Promise<void> {
    if (fault?.kind === 'hang') return
    if (fault?.kind === 'status') return send(response, refused(fake, fault, call))
    if (fault?.kind === 'slow') await wait(fault.milliseconds ?? 1000)
    const repeated = fault?.kind === 'repeated' ? faults.answered.get(question) : undefined
    const given = repeated ?? (await answer())
    faults.answered.set(question, given)
    if (fault?.kind === 'lost') response.destroy()
    else if (fault?.kind === 'truncated' || fault?.kind === 'cut') breakOff(response, given, fault.kind)
    else send(response, given)
  }

  const server = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  // No idle timeout, so that only faults close connections: on a slow machine a client could reuse one that
  // was just closed.
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

/** Returns the query without its page parameter. */
function questionIn({ query }: Call, pagedBy: string | undefined): string {
  const question = new URLSearchParams(query)
  if (pagedBy) question.delete(pagedBy)
  return question.toString()
}

/** Reports errors of the fake itself, so that they are not mistaken for provider errors. */
async function safely(answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    return { status: 599, body: { fake: error instanceof Error ? error.stack : String(error) } }
  }
}

function refused(fake: Fake, fault: Fault, call: Call): Answer {
  const own = fake.refusal(fault.status ?? 500, call)
  const headers = { ...own.headers, ...fault.headers }
  return fault.body === undefined ? { ...own, headers } : { status: own.status, headers, body: fault.body }
}

/** Sends half of the body: with a regular end, or without one. */
function breakOff(response: ServerResponse, answer: Answer, kind: 'truncated' | 'cut'): void {
  const { headers, text } = wireOf(answer)
  const half = text.slice(0, Math.ceil(text.length / 2))
  response.writeHead(answer.status, {
    ...headers,
    'content-length': Buffer.byteLength(kind === 'cut' ? text : half),
  })
  if (kind === 'truncated') response.end(half)
  else response.write(half, () => response.destroy())
}
