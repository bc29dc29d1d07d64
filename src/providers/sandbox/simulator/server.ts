import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { fleetOf } from './accounts.ts'
import { SimulatorResponse, json } from './response.ts'
import { type Budgets, createBudgets } from './limits/budgets.ts'
import { CLIPS_PATH, clipAt } from './clips.ts'
import { type TestControls, createTestControls } from './controls/test-controls.ts'
import { echo, textOf } from './echo.ts'
import { DESTROY } from './controls/fault-injection.ts'
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

/** Starts a simulator in this process. An option that is missing has the default of the command line. */
export async function startSimulator(overrides: Partial<Options> = {}): Promise<Simulator> {
  const options = { ...DEFAULTS, ...overrides }
  const respond = createResponder(options)
  const server = createServer((request, response) => void respond(request, response))
  // Longer than a minute, so that clients can reuse a connection after a pause of a minute.
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
  const budgets = createBudgets(options)
  const signIns = createSignIns(options)
  const controls = options.controls ? createTestControls(budgets, signIns) : undefined
  const handle = createHandler(options, budgets, signIns, controls)

  return async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const url = urlOf(request)
      const isControl = controls && url.pathname.startsWith('/control/')
      const body = isControl ? await control(controls, request, url.pathname) : await handle(request, url)
      if (body === DESTROY) request.socket.destroy()
      else send(response, body instanceof SimulatorResponse ? body : json(200, body))
    } catch (error) {
      sendError(response, error)
    }
  }
}

/**
 * Creates the handler of API requests. It counts a request, then applies the budgets, injected faults, the
 * authentication and the rate limit, then calls the route. The budgets thus also count requests that fail later.
 */
function createHandler(
  { seed, fleetSize, ratePerSecond, latencyMs }: Options,
  budgets: Budgets,
  signIns: SignIns,
  controls: TestControls | undefined,
) {
  const limitRate = createRateLimit(ratePerSecond)

  /**
   * Handles a sign-in request, which no budget counts. A fault that is `late` applies after the sign-in took
   * effect.
   */
  async function signIn({ account, respond }: SignIn, path: string): Promise<unknown> {
    controls?.count(account, path)
    if ((await controls?.applyFault(account, path)) === DESTROY) return DESTROY
    const response = respond(controls?.nowMs() ?? Date.now())
    return (await controls?.applyFault(account, path, 'late')) ?? response
  }

  return async function handle(request: IncomingMessage, url: URL): Promise<unknown> {
    const { pathname, searchParams } = url
    const signInRequest = await signIns.match(request, url)
    await simulateLatency(latencyMs)
    if (signInRequest) return signIn(signInRequest, pathname)
    const { account: key, requireValid } = signIns.bearer(request.headers.authorization)
    controls?.count(key, pathname)
    budgets.spend(key)
    if ((await controls?.applyFault(key, pathname)) === DESTROY) return DESTROY
    const nowMs = controls?.nowMs() ?? Date.now()
    if (pathname.startsWith(CLIPS_PATH)) return clipAt(pathname, searchParams, nowMs)
    requireValid(nowMs)
    limitRate(key)
    if (pathname === '/echo') return echo(request)
    const match = routeOf(pathname)
    if (!match) throw new HttpError(404, `No route ${pathname}`)
    if (request.method !== 'GET') throw new HttpError(405, `${pathname} only accepts GET`)
    const fleet = fleetOf(key, { seed, size: fleetSize })
    const edits = controls?.editsOf(key) ?? NO_EDITS
    const origin = `http://${request.headers.host ?? 'localhost'}`
    return match.route({ fleet, edits, nowMs }, searchParams, { origin, id: match.id })
  }
}

/** Simulates network latency of varying length. Request counts and limits apply after the latency. */
async function simulateLatency(latencyMs: number): Promise<void> {
  if (latencyMs > 0) await sleep(latencyMs * (1 + Math.random() / 2))
}

function urlOf({ url = '/' }: IncomingMessage): URL {
  const parsed = parseUrl(url, 'http://simulator')
  if (!parsed) throw badRequest('The request has no valid URL')
  return parsed
}

async function control(controls: TestControls, request: IncomingMessage, path: string): Promise<unknown> {
  return controls.respond(request.method ?? 'GET', path, await textOf(request))
}

function send(response: ServerResponse, { status, type, body, headers }: SimulatorResponse) {
  const standard = { 'Content-Type': type, 'Content-Length': body.length }
  response.writeHead(status, { ...standard, ...headers }).end(body)
}

function sendError(response: ServerResponse, error: unknown) {
  const { status, code, message, headers } = error instanceof HttpError ? error : toInternalError(error)
  send(response, json(status, { error: { code, message } }, headers))
}

/** Writes an unexpected error to stderr. The response does not contain it. */
function toInternalError(error: unknown): HttpError {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`)
  return new HttpError(500, 'The simulator failed; its stderr has the reason')
}
