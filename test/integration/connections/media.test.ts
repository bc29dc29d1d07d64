import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../src/http/app.ts'
import { renewableCredentials } from '../../../src/subgraphs/connections/credentials/open-account.ts'
import { mountMedia } from '../../../src/http/media-proxy.ts'
import { createProviderApi } from '../../../src/providers/http/create-provider-api.ts'
import type { MediaReference } from '../../../src/subgraphs/on-demand/provider-calls.ts'
import { openMediaByToken } from '../../../src/subgraphs/on-demand/media-tickets.ts'
import { dialects } from '../../support/factories.ts'
import { silent } from '../../support/graph/graph-harness.ts'
import { HOUR } from '../../support/durations.ts'
import { ConnectionsHarness, type Linked } from '../../support/connections-harness.ts'

const FILM = Buffer.alloc(200_000, 'film')

describe.each(dialects)('films on %s', (dialect) => {
  let harness: ConnectionsHarness
  let server: Server
  let app: FastifyInstance
  let linked: Linked
  let other: Linked
  let asked: { path: string; key: string | undefined }[] = []
  /** Where the provider says that a film is, by its name there. */
  let address: (name: string) => string

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    linked = await harness.link()
    other = await harness.link()
    server = createServer((request, response) => {
      asked.push({ path: String(request.url), key: request.headers.authorization })
      if (request.url === '/gone') response.writeHead(404).end()
      else if (request.url === '/page')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<script>')
      else response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': FILM.length }).end(FILM)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    harness.adapt = (adapter) => ({
      ...adapter,
      api: ({ apiKey = '' }, signal) =>
        createProviderApi({ baseUrl, headers: { authorization: apiKey }, signal }),
      cameraMedia: async (_api, name) => ({
        raw: {},
        draft: { frontFacing: { sourceId: null, url: address(name) }, rearFacing: null },
      }),
    })
    app = createApp({ log: silent })
    mountMedia(
      app,
      openMediaByToken({
        ...harness.tools,
        tickets: harness.tickets,
        renewing: (...asked) => renewableCredentials(harness.tools, ...asked),
      }),
    )
    await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(async () => {
    await app.close()
    server.closeAllConnections()
    server.close()
    await harness[Symbol.asyncDispose]()
  })

  const get = async (token: string) => {
    asked = []
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/media/${token}`)
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  }
  const tokenOf = (film: Partial<MediaReference> = {}) =>
    harness.tickets.tokenOf({
      connectionId: linked.id,
      eventSourceId: 'film',
      startedAt: 0,
      facing: 'front',
      ...film,
    })
  const here = (name: string) => `/${name}`

  test('are streamed from the provider, with the credentials that it wants', async () => {
    address = here
    const { status, headers, body } = await get(tokenOf())
    expect(status).toBe(200)
    expect(body.equals(FILM)).toBe(true)
    expect(headers.get('content-type')).toBe('video/mp4')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(asked).toEqual([{ path: '/film', key: linked.apiKey }])
  })

  test('are served for an hour, at addresses that only this service makes', async () => {
    address = here
    const token = tokenOf()
    const bytes = Buffer.from(token, 'base64url')
    for (let at = 0; at < bytes.length; at += 7) {
      const other = Buffer.from(bytes)
      other[at] = other[at]! ^ 1
      expect((await get(other.toString('base64url'))).status).toBe(404)
    }
    for (const nonsense of ['', 'x', 'a/b', '%00', 'A'.repeat(3000)])
      expect((await get(nonsense)).status).toBe(404)
    expect(asked).toEqual([])
    harness.moveClock(HOUR - 1)
    expect((await get(token)).status).toBe(200)
    harness.moveClock(1)
    expect((await get(token)).status).toBe(404)
  })

  test('that are none are never shown as a page', async () => {
    address = here
    const { headers } = await get(tokenOf({ eventSourceId: 'page' }))
    expect(headers.get('content-type')).toBe('application/octet-stream')
  })

  test('that the provider does not have are not there', async () => {
    address = here
    expect((await get(tokenOf({ facing: 'rear' }))).status).toBe(404)
    expect((await get(tokenOf({ eventSourceId: 'gone' }))).status).toBe(502)
  })

  test.each([
    'http://169.254.169.254/latest/meta-data',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://localhost/',
    'https://db.internal/',
    'https://0x7f000001/',
    'https://2130706433/',
    'https://films.example.com:8443/',
    'ftp://films.example.com/',
    'file:///etc/passwd',
    'http://[',
  ])('are not fetched from %s', async (elsewhere) => {
    address = () => elsewhere
    expect((await get(tokenOf())).status).toBe(502)
    expect(asked).toEqual([])
  })

  test('are not asked for when the connection is not connected', async () => {
    address = here
    await harness.set('connections', other.id, { status: 'archived' })
    expect((await get(tokenOf({ connectionId: other.id }))).status).toBe(422)
    expect(asked).toEqual([])
  })
})
