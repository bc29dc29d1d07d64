import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Home, makeHome, ServiceProcess } from '../../prove/support/service-process.ts'
import { Conversation } from '../../support/harnesses/session-harness.ts'

const EVIL = 'https://evil.example.com'
const JSON_TYPE = { 'content-type': 'application/json' }
const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const TEXT = { 'content-type': 'text/plain' }
const EVENTS = { ...JSON_TYPE, accept: 'text/event-stream' }
const UNCHANGED = { connection: { status: 'CONNECTED', tags: ['demo'] } }

describe('requests that other pages make with the cookie of a person', () => {
  let home: Home
  let service: ServiceProcess
  let cookie: string
  let mutation: string

  beforeAll(async () => {
    home = await makeHome('sqlite')
    // Even a page that may use the API has no use of the cookie.
    service = await ServiceProcess.start(home, ['--fleet-size', '3'], { CORS_ORIGINS: '*' })
    const { url, signInCode, connectionId } = service.ready
    const signedIn = await fetch(`${url}/dashboard/session`, {
      method: 'POST',
      headers: { ...JSON_TYPE, origin: url },
      body: JSON.stringify({ code: signInCode }),
    })
    cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    mutation = `mutation { updateConnection(input: { connectionId: "${connectionId}", tags: ["forged"] }) { connection { id } } }`
  })
  afterAll(async () => {
    await service.end()
    await home.remove()
  })

  const state = () =>
    service.graphql('query ($id: ID!) { connection(id: $id) { status tags } }', {
      id: service.ready.connectionId,
    })

  const send = (method: string, headers: object, body?: string, search = '') =>
    fetch(service.ready.graphqlUrl + search, {
      method,
      headers: { cookie, ...headers },
      ...(body === undefined ? {} : { body }),
    })

  const json = () => JSON.stringify({ query: mutation })
  const form = () => new URLSearchParams({ query: mutation }).toString()
  const inUrl = () => `?${form()}`

  test.each<[string, () => Promise<Response>]>([
    ['a form of another page', () => send('POST', { ...FORM, origin: EVIL }, form())],
    ['a form that hides its origin', () => send('POST', { ...FORM, origin: 'null' }, form())],
    ['a form that names no origin', () => send('POST', FORM, form())],
    ['a fetch of another page', () => send('POST', { ...JSON_TYPE, origin: EVIL }, json())],
    ['a fetch that names no origin', () => send('POST', JSON_TYPE, json())],
    ['text of another page', () => send('POST', { ...TEXT, origin: EVIL }, json())],
    ['text that names no origin', () => send('POST', TEXT, json())],
    ['a page of the same site', () => send('POST', { ...JSON_TYPE, 'sec-fetch-site': 'same-site' }, json())],
    ['a bookmark', () => send('POST', { ...JSON_TYPE, 'sec-fetch-site': 'none' }, json())],
    [
      'a page that lies about its origin',
      () => send('POST', { ...JSON_TYPE, origin: service.ready.url, 'sec-fetch-site': 'cross-site' }, json()),
    ],
    ['an event stream of another page', () => send('POST', { ...EVENTS, origin: EVIL }, json())],
    ['an event stream that names no origin', () => send('POST', EVENTS, json())],
    ['a link', () => send('GET', {}, undefined, inUrl())],
    ['a link in an own page', () => send('GET', { 'sec-fetch-site': 'same-origin' }, undefined, inUrl())],
    ['a form in an own page', () => send('POST', { ...FORM, origin: service.ready.url }, form())],
    ['text in an own page', () => send('POST', { ...TEXT, origin: service.ready.url }, json())],
    [
      'REST in an own page',
      () =>
        fetch(`${service.ready.restUrl}/connections/${service.ready.connectionId}`, {
          method: 'PATCH',
          headers: { ...JSON_TYPE, cookie, origin: service.ready.url },
          body: JSON.stringify({ tags: ['forged'] }),
        }),
    ],
  ])('%s changes nothing', async (_case, request) => {
    const answer = await request()
    const text = await answer.text()
    expect(text).not.toContain('"updateConnection":{')
    expect(text).toMatch(/UNAUTHENTICATED|BAD_REQUEST|unsupported|forbidden|not_found|method_not_allowed/i)
    expect(await state()).toEqual(UNCHANGED)
  })

  test.each<Record<string, string>>([{ origin: EVIL }, {}])(
    'a websocket of another page has no session: %j',
    async (headers) => {
      const socket = await Conversation.open(service, {}, { cookie, ...headers })
      expect((await socket.closed).code).toBe(4403)
      expect(await state()).toEqual(UNCHANGED)
    },
  )

  test('an own page changes what the role permits, over HTTP and websockets', async () => {
    const origin = service.ready.url
    const answer = await send('POST', { ...JSON_TYPE, origin }, json())
    expect(await answer.json()).toMatchObject({ data: { updateConnection: {} } })
    expect(await state()).toMatchObject({ connection: { tags: ['forged'] } })
    const socket = await Conversation.open(service, {}, { cookie, origin })
    await socket.next('connection_ack')
    socket.subscribe('1', mutation.replace('"forged"', '"by socket"'))
    expect((await socket.next('next')).payload).toMatchObject({ data: { updateConnection: {} } })
    socket.end()
    expect(await state()).toMatchObject({ connection: { tags: ['by socket'] } })
  })
})
