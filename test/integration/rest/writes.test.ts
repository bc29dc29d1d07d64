import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { issuePublicToken } from '../../../src/subgraphs/connections/tokens/issue-public-token.ts'
import type { ApiClient } from '../../support/factories.ts'
import { type LinkedRest, startLinkedRest } from '../../support/rest/linked-rest.ts'
import { LINK, type RestHarness } from '../../support/rest/rest-harness.ts'

let linkedRest: LinkedRest
let rest: RestHarness
let owner: ApiClient

beforeAll(async () => {
  linkedRest = await startLinkedRest()
  ;({ rest, owner } = linkedRest)
})

afterAll(() => linkedRest[Symbol.asyncDispose]())

const linked = (more?: object) => linkedRest.link(more)
const input = () => linkedRest.input()

const current = async (client: ApiClient) => (await rest.get('/connections/current', client)).body

describe('POST /connections', () => {
  test('returns 201 with the connection and its token', async () => {
    const { body, client } = await linked({
      company: { name: 'Acme', dotNumbers: ['7'] },
      options: { units: 'metric', nested: { kept: null } },
      externalId: 'ours-9',
      syncMode: 'manual',
      backfill: { days: 3 },
      tags: ['a', 'b'],
      filters: { vehicles: { status: 'active' } },
      agreements: [{ agreementUrl: 'https://example.com/a', acceptedAt: '2026-01-01T00:00:00Z' }],
    })
    expect(body).toMatchObject({
      status: 'connected',
      provider: { code: 'sandbox' },
      company: { name: 'Acme', dotNumbers: ['7'] },
      options: { units: 'metric', nested: { kept: null } },
      externalId: 'ours-9',
      syncMode: 'manual',
      tags: ['a', 'b'],
      filters: { vehicles: { status: 'active' } },
      linkUrl: expect.stringMatching(/\?key=pk_sandbox_\w{32}$/),
    })
    expect(body.linkUrl).toContain(`${LINK}/connection/${body.id}?`)
    const { agreements, ...shown } = await current(client)
    expect(agreements).toHaveLength(1)
    const { lastSync: _, ...same } = shown
    expect(same).toEqual(body)
  })

  test('refuses credentials that the provider does not accept', async () => {
    const credentials = { apiKey: 'revoked-1' }
    const { status, body } = await rest.write('POST', '/connections', owner, { ...input(), credentials })
    expect([status, body.code]).toEqual([422, 'invalid_credentials'])
  })

  test.each([
    ['none', 'There is no provider with this code.'],
    ['verizon', 'Accounts at this provider cannot be linked yet.'],
    ['unlisted', 'There is no provider with this code.'],
  ])('refuses an unknown or unlinkable provider, %s', async (provider, message) => {
    const { status, body } = await rest.write('POST', '/connections', owner, { ...input(), provider })
    expect([status, body.code, body.detail[0]]).toEqual([
      400,
      'bad_request',
      expect.objectContaining({ path: '{requestBody}.provider', message }),
    ])
  })
})

describe('POST /public-token/exchange', () => {
  test('returns the connection once', async () => {
    const { body, client } = await linked()
    const token = await issuePublicToken(
      rest.db,
      { id: client.connectionId!, applicationId: owner.applicationId },
      Date.now(),
    )
    const exchange = () => rest.write('POST', '/public-token/exchange', owner, { publicToken: token })
    const answer = await exchange()
    expect([answer.status, answer.body]).toEqual([200, body])
    const again = await exchange()
    expect([again.status, again.body.code]).toEqual([404, 'not_found'])
  })
})

