import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findShortLinkSettings } from '../../../src/subgraphs/connections/short-links/find-short-link.ts'
import { removeExpiredRows } from '../../../src/sync/retention/remove-expired-rows.ts'
import { type Application, ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'
import { DAY, dialects } from '../../support/factories.ts'
import { seedShortLinks } from '../../support/rows/short-link-rows.ts'

const ORIGIN = 'https://app.example.com'
const LINK = 'shortLink { id code url settings createdAt expiresAt } replayed'

describe.each(dialects)('short links on %s', (dialect) => {
  let harness: ConnectionsHarness
  let ours: Application
  let theirs: Application

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    ;[ours, theirs] = await Promise.all([harness.application(), harness.application()])
    await harness.set('applications', ours.id, { linkOrigins: JSON.stringify([ORIGIN]) })
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const create = (input: object, { owner } = ours) => harness.mutate(owner, 'createShortLink', input, LINK)
  const remove = (shortLinkId: string, { owner } = ours) =>
    harness.mutate(owner, 'deleteShortLink', { shortLinkId }, 'shortLinkId')
  const settingsOf = (code: string) => findShortLinkSettings(harness.db, code, harness.tools.clock.now())
  const auditedActions = async (targetId: string) =>
    (
      await harness.db.rows<{ action: string; actorKind: string }>(
        'SELECT `action`, `actorKind` FROM `audit_log` WHERE `targetId` = ? ORDER BY `id`',
        [targetId],
      )
    ).map(({ action }) => action)

  test('store the settings of a link run', async () => {
    const input = {
      name: 'Acme Haulage',
      provider: 'sandbox',
      providerHints: ['sandbox'],
      externalId: 'customer-1',
      tags: ['north', 'vip'],
      redirectUrl: `${ORIGIN}/linked?from=odograph`,
      syncMode: 'MANUAL',
      backfill: { days: 30 },
      template: 'ours',
    }
    const { payload } = await create(input)
    const { id, code, url, settings, createdAt, expiresAt } = payload.shortLink
    expect(payload.replayed).toBe(false)
    expect(id).toMatch(/^slk_[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(code).toMatch(/^[a-hjkmnp-z2-9]{8}$/)
    expect(url).toBe(`https://link.example.com/s/${code}`)
    expect(settings).toEqual({ ...input, syncMode: 'manual' })
    const [made, ends] = [new Date(createdAt), new Date(expiresAt)]
    expect(ends.getUTCFullYear()).toBe(made.getUTCFullYear() + 1)
    expect(await settingsOf(code)).toEqual({
      id,
      applicationId: ours.id,
      settings: {
        ...Object.fromEntries(Object.entries(input).filter(([name]) => name !== 'backfill')),
        syncMode: 'manual',
        backfillDays: 30,
      },
    })
  })

  test('are reused for equal settings in any order', async () => {
    const first = await create({
      externalId: 'customer-2',
      tags: ['a'],
      backfill: { startFrom: '2025-01-01T00:00:00Z' },
    })
    const again = await create({
      backfill: { startFrom: '2025-01-01T01:00:00+01:00' },
      tags: ['a'],
      externalId: 'customer-2',
    })
    expect(again.payload).toEqual({ ...first.payload, replayed: true })
    expect(await auditedActions(first.payload.shortLink.id)).toEqual(['short_link.created'])
    const other = await create({ externalId: 'customer-2', tags: ['b'] })
    expect(other.payload.shortLink.id).not.toBe(first.payload.shortLink.id)
    const foreign = await create({ externalId: 'customer-2', tags: ['b'] }, theirs)
    expect(foreign.payload.replayed).toBe(false)
  })

  test('are created once for twenty concurrent equal requests', async () => {
    const input = { externalId: 'customer-3' }
    const created = await Promise.all(Array.from({ length: 20 }, () => create(input)))
    expect(new Set(created.map(({ payload }) => payload.shortLink.code)).size).toBe(1)
    expect(created.filter(({ payload }) => !payload.replayed)).toHaveLength(1)
    expect(await auditedActions(created[0]!.payload.shortLink.id)).toEqual(['short_link.created'])
  })

  test('are not found after deletion, and equal settings create another', async () => {
    const input = { externalId: 'customer-4' }
    const { shortLink } = (await create(input)).payload
    expect((await remove(shortLink.id, theirs)).code).toBe('NOT_FOUND')
    expect(await settingsOf(shortLink.code)).not.toBeNull()
    expect((await remove(shortLink.id)).payload).toEqual({ shortLinkId: shortLink.id })
    expect(await settingsOf(shortLink.code)).toBeNull()
    expect((await remove(shortLink.id)).code).toBe('NOT_FOUND')
    const next = (await create(input)).payload
    expect([next.replayed, next.shortLink.code === shortLink.code]).toEqual([false, false])
    expect(await auditedActions(shortLink.id)).toEqual(['short_link.created', 'short_link.deleted'])
  })

  test('are not found after they expire, and equal settings create another', async () => {
    const input = { externalId: 'customer-5' }
    const { shortLink } = (await create(input)).payload
    harness.moveClock(366 * DAY)
    expect(await settingsOf(shortLink.code)).toBeNull()
    expect((await create(input)).payload.replayed).toBe(false)
  })

  test('are removed after they expire, and no others', async () => {
    const some = await harness.application()
    const now = harness.tools.clock.now()
    const kept = await seedShortLinks(harness.db, some.id, 2, { expiresAt: now + 1 })
    await seedShortLinks(harness.db, some.id, 2, { expiresAt: now - 2 * DAY })
    await removeExpiredRows(harness.tools, new AbortController().signal)
    const left = await harness.db.rows<{ id: string }>(
      'SELECT `id` FROM `short_links` WHERE `applicationId` = ? ORDER BY `id`',
      [some.id],
    )
    expect(left.map(({ id }) => id)).toEqual(kept.map(({ id }) => id))
  })

  test('are listed unless they are deleted or expired', async () => {
    const some = await harness.application()
    const kept = await seedShortLinks(harness.db, some.id, 2)
    await seedShortLinks(harness.db, some.id, 1, { deletedAt: 1 })
    await seedShortLinks(harness.db, some.id, 1, { expiresAt: 1 })
    const { data } = await harness.ask(some.owner, '{ shortLinks { totalCount nodes { id code } } }')
    expect(data).toEqual({
      shortLinks: { totalCount: 2, nodes: kept.map(({ id, code }) => ({ id, code })) },
    })
  })

  test.each([
    ['provider', { provider: 'none' }],
    ['providerHints', { providerHints: ['sandbox', 'none'] }],
    ['redirectUrl', { redirectUrl: 'https://elsewhere.example.com/linked' }],
    ['redirectUrl', { redirectUrl: `${ORIGIN}.elsewhere.example.com/` }],
    ['redirectUrl', { redirectUrl: 'https://app.example.com@elsewhere.example.com/' }],
    ['redirectUrl', { redirectUrl: 'https://user@app.example.com/' }],
    ['redirectUrl', { redirectUrl: 'http://app.example.com/' }],
    ['redirectUrl', { redirectUrl: 'javascript:alert(1)' }],
    ['redirectUrl', { redirectUrl: '/linked' }],
    ['backfill.days', { backfill: { days: -1 } }],
    ['backfill.days', { backfill: { days: 1e9 } }],
    ['backfill.startFrom', { backfill: { startFrom: '2999-01-01T00:00:00Z' } }],
    ['tags', { tags: [''] }],
    ['externalId', { externalId: 'x'.repeat(256) }],
    ['name', { name: 'x'.repeat(256) }],
  ])('are not created with an invalid %s', async (member, input) => {
    const count = () => harness.db.rows('SELECT COUNT(*) AS n FROM `short_links`')
    const before = await count()
    const { code, detail } = await create(input)
    expect([code, detail]).toEqual(['BAD_USER_INPUT', [expect.objectContaining({ path: `input.${member}` })]])
    expect(await count()).toEqual(before)
  })

  test('cannot be created with a connection token', async () => {
    const { client } = await harness.link(ours)
    expect((await harness.mutate(client, 'createShortLink', {}, LINK)).code).toBe('FORBIDDEN')
  })
})
