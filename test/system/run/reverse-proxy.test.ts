import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { type RequestOptions, request } from 'node:https'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { createClient } from 'graphql-ws'
import { describe, expect, test } from 'vitest'
import WebSocket from 'ws'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { onPath } from '../../support/database/temporary-mariadb.ts'
import { until } from '../../support/observation/observed-service.ts'
import { freePort } from '../../support/queue/temporary-redis.ts'

const SUBSCRIPTION = 'subscription { vehicleLocations { vehicle { name } speed } }'

const nginx = onPath('nginx')
if (!nginx) {
  const line = '!!! SKIPPED: the reverse proxy of deploy/nginx.conf. Install nginx. !!!'
  if (process.env['NO_SKIPS']) throw new Error(line)
  process.stderr.write(`\n${line}\n\n`)
}

/** nginx with deploy/nginx.conf, other ports and a certificate of its own, in front of a service. */
class ProxiedService implements AsyncDisposable {
  private constructor(
    private readonly home: Home,
    private readonly folder: string,
    readonly service: ServiceProcess,
    private readonly server: ChildProcess,
    readonly httpPort: number,
    readonly httpsPort: number,
  ) {}

  static async start(environment: Readonly<Record<string, string>>): Promise<ProxiedService> {
    const home = await makeHome('sqlite')
    const [httpPort, httpsPort] = [await freePort(), await freePort()]
    const service = await ServiceProcess.start(home, ['--fleet-size', '5', '--demo', 'on'], {
      NODE_ENV: 'production',
      LOCATION_POLL_SECONDS: '1',
      METRICS: 'on',
      ...environment,
    })
    const folder = mkdtempSync(join(tmpdir(), 'odograph-nginx-'))
    execFileSync(
      'openssl',
      `req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -keyout ${folder}/privkey.pem -out ${folder}/fullchain.pem`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    )
    const site = readFileSync('deploy/nginx.conf', 'utf8')
      .replace('server 127.0.0.1:8080;', `server ${new URL(service.ready.url).host};`)
      .replace('listen 80;', `listen 127.0.0.1:${httpPort};`)
      .replace('listen 443 ssl', `listen 127.0.0.1:${httpsPort} ssl`)
      .replaceAll(/\S+\/(?=(?:fullchain|privkey)\.pem)/g, `${folder}/`)
    writeFileSync(join(folder, 'site.conf'), site)
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
      .map((name) => `${name}_temp_path ${folder}/${name};`)
      .join(' ')
    writeFileSync(
      join(folder, 'nginx.conf'),
      `daemon off; user ${userInfo().username} ${groupName()}; pid ${folder}/pid; error_log ${folder}/error.log; events {}
       http { ${temporary} include ${folder}/site.conf; }`,
    )
    const server = spawn(nginx ?? '', ['-e', `${folder}/error.log`, '-c', `${folder}/nginx.conf`], {
      stdio: 'ignore',
    })
    const proxied = new ProxiedService(home, folder, service, server, httpPort, httpsPort)
    await until(() => accepts(httpsPort))
    return proxied
  }

  get url(): string {
    return `https://localhost:${this.httpsPort}`
  }

  /** Sends a request over TLS, from the given address of this machine. */
  async send(
    path: string,
    { body, ...options }: RequestOptions & { readonly body?: string } = {},
  ): Promise<IncomingMessage> {
    const sent = request(`${this.url}${path}`, {
      rejectUnauthorized: false,
      family: 4,
      agent: false,
      ...options,
    })
    sent.end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    return response
  }

  /** Returns the status of a request with a wrong key. */
  async fail(localAddress: string, headers: Record<string, string> = {}): Promise<number | undefined> {
    const response = await this.send('/tsp/v1/vehicles', {
      localAddress,
      headers: { ...headers, authorization: `Bearer wrong-${localAddress}` },
    })
    response.resume()
    return response.statusCode
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exited = once(this.server, 'exit')
    this.server.kill('SIGTERM')
    await exited
    await this.service.end('SIGKILL')
    await this.home.remove()
    rmSync(this.folder, { recursive: true })
  }
}

const groupName = (): string => execFileSync('id', ['-gn'], { encoding: 'utf8' }).trim()

