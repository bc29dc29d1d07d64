import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetOf } from './accounts.ts'
import { SimulatorResponse, json } from './response.ts'
import { type Budgets, createBudgets } from './limits/budgets.ts'
import { CLIPS_PATH, clipAt } from './clips.ts'
import { type TestControls, createTestControls } from './test-controls.ts'
import { echo, textOf } from './echo.ts'
import { DESTROY } from './fault-injection.ts'
import { DEFAULTS, type Options } from './options.ts'
import { createRateLimit } from './limits/rate-limit.ts'
import { NO_EDITS } from './records/world.ts'
import { badRequest, HttpError } from './http-error.ts'
import { routeOf } from './routes.ts'
import { createSignIns, type SignIn, type SignIns } from './sign-in/sign-ins.ts'
import { parseUrl } from './parse-url.ts'

export interface Simulator {
  readonly port: number
  close(): Promise<void>
}

/** Starts a simulator in this process; what is not given is as on an empty command line. */
export async function startSimulator(given: Partial<Options> = {}): Promise<Simulator> {
  const options = { ...DEFAULTS, ...given }
  const respond = createResponder(options)
  const server = createServer((request, response) => void respond(request, response))
  // Callers that pause for a while find their connection as they left it.
  server.keepAliveTimeout = 65_000
  server.listen(options.port, options.host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function createResponder(options: Options) {
  const rateLimits = createBudgets(options)
  const signIns = createSignIns(options)
  const controls = options.controls ? createTestControls(rateLimits, signIns) : undefined
  const read = createReader(options, rateLimits, signIns, controls)

  return async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = urlOf(request)
      const controlled = controls && url.pathname.startsWith('/control/')
      const body = controlled ? await control(controls, request, url.pathname) : await read(request, url)
      if (body === DESTROY) request.socket.destroy()
      else send(response, body instanceof SimulatorResponse ? body : json(200, body))
    } catch (error) {
      sendError(response, error)
    }
  }
}

/** Counts a request, lets a fault strike it, and answers it: who asks, rate, route, in this order. */
function createReader(
  { seed, fleetSize, ratePerSecond, latencyMs }: Options,
  rateLimits: Budgets,
  signIns: SignIns,
  controls: TestControls | undefined,
) {
  const spend = createRateLimit(ratePerSecond)

  /** Requests to sign in are in no budget. What strikes late, strikes when all is done but answering. */
  async function signIn({ account, answer }: SignIn, path: string): Promise<unknown> {
    controls?.count(account, path)
    if ((await controls?.strike(account, path)) === DESTROY) return DESTROY
    const answered = answer(controls?.nowMs() ?? Date.now())
    return (await controls?.strike(account, path, 'late')) ?? answered
  }

  return async function read(request: IncomingMessage, url: URL): Promise<unknown> {
    const { pathname, searchParams } = url
    const asked = await signIns.asked(request, url)
    await travel(latencyMs)
    if (asked) return signIn(asked, pathname)
    const { account: key, require } = signIns.bearer(request.headers.authorization)
    controls?.count(key, pathname)
    rateLimits.spend(key)
    if ((await controls?.strike(key, pathname)) === DESTROY) return DESTROY
    const nowMs = controls?.nowMs() ?? Date.now()
    if (pathname.startsWith(CLIPS_PATH)) return clipAt(pathname, searchParams, nowMs)
    require(nowMs)
    spend(key)
    if (pathname === '/echo') return echo(request)
    const found = routeOf(pathname)
    if (!found) throw new HttpError(404, `There is no ${pathname}`)
    if (request.method !== 'GET') throw new HttpError(405, `${pathname} answers GET`)
    const fleet = fleetOf(key, { seed, size: fleetSize })
    const edits = controls?.editsOf(key) ?? NO_EDITS
    const origin = `http://${request.headers.host ?? 'localhost'}`
    return found.route({ fleet, edits, nowMs }, searchParams, { origin, id: found.id })
  }
}

/** The way through the network. Its length varies, and a request is counted at its end. */
async function travel(latencyMs: number): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs * (1 + Math.random() / 2))
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  const parsed = parseUrl(url, 'http://simulator')
  if (!parsed) throw badRequest('The request has no valid URL')
  return parsed
}

async function control(controls: TestControls, request: IncomingMessage, path: string): Promise<unknown> {
  return controls.answer(request.method ?? 'GET', path, await textOf(request))
}

function send(response: ServerResponse, { status, type, body, headers }: SimulatorResponse) {
  const described = { 'Content-Type': type, 'Content-Length': body.length }
  response.writeHead(status, { ...described, ...headers }).end(body)
}

function sendError(response: ServerResponse, error: unknown) {
  const { status, code, message, headers } = error instanceof HttpError ? error : internal(error)
  send(response, json(status, { error: { code, message } }, headers))
}

function internal(error: unknown): HttpError {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return new HttpError(500, 'The simulator failed')
}
