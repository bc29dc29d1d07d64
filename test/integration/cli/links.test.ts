import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

interface Listed {
  readonly id: string
  readonly url: string
}

describe.each(stores)('links on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let applicationArgs: readonly ['--application', string]

  beforeAll(async () => {
    harness = await openCliHarness(store)
    application = await seedApplication(harness.db, [() => ({})])
    applicationArgs = ['--application', application.id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const list = () => harness.json<Listed[]>('links', 'list', ...applicationArgs)

  test('are created, listed and deleted', async () => {
    const options = [
      '--provider',
      'sandbox',
      '--tags',
      'a,b',
      '--sync-mode',
      'manual',
      '--backfill-days',
      '3',
    ]
    const made = await harness.json<Listed>('links', 'create', ...applicationArgs, ...options)
    expect(made).toMatchObject({
      provider: 'sandbox',
      tags: ['a', 'b'],
      url: expect.stringMatching(/\/s\/\w{8}$/),
    })
    expect((await harness.json<Listed>('links', 'create', ...applicationArgs, ...options)).id).toBe(made.id)
    expect((await list()).map(({ id }) => id)).toEqual([made.id])
    expect((await harness.cli('links', 'delete', made.id, ...applicationArgs)).code).toBe(0)
    expect(await list()).toEqual([])
    expect((await harness.cli('links', 'delete', made.id, ...applicationArgs)).code).toBe(1)
  })

  test('of a production application lead to simulated fleets only if the application allows it', async () => {
    const { id } = await harness.json<{ id: string }>('applications', 'create', 'Real')
    for (const command of ['create', 'url']) {
      const link = () => harness.cli('links', command, '--application', id, '--provider', 'sandbox')
      await harness.json('applications', 'update', id, '--allow-sandbox', 'off')
      expect(await link()).toMatchObject({ code: 1, error: expect.stringContaining('--allow-sandbox on') })
      await harness.json('applications', 'update', id, '--allow-sandbox', 'on')
      expect(await link()).toMatchObject({ code: 0, error: '' })
    }
  })

  test('have full URLs with the newest publishable key', async () => {
    expect((await harness.cli('links', 'url', ...applicationArgs)).error).toContain('no publishable key')
    const create = () =>
      harness.json<{ id: string; key: string }>('keys', 'create', ...applicationArgs, '--use', 'publishable')
    const first = await create()
    const { key } = await create()
    const options = ['--external-id', 'customer 7&more', '--tags', 'a,b', '--backfill-days', '7']
    const { url } = await harness.json<Listed>('links', 'url', ...applicationArgs, ...options)
    const { pathname, searchParams } = new URL(url)
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      '/link/',
      { key, external_id: 'customer 7&more', tags: 'a,b', backfill_days: '7' },
    ])
    expect(first.key).not.toBe(key)
    const refused = await harness.cli(
      'links',
      'url',
      ...applicationArgs,
      '--redirect-url',
      'https://elsewhere.example.com/',
    )
    expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('redirectUrl')])
  })
})