/** Returns true if a server accepts connections on a port; else null. */
const accepts = (port: number): Promise<true | null> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('error', () => resolve(null))
    socket.on('connect', () => socket.destroy())
  })

async function textOf(response: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of response) text += String(chunk)
  return text
}

describe.skipIf(!nginx)('the service behind deploy/nginx.conf', () => {
  test('serves REST, websockets and event streams over TLS', async () => {
    await using proxied = await ProxiedService.start({ TRUSTED_PROXIES: '127.0.0.1' })
    const headers = proxied.service.headers()

    const listed = await proxied.send('/tsp/v1/vehicles?limit=1', { headers })
    expect([listed.statusCode, JSON.parse(await textOf(listed))]).toMatchObject([200, { results: [{}] }])

    class Trusting extends WebSocket {
      constructor(url: string, protocols: string) {
        super(url, protocols, { rejectUnauthorized: false, origin: proxied.url })
      }
    }
    const client = createClient({
      url: `wss://localhost:${proxied.httpsPort}/graphql`,
      webSocketImpl: Trusting,
      connectionParams: {
        authorization: headers['authorization'],
        connectionToken: headers['connection-token'],
      },
    })
    for await (const event of client.iterate({ query: SUBSCRIPTION })) {
      expect(event.data).toMatchObject({ vehicleLocations: { vehicle: {} } })
      break
    }
    await client.dispose()

    const stream = await proxied.send(`/graphql?query=${encodeURIComponent(SUBSCRIPTION)}`, {
      headers: { ...headers, accept: 'text/event-stream' },
    })
    let received = ''
    // The stream stays open: an event can arrive only if nginx does not buffer.
    for await (const chunk of stream) {
      received += String(chunk)
      if (/event: next\ndata: .*vehicleLocations/.test(received)) break
    }
    expect(received).toMatch(/event: next\ndata: .*vehicleLocations/)
  })

  test('redirects http, hides /metrics, and leaves the refusal of large bodies to the service', async () => {
    await using proxied = await ProxiedService.start({ TRUSTED_PROXIES: '127.0.0.1' })
    const redirect = await fetch(`http://127.0.0.1:${proxied.httpPort}/docs/?q=1`, { redirect: 'manual' })
    expect([redirect.status, redirect.headers.get('location')]).toEqual([301, 'https://127.0.0.1/docs/?q=1'])

    expect((await fetch(`${proxied.service.ready.url}/metrics`)).status).toBe(200)
    const metrics = await proxied.send('/metrics')
    metrics.resume()
    expect(metrics.statusCode).toBe(404)

    const body = JSON.stringify({ query: '{ providers { code } }', filler: 'x'.repeat(2.5 * 2 ** 20) })
    const refused = await proxied.send('/graphql', {
      method: 'POST',
      body,
      headers: { ...proxied.service.headers(), 'content-type': 'application/json' },
    })
    expect(refused.statusCode).toBe(413)
    expect(JSON.parse(await textOf(refused))).toHaveProperty('errors')
  })

  test('tells clients apart if the proxy is trusted, and ignores addresses that a client claims', async () => {
    await using proxied = await ProxiedService.start({
      TRUSTED_PROXIES: '127.0.0.1',
      RATE_LIMIT_ADDRESS: '2',
    })
    expect([await proxied.fail('127.0.0.2'), await proxied.fail('127.0.0.2')]).toEqual([401, 401])
    expect(await proxied.fail('127.0.0.2')).toBe(429)
    expect(await proxied.fail('127.0.0.2', { 'x-forwarded-for': '192.0.2.7' })).toBe(429)
    expect(await proxied.fail('127.0.0.3')).toBe(401)
  })

  test('counts all clients as one if the proxy is not trusted', async () => {
    await using proxied = await ProxiedService.start({
      TRUSTED_PROXIES: '192.0.2.1',
      RATE_LIMIT_ADDRESS: '2',
    })
    expect([await proxied.fail('127.0.0.2'), await proxied.fail('127.0.0.2')]).toEqual([401, 401])
    expect(await proxied.fail('127.0.0.3')).toBe(429)
  })
})
