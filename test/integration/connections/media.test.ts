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
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const VIDEO = Buffer.alloc(200_000, 'film')

describe.each(dialects)('camera videos on %s', (dialect) => {
  let harness: ConnectionsHarness
  let server: Server
  let app: FastifyInstance
  let linked: Linked
  let other: Linked
  let requests: { path: string; key: string | undefined }[] = []
  /** Returns the provider's URL of a video, by its source id. */
  let videoUrl: (name: string) => string

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    linked = await harness.link()
    other = await harness.link()
    server = createServer((request, response) => {
      requests.push({ path: String(request.url), key: request.headers.authorization })
      if (request.url === '/gone') response.writeHead(404).end()
      else if (request.url === '/page')
        response.writeHead(200, { 'content-type': 'text/html' }).end('<script>')
      else if (request.url === '/capitals')
        response.writeHead(200, { 'content-type': 'Video/MP4 ; codecs="avc1"' }).end(VIDEO)
      else response.writeHead(200, { 'content-type': 'video/mp4', 'content-length': VIDEO.length }).end(VIDEO)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    harness.adapt = (adapter) => ({
      ...adapter,
      api: ({ apiKey = '' }, signal) =>
        createProviderApi({ baseUrl, headers: { authorization: apiKey }, signal }),
      cameraMedia: async (_api, name) => ({
        raw: {},
        files: { frontFacing: { sourceId: null, url: videoUrl(name) }, rearFacing: null },
      }),
    })
    app = createApp({ log: silent })
    mountMedia(
      app,
      openMediaByToken({
        ...harness.tools,
        tickets: harness.tickets,
        renewing: (...args) => renewableCredentials(harness.tools, ...args),
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
    requests = []
    const { port } = app.server.address() as AddressInfo
    const response = await fetch(`http://127.0.0.1:${port}/media/${token}`)
    return {
      status: response.status,
      headers: response.headers,
      body: Buffer.from(await response.arrayBuffer()),
    }
  }
  const tokenOf = (reference: Partial<MediaReference> = {}) =>
    harness.tickets.tokenOf({
      connectionId: linked.id,
      eventSourceId: 'film',
      startedAt: 0,
      facing: 'front',
      ...reference,
    })
  const atProvider = (name: string) => `/${name}`

  test('are streamed from the provider with its credentials', async () => {
    videoUrl = atProvider
    const { status, headers, body } = await get(tokenOf())
    expect(status).toBe(200)
    expect(body.equals(VIDEO)).toBe(true)
    expect(headers.get('content-type')).toBe('video/mp4')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(requests).toEqual([{ path: '/film', key: linked.apiKey }])
  })

  test('are served for an hour, only at URLs that the service signs', async () => {
    videoUrl = atProvider
    const token = tokenOf()
    const bytes = Buffer.from(token, 'base64url')
    for (let at = 0; at < bytes.length; at += 7) {
      const forged = Buffer.from(bytes)
      forged[at] = forged[at]! ^ 1
      expect((await get(forged.toString('base64url'))).status).toBe(404)
    }
    for (const nonsense of ['', 'x', 'a/b', '%00', 'A'.repeat(3000)])
      expect((await get(nonsense)).status).toBe(404)
    expect(requests).toEqual([])
    harness.moveClock(HOUR - 1)
    expect((await get(token)).status).toBe(200)
    harness.moveClock(1)
    expect((await get(token)).status).toBe(404)
  })

  test('are never served with an HTML content type', async () => {
    videoUrl = atProvider
    const { headers } = await get(tokenOf({ eventSourceId: 'page' }))
    expect(headers.get('content-type')).toBe('application/octet-stream')
  })

  test('are played if the provider writes the content type in capitals, with parameters', async () => {
    videoUrl = atProvider
    const { headers } = await get(tokenOf({ eventSourceId: 'capitals' }))
    expect(headers.get('content-type')).toBe('video/mp4')
  })

  test('fail if the provider does not have them', async () => {
    videoUrl = atProvider
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
  ])('are not fetched from %s', async (forbiddenUrl) => {
    videoUrl = () => forbiddenUrl
    expect((await get(tokenOf())).status).toBe(502)
    expect(requests).toEqual([])
  })

  test('are not fetched for a connection that is not connected', async () => {
    videoUrl = atProvider
    await harness.set('connections', other.id, { status: 'archived' })
    expect((await get(tokenOf({ connectionId: other.id }))).status).toBe(422)
    expect(requests).toEqual([])
  })
})
