import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticator } from '../../../src/auth/caller.ts'
import { callerLookups } from '../../../src/subgraphs/connections/applications/caller-lookups.ts'
import { seedApplication, type SeededApplication } from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

interface Key {
  readonly id: string
  readonly key: string
  readonly scopes: string
  readonly documents: string | null
  readonly rate: number | null
  readonly status: string
  readonly expiresAt: string | null
  readonly lastUsedAt: string | null
}

describe.each(stores)('the operator on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let applicationArgs: readonly string[]

  beforeAll(async () => {
    harness = await openCliHarness(store)
    application = await seedApplication(harness.db, [])
    applicationArgs = ['--application', application.id]
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const keyOf = (value: string) =>
    authenticator(callerLookups(harness.db))({ authorization: `Bearer ${value}` }).then(({ key }) => key)
  const listed = () => harness.json<Key[]>('keys', 'list', ...applicationArgs)

  test('creates a key with scopes and an expiry, rotates it, and lists the expiry of each', async () => {
    const terms = ['--scopes', 'hos:read,vehicles:read', '--name', 'Reports', '--expires-in', '90d']
    terms.push('--documents', 'only', '--rate', '300000')
    const made = await harness.json<Key>('keys', 'create', ...applicationArgs, ...terms)
    expect(made).toMatchObject({
      name: 'Reports',
      scopes: 'vehicles:read,hos:read',
      documents: 'only',
      rate: 300_000,
    })
    expect(Math.round((Date.parse(made.expiresAt!) - Date.now()) / 86_400_000)).toBe(90)
    expect(await keyOf(made.key)).toEqual({
      id: made.id,
      scopes: ['vehicles:read', 'hos:read'],
      expiresAt: Date.parse(made.expiresAt!),
    })
    const { out, error } = await harness.cli('keys', 'rotate', made.id, '--overlap', '2h', ...applicationArgs)
    expect(error).toContain(`The old key ${made.id} is valid until`)
    const successor = /sk_sandbox_\w+/.exec(out)![0]
    expect((await keyOf(successor))?.scopes).toEqual(['vehicles:read', 'hos:read'])
    expect((await listed()).map(({ documents }) => documents).filter(Boolean)).toEqual(['only', 'only'])
    expect((await listed()).map(({ rate }) => rate).filter(Boolean)).toEqual([300_000, 300_000])
    const old = (await listed()).find(({ id }) => id === made.id)!
    expect([old.status, old.lastUsedAt]).toEqual(['live', null])
    expect(Math.round((Date.parse(old.expiresAt!) - Date.now()) / 3_600_000)).toBe(2)
    await harness.cli('keys', 'rotate', made.id, '--overlap', '0', ...applicationArgs)
    expect((await listed()).find(({ id }) => id === made.id)!.status).toBe('expired')
    await expect(keyOf(made.key)).rejects.toMatchObject({ detail: 'The secret key has expired.' })
  })

  test('gets errors with the valid values', async () => {
    const refused = async (...args: string[]) => {
      const { code, error } = await harness.cli(...args)
      return [code, error] as const
    }
    expect(await refused('keys', 'create', ...applicationArgs, '--scopes', 'fly')).toEqual([
      1,
      expect.stringContaining('Valid scopes: connections:read'),
    ])
    expect(await refused('keys', 'create', ...applicationArgs, '--expires-in', 'soon')).toEqual([
      2,
      expect.stringContaining('Give a duration like 30m, 24h'),
    ])
    expect(await refused('keys', 'rotate', 'key_unknown', ...applicationArgs)).toEqual([
      1,
      expect.stringContaining('There is no such key.'),
    ])
    expect(await refused('applications', 'update', application.id)).toEqual([
      2,
      expect.stringContaining('give at least one of'),
    ])
    expect(
      await refused('applications', 'update', application.id, '--link-origins', 'http://example.com'),
    ).toEqual([1, expect.stringContaining('https://')])
    const { out } = await harness.cli('keys', 'create', '--help')
    for (const word of ['--scopes', 'hos:read', 'admin', '--expires-in', 'Example:'])
      expect(out).toContain(word)
  })

  test('changes and shows the settings of an application', async () => {
    const shown = () =>
      harness
        .json<Record<string, unknown>>('applications', 'show', application.id)
        .then(({ name, linkOrigins, agreementUrl, merge, allowSandbox, documents, rate }) => ({
          name,
          linkOrigins,
          agreementUrl,
          merge,
          allowSandbox,
          documents,
          rate,
        }))
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
      '--allow-sandbox',
      'off',
      '--documents',
      'only',
      '--rate',
      '12000000',
    ]
    await harness.json('applications', 'update', application.id, ...settings)
    expect(await shown()).toEqual({
      name: 'Acme',
      linkOrigins: origins,
      agreementUrl: 'https://example.com/terms',
      merge: 'on',
      allowSandbox: 'off',
      documents: 'only',
      rate: 12_000_000,
    })
    await harness.json(
      'applications',
      'update',
      application.id,
      '--link-origins',
      '',
      '--agreement-url',
      '',
      '--merge',
      'off',
      '--allow-sandbox',
      'on',
      '--documents',
      'allow',
      '--rate',
      'default',
    )
    expect(await shown()).toEqual({
      name: 'Acme',
      linkOrigins: null,
      agreementUrl: null,
      merge: 'off',
      allowSandbox: 'on',
      documents: 'allow',
      rate: 'default',
    })
  })

  test('shows and changes the quotas of an application', async () => {
    const quotas = async (...assignments: string[]) => {
      const rows = await harness.json<{ quota: string; limit: number; default: number }[]>(
        'applications',
        'quotas',
        application.id,
        ...assignments,
      )
      return Object.fromEntries(rows.map((row) => [row.quota, row.limit]))
    }
    const defaults = await quotas()
    expect(Object.keys(defaults)).toEqual([
      'connections',
      'keys',
      'sessions',
      'shortLinks',
      'webhookEndpoints',
      'trustedDocuments',
    ])
    const changed = { ...defaults, sessions: 50_000, keys: 500 }
    expect(await quotas('sessions=50000', 'keys=500')).toEqual(changed)
    expect(await quotas()).toEqual(changed)
    expect(await quotas('keys=default')).toEqual({ ...changed, keys: defaults['keys'] })
    for (const [assignment, message] of [
      ['vehicles=5', 'there is no quota vehicles: choose from connections, keys, sessions'],
      ['keys=many', 'give a whole number below 1,000,000,000, or default: keys=1000'],
      ['keys', 'give a whole number'],
      ['keys=-1', 'give a whole number'],
    ] as const) {
      const { code, error } = await harness.cli('applications', 'quotas', application.id, assignment)
      expect([code, error]).toEqual([2, expect.stringContaining(message)])
    }
    expect(await quotas('sessions=default')).toEqual(defaults)
  })
})
