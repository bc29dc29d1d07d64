import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { stores } from '../../support/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/cli-harness.ts'

interface Listed {
  readonly id: string
  readonly url: string
}

describe.each(stores)('links on %s', (store) => {
  let office: CliHarness
  let ours: SeededApplication
  let whose: readonly ['--application', string]

  beforeAll(async () => {
    office = await openCliHarness(store)
    ours = await seedApplication(office.db, [() => ({})])
    whose = ['--application', ours.id]
  })
  afterAll(() => office[Symbol.asyncDispose]())

  const list = () => office.json<Listed[]>('links', 'list', ...whose)

  test('are made, listed and deleted', async () => {
    const asked = ['--provider', 'sandbox', '--tags', 'a,b', '--sync-mode', 'manual', '--backfill-days', '3']
    const made = await office.json<Listed>('links', 'create', ...whose, ...asked)
    expect(made).toMatchObject({
      provider: 'sandbox',
      tags: ['a', 'b'],
      url: expect.stringMatching(/\/s\/\w{8}$/),
    })
    expect((await office.json<Listed>('links', 'create', ...whose, ...asked)).id).toBe(made.id)
    expect((await list()).map(({ id }) => id)).toEqual([made.id])
    expect((await office.cli('links', 'delete', made.id, ...whose)).code).toBe(0)
    expect(await list()).toEqual([])
    expect((await office.cli('links', 'delete', made.id, ...whose)).code).toBe(1)
  })

  test('are printed in full with the newest publishable key', async () => {
    expect((await office.cli('links', 'url', ...whose)).error).toContain('no publishable key')
    const create = () =>
      office.json<{ id: string; key: string }>('keys', 'create', ...whose, '--use', 'publishable')
    const first = await create()
    const { key } = await create()
    const asked = ['--external-id', 'customer 7&more', '--tags', 'a,b', '--backfill-days', '7']
    const { url } = await office.json<Listed>('links', 'url', ...whose, ...asked)
    const { pathname, searchParams } = new URL(url)
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/link/',
      { key, external_id: 'customer 7&more', tags: 'a,b', backfill_days: '7' },
    ])
    expect(first.key).not.toBe(key)
    const refused = await office.cli(
      'links',
      'url',
      ...whose,
      '--redirect-url',
      'https://elsewhere.example.com/',
    )
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('redirectUrl')])
  })
})
