import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyHolder } from '../../../src/auth/caller.ts'
import {
  createShortLink,
  type ShortLinkInput,
} from '../../../src/subgraphs/connections/short-links/create-short-link.ts'
import { deleteShortLink } from '../../../src/subgraphs/connections/short-links/delete-short-link.ts'
import { DAY } from '../../support/factories.ts'
import { type Integrator, LinkHarness } from '../../support/link/link-harness.ts'

describe('a short link', () => {
  let harness: LinkHarness
  let integrator: Integrator
  beforeAll(async () => {
    harness = await LinkHarness.start()
    integrator = await harness.integrator()
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const create = async (input: ShortLinkInput) =>
    (await createShortLink(harness.from, keyHolder(integrator.id), input)).shortLink
  const open = (code: string) => harness.browser().open(`/link/s/${code}`)
  const runs = async () =>
    (
      await harness.rows<{ settings: string }>(
        'SELECT `settings` FROM `link_runs` WHERE `applicationId` = ? ORDER BY `id`',
        [integrator.id],
      )
    ).map(({ settings }) => JSON.parse(settings) as Record<string, unknown>)

  test('starts a link run with its settings each time it is opened', async () => {
    const { code } = await create({
      provider: 'sandbox',
      externalId: 'customer-1',
      tags: ['north'],
      backfill: { days: 3 },
      redirectUrl: 'https://app.example.com/linked',
    })
    for (const times of [1, 2]) {
      const { status, url } = await open(code)
      expect([status, url.pathname]).toEqual([200, expect.stringMatching(/^\/link\/run\/\w/)])
      expect(await runs()).toHaveLength(times)
    }
    expect((await runs()).at(-1)).toMatchObject({
      provider: 'sandbox',
      externalId: 'customer-1',
      tags: ['north'],
      backfillDays: 3,
      redirectUrl: 'https://app.example.com/linked',
    })
  })

  test('returns 410 if it is unknown, deleted or expired', async () => {
    const before = await runs()
    const { id, code } = await create({ externalId: 'customer-2' })
    await deleteShortLink(harness.from, keyHolder(integrator.id), { shortLinkId: id })
    const expired = await create({ externalId: 'customer-3' })
    harness.moveClock(366 * DAY)
    for (const one of [code, expired.code, 'abcdefgh', 'ABCDEFGH', 'x', '%00']) {
      const { status, html } = await open(one)
      expect([one, status]).toEqual([one, 410])
      expect(html).toContain('<!doctype html>')
    }
    expect(await runs()).toEqual(before)
  })

  test('starts no run if its redirect URL is no longer allowed', async () => {
    const { code } = await create({ redirectUrl: 'https://app.example.com/late' })
    const before = await runs()
    await harness.db.transaction((tx) =>
      tx.run('UPDATE `applications` SET `linkOrigins` = ? WHERE `id` = ?', ['[]', integrator.id]),
    )
    expect((await open(code)).status).toBeGreaterThanOrEqual(400)
    expect(await runs()).toEqual(before)
  })
})