describe('PATCH /connections/current', () => {
  test('returns 200 with the whole changed connection', async () => {
    const { body, client } = await linked({ tags: ['a'] })
    const changes = {
      tags: ['b', 'c'],
      externalId: 'ours-2',
      options: { a: [1, { b: null }] },
      syncMode: 'manual',
      company: { name: 'New' },
      filters: { drivers: { status: 'inactive' } },
    }
    const answer = await rest.write('PATCH', '/connections/current', client, changes)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      ...body,
      ...changes,
      company: { ...body.company, name: 'New' },
      updatedAt: expect.any(String),
    })
    expect(await current(client)).toMatchObject(answer.body)
  })

  test.each(['archived', 'disconnected'])('sets %s, and connected again', async (status) => {
    const { client } = await linked()
    for (const next of [status, 'connected']) {
      const answer = await rest.write('PATCH', '/connections/current', client, { status: next })
      expect([answer.status, answer.body.status]).toEqual([200, next])
    }
  })

  test('removes filters and identifiers with null', async () => {
    const { client } = await linked({ externalId: 'x', filters: { vehicles: { status: 'active' } } })
    const { status, body } = await rest.write('PATCH', '/connections/current', client, {
      externalId: null,
      filters: null,
    })
    expect(status).toBe(200)
    expect(body).not.toHaveProperty('externalId')
    expect(body).not.toHaveProperty('filters')
  })

  test('changes nothing with an empty body', async () => {
    const { body, client } = await linked()
    const answer = await rest.write('PATCH', '/connections/current', client, {})
    expect([answer.status, answer.body]).toEqual([200, { ...body, updatedAt: expect.any(String) }])
  })
})

describe('DELETE /connections/current', () => {
  test('returns 202 with the connection and a message, and can be cancelled', async () => {
    const { body, client } = await linked()
    const answer = await rest.write('DELETE', '/connections/current', client)
    expect([answer.status, answer.body]).toEqual([
      202,
      {
        ...body,
        status: 'pending_deletion',
        updatedAt: expect.any(String),
        message: expect.stringMatching(/\S/),
      },
    ])
    const kept = await rest.write('PATCH', '/connections/current', client, { status: 'connected' })
    expect([kept.status, kept.body.status]).toEqual([200, 'connected'])
  })

  test.each(['deleting', 'deleted'])('a connection that is %s remains as a stub', async (status) => {
    const { body } = await linked({ tags: ['a'], externalId: 'e' })
    await rest.db.transaction((tx) =>
      tx.run('UPDATE `connections` SET `status` = ?, `deletedAt` = ?, `filters` = NULL WHERE `id` = ?', [
        status,
        status === 'deleted' ? Date.UTC(2026, 0, 1) : null,
        body.id,
      ]),
    )
    const { options: _, linkUrl: __, filters: ___, ...stub } = body
    const { results } = (await rest.get(`/connections?externalId=e&status=${status}`, owner)).body
    expect(results).toEqual([
      {
        ...stub,
        status,
        ...(status === 'deleted' ? { deletedAt: '2026-01-01T00:00:00.000Z' } : {}),
      },
    ])
  })
})

describe('syncs', () => {
  test('are requested with 201, one at a time, then cancelled and retried', async () => {
    const { client } = await linked({ syncMode: 'manual' })
    const [first] = (await rest.get('/syncs', client)).body.results
    if (first) await rest.write('POST', `/syncs/${first.id}/cancel`, client)
    const requested = await rest.write('POST', '/syncs', client, {
      days: 2,
      startFrom: '2020-01-01T00:00:00Z',
      providerRequests: ['historical_files', { type: 'provision_credentials' }],
    })
    expect([requested.status, requested.body.status]).toEqual([201, 'requested'])
    expect(requested.body.providerRequests).toEqual(['historical_files', 'provision_credentials'])
    expect(Date.parse(requested.body.startFrom)).toBeGreaterThan(Date.UTC(2025, 0))
    const { id } = requested.body

    const conflict = await rest.write('POST', '/syncs', client)
    expect([conflict.status, conflict.body.code]).toEqual([409, 'conflict'])
    expect(conflict.body.detail).toContain(id)
    const early = await rest.write('POST', `/syncs/${id}/retry`, client)
    expect([early.status, early.body.code]).toEqual([422, 'unprocessable_entity'])

    const cancelled = await rest.write('POST', `/syncs/${id}/cancel`, client)
    expect([cancelled.status, cancelled.body]).toEqual([200, { id, message: expect.stringMatching(/\S/) }])
    expect((await rest.get(`/syncs/${id}`, client)).body.status).toBe('failed')
    expect((await rest.write('POST', `/syncs/${id}/cancel`, client)).status).toBe(422)

    const retried = await rest.write('POST', `/syncs/${id}/retry`, client)
    expect([retried.status, retried.body]).toEqual([200, { id, message: expect.stringMatching(/\S/) }])
    expect((await rest.get(`/syncs/${id}`, client)).body.status).toBe('requested')
  })
})
