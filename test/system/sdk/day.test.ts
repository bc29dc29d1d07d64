import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Event, OdographClient, OdographError, OdographGraphQLError } from '@odograph/client'
import { Webhook as Standard } from 'standardwebhooks'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type * as server from '../../sdk/examples/server.ts'
import { receiver } from '../../sdk/examples/webhooks.ts'
import { DemoService } from '../../support/sdk/demo-service.ts'

describe("an integrator's day with the client", () => {
  let service: DemoService
  let odograph: OdographClient
  let example: typeof server

  beforeAll(async () => {
    service = await DemoService.start({ WEBHOOK_ALLOW: '127.0.0.1' })
    odograph = new OdographClient({ baseUrl: service.demo.url, secretKey: service.demo.secretKey })
    process.env['ODOGRAPH_URL'] = service.demo.url
    process.env['ODOGRAPH_SECRET_KEY'] = service.demo.secretKey
    example = await import('../../sdk/examples/server.ts')
  })
  afterAll(() => service[Symbol.asyncDispose]())

  test('a public token becomes a connection with a readable fleet', async () => {
    const { connectionId, connectionToken, publicToken } = service.demo
    const linked = await example.linked(publicToken)
    expect(linked).toEqual({ id: connectionId, token: connectionToken, provider: 'Sandbox' })
    await expect(example.linked(publicToken)).rejects.toMatchObject({ code: 'not_found', status: 404 })

    const done = await example.follow(undefined, AbortSignal.timeout(100_000))
    expect(done).toMatch(/^evt_/)
    const { vehicles, positions } = await example.fleetOf(linked.token)
    expect([vehicles.length, positions]).toEqual([10, 10])
    expect(await example.syncNow(linked.token)).toMatch(/^sync_/)
  })

  test('a list is read in pages, and a record by its id', async () => {
    const fleet = odograph.connection(service.demo.connectionToken)
    const sizes: number[] = []
    for await (const { results } of fleet.vehicles.list({ limit: 4 }).pages()) sizes.push(results.length)
    expect(sizes).toEqual([4, 4, 2])
    const all = await fleet.vehicles.list({ limit: 3 }).all()
    expect(new Set(all.map(({ id }) => id)).size).toBe(10)
    const [first] = all
    expect(await fleet.vehicles.get({ id: first!.id })).toMatchObject({ id: first!.id, vin: first!.vin })
    expect((await odograph.providers.list()).map(({ code }) => code)).toContain('sandbox')
    expect((await odograph.connections.list({ tag: 'demo' }).all()).map(({ id }) => id)).toEqual([
      service.demo.connectionId,
    ])
  })

  test('a connection is changed, a short link created, and a passthrough request sent', async () => {
    const fleet = odograph.connection(service.demo.connectionToken)
    expect(await fleet.update({ externalId: 'customer-7', tags: ['demo', 'north'] })).toMatchObject({
      externalId: 'customer-7',
      tags: ['demo', 'north'],
    })
    expect((await fleet.get()).externalId).toBe('customer-7')
    const link = await odograph.links.create({ externalId: 'customer-8', backfill: { days: 30 } })
    expect(await odograph.links.create({ externalId: 'customer-8', backfill: { days: 30 } })).toEqual(link)
    expect(await odograph.links.delete({ id: link.id })).toEqual({ id: link.id })
    const raw = await fleet.passthrough.raw({ method: 'GET', path: '/account' })
    expect([raw.status, JSON.parse(new TextDecoder().decode(raw.bytes)).name]).toEqual([
      200,
      (await fleet.get()).account.name,
    ])
  })

  test('invalid calls give errors', async () => {
    const fleet = odograph.connection(service.demo.connectionToken)
    const limit = await fleet.trips
      .list({ limit: 0 })
      .first()
      .catch((error: unknown) => error)
    expect(limit).toBeInstanceOf(OdographError)
    expect(limit).toMatchObject({
      code: 'bad_request',
      status: 400,
      detail: [{ path: '{requestQuery}.limit' }],
      requestId: expect.stringMatching(/\S/),
    })
    await expect(odograph.connection('con_tkn_none').get()).rejects.toMatchObject({ code: 'forbidden' })
    const stranger = new OdographClient({
      baseUrl: service.demo.url,
      secretKey: `${service.demo.secretKey.slice(0, -1)}_`,
    })
    await expect(stranger.providers.list()).rejects.toMatchObject({ code: 'unauthorized', status: 401 })
    const wrong = await fleet.graphql('{ vehicles { nodes { wings } } }').catch((error: unknown) => error)
    expect(wrong).toBeInstanceOf(OdographError)
    const refused = await fleet
      .graphql('query ($first: Int) { vehicles(first: $first) { nodes { id } } }', { first: -1 })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(OdographGraphQLError)
    expect(refused).toMatchObject({ code: 'BAD_USER_INPUT' })
  })

  test('events resume after the last one, and stop at the abort signal', async () => {
    const log = await odograph.events.list({ limit: 1000 }).all()
    const [first] = log
    const seen: string[] = []
    const given = new AbortController()
    for await (const { id } of odograph.followEvents({
      after: first!.id,
      pollMs: 20,
      signal: given.signal,
    })) {
      seen.push(id)
      if (seen.length === log.length - 1) given.abort()
    }
    expect(seen.slice(0, log.length - 1)).toEqual(log.slice(1).map(({ id }) => id))
  })

  describe('webhooks', () => {
    const taken: Event[] = []
    const secrets: string[] = []
    const judged: boolean[] = []
    let server: Server

    beforeAll(async () => {
      server = receiver(secrets, async (event) => void taken.push(event))
      server.on('request', (request) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => void chunks.push(chunk))
        request.on('end', () => void judged.push(isGenuine(Buffer.concat(chunks), request.headers)))
      })
      server.listen(0, '127.0.0.1')
      await once(server, 'listening')
    })
    afterAll(() => void server.close())

    const isGenuine = (body: Buffer, headers: object): boolean =>
      secrets.some((secret) => {
        try {
          new Standard(secret).verify(body.toString(), headers as Record<string, string>)
          return true
        } catch {
          return false
        }
      })

    const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const ids = (type: string) => taken.filter((event) => event.type === type).map(({ id }) => id)

    test('are accepted on delivery, also during a rotation of their secret', async () => {
      const endpoint = await odograph.webhookEndpoints.create({ url: url(), types: ['vehicle.added'] })
      secrets.push(endpoint.secret)
      await odograph.webhookEndpoints.test({ id: endpoint.id, type: 'vehicle.added' })
      await expect.poll(() => ids('vehicle.added').length).toBe(1)

      const { secret } = await odograph.webhookEndpoints.rotateSecret({
        id: endpoint.id,
        overlapSeconds: 600,
      })
      await odograph.webhookEndpoints.test({ id: endpoint.id, type: 'vehicle.added' })
      await expect.poll(() => ids('vehicle.added').length).toBe(2)
      secrets.splice(0, 1, secret)
      await odograph.webhookEndpoints.test({ id: endpoint.id, type: 'vehicle.added' })
      await expect.poll(() => ids('vehicle.added').length).toBe(3)
      expect(judged).toEqual([true, true, true])
      expect(await odograph.webhookEndpoints.deliveries({ id: endpoint.id }).all()).toHaveLength(3)
      await odograph.webhookEndpoints.delete({ id: endpoint.id })
    })

    test('an unsigned message is rejected', async () => {
      const before = taken.length
      const forged = await fetch(url(), { method: 'POST', body: '{}', headers: { 'webhook-id': 'evt_1' } })
      expect([forged.status, taken.length]).toEqual([401, before])
    })
  })
})
