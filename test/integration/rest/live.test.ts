import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tableOf } from '../../../src/storage/sql/table.ts'
import { SafetyEvent } from '../../../src/subgraphs/records/safety/safety-event.ts'
import { DAY, type ApiClient, safetyEventRow, unknownId } from '../../support/factories.ts'
import { type LinkedRest, startLinkedRest } from '../../support/rest/linked-rest.ts'
import { LINK, type RestHarness } from '../../support/rest/rest-harness.ts'

let linkedRest: LinkedRest
let rest: RestHarness

beforeAll(async () => {
  linkedRest = await startLinkedRest()
  rest = linkedRest.rest
})

afterAll(() => linkedRest[Symbol.asyncDispose]())

const linked = (more?: object) => linkedRest.link(more)

describe('a connection that is', () => {
  const liveReads = ['/vehicles/locations', '/trailers/locations', '/hos/available-time']

  test.each([
    ['archived', 'unprocessable_entity'],
    ['disconnected', 'connection_disconnected'],
  ])('%s serves stored records and refuses live requests with 422', async (status, code) => {
    const { client } = await linked()
    await rest.write('PATCH', '/connections/current', client, { status })
    expect((await rest.get('/vehicles', client)).status).toBe(200)
    const answers = [
      ...(await Promise.all(liveReads.map((path) => rest.get(path, client)))),
      await rest.write('POST', '/syncs', client),
      await rest.write('POST', '/passthrough', client, { method: 'GET', path: '/account' }),
      await rest.write('POST', '/passthrough/raw', client, { method: 'GET', path: '/account' }),
    ]
    for (const answer of answers) expect([answer.status, answer.body.code]).toEqual([422, code])
  })
})

describe('passthrough', () => {
  const call = { method: 'POST', path: '/echo?a=1', headers: { 'X-Ours': 'yes' }, body: '{"b":[null]}' }

  test("returns the provider's response in an envelope", async () => {
    const { client } = await linked()
    const { status, body } = await rest.write('POST', '/passthrough', client, call)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      method: 'POST',
      path: '/echo?a=1',
      statusCode: 200,
      headers: { 'content-type': expect.stringContaining('json') },
      response: { method: 'POST', path: '/echo?a=1', headers: { 'x-ours': 'yes' }, body: { b: [null] } },
    })
    expect(JSON.stringify(body)).not.toContain('sandbox-3-')
  })

  test("raw returns the provider's bytes and content type", async () => {
    const { client } = await linked()
    const enveloped = await rest.write('POST', '/passthrough', client, { method: 'GET', path: '/account' })
    const raw = await rest.write('POST', '/passthrough/raw', client, { method: 'GET', path: '/account' })
    expect([raw.status, raw.headers['content-type']]).toEqual([200, enveloped.body.headers['content-type']])
    expect(JSON.parse(raw.bytes.toString())).toEqual(enveloped.body.response)
  })

  test.each(['/passthrough', '/passthrough/raw'])(
    "%s returns the provider's errors with status 200",
    async (path) => {
      const { client } = await linked()
      const { status, body } = await rest.write('POST', path, client, { method: 'GET', path: '/nothing' })
      expect([status, body.statusCode, body.path]).toEqual([200, 404, '/nothing'])
      expect(body.response).not.toBeNull()
    },
  )

  test('accepts a body of 900 kB', async () => {
    const { client } = await linked()
    const body = 'x'.repeat(900_000)
    const answer = await rest.write('POST', '/passthrough', client, { ...call, body })
    expect([answer.status, answer.body.response.body.length]).toEqual([200, body.length])
  })
})

describe('camera media', () => {
  interface Listed {
    readonly id: string
    readonly vehicleId: string
    readonly cameras?: { readonly front?: { readonly uploaded: boolean } | null }
  }

  /** Stores a safety event with films at the provider, as a sync does. */
  async function storeFilmedEvent(client: ApiClient): Promise<SafetyEvent> {
    const since = new Date(Date.now() - 20 * DAY).toISOString()
    const path = `/safety-events?since=${since}&until=${new Date().toISOString()}`
    const { body } = await rest.write('POST', '/passthrough', client, { method: 'GET', path })
    const found = (body.response.data as Listed[]).find(({ cameras }) => cameras?.front?.uploaded)
    const owner = { applicationId: client.applicationId, connectionId: client.connectionId! }
    const row = safetyEventRow(owner, { vehicleId: unknownId('vehicle'), sourceId: found!.id })
    await rest.db.transaction((tx) => tx.insert(tableOf(SafetyEvent), [row]))
    return row
  }

  test('is requested from the provider', async () => {
    const { client } = await linked({ credentials: { apiKey: 'sandbox-200-1' } })
    const { id, sourceId } = await storeFilmedEvent(client)
    const { status, body } = await rest.get(`/safety/events/${id}/camera-media`, client)
    expect([status, body.frontFacing]).toEqual([
      200,
      { sourceId: expect.any(String), videoUrl: `${LINK}/media/${sourceId}/front` },
    ])
    expect(body).not.toHaveProperty('raw')
    const { body: withRaw } = await rest.get(`/safety/events/${id}/camera-media?raw=true`, client)
    expect(withRaw.raw).toHaveLength(1)
    await rest.write('PATCH', '/connections/current', client, { status: 'archived' })
    expect((await rest.get(`/safety/events/${id}/camera-media`, client)).status).toBe(422)
  })
})
