import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/auth/caller.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { stores } from '../../support/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/cli-harness.ts'

interface Key {
  readonly id: string
  readonly key: string
  readonly scopes: string
  readonly status: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

describe.each(stores)('the operator on %s', (store) => {
  let office: CliHarness
  let planted: SeededApplication
  let whose: readonly string[]

  beforeAll(async () => {
    office = await openCliHarness(store)
    planted = await seedApplication(office.db, [])
    whose = ['--application', planted.id]
  })
  afterAll(() => office[Symbol.asyncDispose]())

  const keyOf = (value: string) =>
    authenticator(callerLookups(office.db))({ authorization: `Bearer ${value}` }).then(({ key }) => key)
  const listed = () => office.json<Key[]>('keys', 'list', ...whose)

  test('makes a key with scopes that ends by itself, rotates it, and sees when each ends', async () => {
    const terms = ['--scopes', 'hos:read,vehicles:read', '--name', 'Reports', '--expires-in', '90d']
    const made = await office.json<Key>('keys', 'create', ...whose, ...terms)
    expect(made).toMatchObject({ name: 'Reports', scopes: 'vehicles:read,hos:read' })
    expect(Math.round((Date.parse(made.expiresAt!) - Date.now()) / 86_400_000)).toBe(90)
    expect(await keyOf(made.key)).toEqual({ id: made.id, scopes: ['vehicles:read', 'hos:read'] })
    const { out, error } = await office.cli('keys', 'rotate', made.id, '--overlap', '2h', ...whose)
    expect(error).toContain(`The old key ${made.id} is valid until`)
    const successor = /sk_sandbox_\w+/.exec(out)![0]
    expect((await keyOf(successor))?.scopes).toEqual(['vehicles:read', 'hos:read'])
    const old = (await listed()).find(({ id }) => id === made.id)!
    expect([old.status, old.lastUsedAt]).toEqual(['live', null])
    expect(Math.round((Date.parse(old.expiresAt!) - Date.now()) / 3_600_000)).toBe(2)
    await office.cli('keys', 'rotate', made.id, '--overlap', '0', ...whose)
    expect((await listed()).find(({ id }) => id === made.id)!.status).toBe('expired')
    await expect(keyOf(made.key)).rejects.toMatchObject({ detail: 'The secret key has expired.' })
  })

  test('is told what is wrong, and what there is', async () => {
    const refused = async (...args: string[]) => {
      const { code, error } = await office.cli(...args)
      return [code, error] as const
    }
    expect(await refused('keys', 'create', ...whose, '--scopes', 'fly')).toEqual([
      1,
      expect.stringContaining('There are connections:read'),
    ])
    expect(await refused('keys', 'create', ...whose, '--expires-in', 'soon')).toEqual([
      2,
      expect.stringContaining('Give a time like 30m, 24h'),
    ])
    expect(await refused('keys', 'rotate', 'key_unknown', ...whose)).toEqual([
      1,
      expect.stringContaining('There is no such key.'),
    ])
    expect(await refused('applications', 'update', planted.id)).toEqual([
      2,
      expect.stringContaining('give at least one of'),
    ])
    expect(
      await refused('applications', 'update', planted.id, '--link-origins', 'http://example.com'),
    ).toEqual([1, expect.stringContaining('https://')])
    const { out } = await office.cli('keys', 'create', '--help')
    for (const word of ['--scopes', 'hos:read', 'admin', '--expires-in', 'Example:'])
      expect(out).toContain(word)
  })

  test('changes the settings of an application, and sees them', async () => {
    const shown = () =>
      office
        .json<Record<string, unknown>>('applications', 'show', planted.id)
        .then(({ name, linkOrigins, agreementUrl, merge }) => ({ name, linkOrigins, agreementUrl, merge }))
    const origins = 'https://app.example.com,http://localhost:3000'
    const settings = [
      '--name',
      'Acme',
      '--link-origins',
      origins,
      '--agreement-url',
      'https://example.com/terms',
      '--merge',
      'on',
    ]
    await office.json('applications', 'update', planted.id, ...settings)
    expect(await shown()).toEqual({
      name: 'Acme',
      linkOrigins: origins,
      agreementUrl: 'https://example.com/terms',
      merge: 'on',
    })
    await office.json(
      'applications',
      'update',
      planted.id,
      '--link-origins',
      '',
      '--agreement-url',
      '',
      '--merge',
      'off',
    )
    expect(await shown()).toEqual({ name: 'Acme', linkOrigins: null, agreementUrl: null, merge: 'off' })
  })
})
