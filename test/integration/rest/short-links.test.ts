import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type LinkedRest, startLinkedRest } from '../../support/rest/linked-rest.ts'
import { LINK } from '../../support/rest/rest-harness.ts'

describe('/link/short', () => {
  let linked: LinkedRest

  beforeAll(async () => {
    linked = await startLinkedRest()
  })
  afterAll(() => linked[Symbol.asyncDispose]())

  const post = (body: object) => linked.rest.write('POST', '/link/short', linked.owner, body)

  test('returns the same link for the same body, with a header', async () => {
    const body = {
      name: 'Acme',
      provider: 'sandbox',
      syncMode: 'manual',
      backfill: { startFrom: '2025-06-01' },
    }
    const first = await post(body)
    expect([first.status, first.headers['idempotent-replayed']]).toEqual([201, undefined])
    const { id, code, url, expiresAt, ...others } = first.body
    expect(others).toEqual({})
    expect(url).toBe(`${LINK}/s/${code}`)
    expect(new Date(expiresAt).toISOString()).toBe(expiresAt)
    const again = await post({ ...body, provider: 'sandbox' })
    expect([again.status, again.headers['idempotent-replayed'], again.body]).toEqual([
      201,
      'true',
      first.body,
    ])
    const deleted = await linked.rest.write('DELETE', `/link/short/${id}`, linked.owner)
    expect([deleted.status, deleted.body]).toEqual([200, { id }])
    const next = await post(body)
    expect([next.headers['idempotent-replayed'], next.body.code === code]).toEqual([undefined, false])
    expect((await linked.rest.write('DELETE', `/link/short/${id}`, linked.owner)).status).toBe(404)
  })

  test('names the invalid member', async () => {
    const { status, body } = await post({ redirectUrl: 'https://other.example.com/' })
    expect([status, body.detail[0].path]).toEqual([400, '{requestBody}.redirectUrl'])
    const unknown = await post({ external_id: 'x' })
    expect([unknown.status, unknown.body.detail[0].suggestion]).toEqual([400, 'externalId'])
  })
})
