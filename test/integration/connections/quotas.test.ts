import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setQuotas } from '../../../src/subgraphs/connections/applications/set-quotas.ts'
import { dialects } from '../../support/factories.ts'
import { type Application, ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'

describe.each(dialects)('the quotas of an application on %s', (dialect) => {
  let harness: ConnectionsHarness
  let limited: Application
  let other: Application
  let externalIds = 0

  beforeAll(async () => {
    harness = await ConnectionsHarness.start(dialect)
    ;[limited, other] = await Promise.all([harness.application(), harness.application()])
    for (const { id } of [limited, other])
      await harness.db.transaction((tx) =>
        tx.run(
          "UPDATE `api_keys` SET `scopes` = '[\"admin\"]' WHERE `applicationId` = ? AND `use` = 'secret'",
          [id],
        ),
      )
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const code = async (outcome: Promise<{ readonly code: string | null }>) => (await outcome).code
  const create = {
    keys: ({ owner }: Application) => code(harness.mutate(owner, 'createKey', {}, 'key { id }')),
    sessions: ({ owner }: Application) =>
      code(harness.mutate(owner, 'createSession', { expiresInSeconds: 60 }, 'session { id }')),
    shortLinks: ({ owner }: Application) =>
      code(
        harness.mutate(owner, 'createShortLink', { externalId: `c-${++externalIds}` }, 'shortLink { id }'),
      ),
    connections: (application: Application) =>
      harness.link(application).then(
        () => null,
        (error: unknown) => (error as { code: string }).code.toUpperCase(),
      ),
  }
  const names = ['keys', 'sessions', 'shortLinks', 'connections'] as const
  const now = () => harness.tools.clock.now()
  const usedKeys = 2

  test.each(names)('refuse further %s, and only to that application', async (name) => {
    const limit = name === 'keys' ? usedKeys + 2 : 2
    await setQuotas(harness.db, limited.id, { [name]: limit }, now())
    const outcomes = [await create[name](limited), await create[name](limited), await create[name](limited)]
    expect(outcomes).toEqual([null, null, 'UNPROCESSABLE_ENTITY'])
    expect(await create[name](other)).toBeNull()
    await setQuotas(harness.db, limited.id, { [name]: limit + 1 }, now())
    expect(await create[name](limited)).toBeNull()
    expect(await create[name](limited)).toBe('UNPROCESSABLE_ENTITY')
    await setQuotas(harness.db, limited.id, { [name]: null }, now())
    expect(await create[name](limited)).toBeNull()
  })

  test('does not count rows that have ended', async () => {
    const { id, owner } = await harness.application()
    await setQuotas(harness.db, id, { sessions: 1, shortLinks: 1, connections: 1 }, now())
    const application = { id, owner }
    for (const name of ['sessions', 'shortLinks', 'connections'] as const)
      expect([await create[name](application), await create[name](application)]).toEqual([
        null,
        'UNPROCESSABLE_ENTITY',
      ])
    await harness.db.transaction(async (tx) => {
      await tx.run('UPDATE `sessions` SET `expiresAt` = ? WHERE `applicationId` = ?', [now(), id])
      await tx.run('UPDATE `short_links` SET `deletedAt` = ? WHERE `applicationId` = ?', [now(), id])
      await tx.run('UPDATE `connections` SET `deletedAt` = ? WHERE `applicationId` = ?', [now(), id])
    })
    for (const name of ['sessions', 'shortLinks', 'connections'] as const)
      expect(await create[name](application)).toBeNull()
  })

  test('counts a rotated key until it ends, and the error names the way out', async () => {
    await setQuotas(harness.db, other.id, { keys: 4 }, now())
    const rotate = async (overlapSeconds: number) => {
      const [{ id } = { id: '' }] = await harness.db.rows<{ id: string }>(
        "SELECT `id` FROM `api_keys` WHERE `applicationId` = ? AND `use` = 'publishable' AND `expiresAt` IS NULL",
        [other.id],
      )
      const text = 'mutation ($input: RotateKeyInput!) { rotateKey(input: $input) { key { id } } }'
      return (await harness.ask(other.owner, text, { input: { keyId: id, overlapSeconds } })).errors
    }
    expect(await rotate(60)).toBeUndefined()
    expect(await rotate(60)).toEqual([
      expect.objectContaining({
        message: 'An application can have at most 4 keys.',
        extensions: expect.objectContaining({
          detail: 'Revoke keys that are no longer needed. The operator of the service can raise the limit.',
        }),
      }),
    ])
    expect(await rotate(0)).toBeUndefined()
  })

  test('are exact for keys and short links that are created at once', async () => {
    const application = await harness.application()
    await setQuotas(harness.db, application.id, { shortLinks: 3 }, now())
    const outcomes = await Promise.all(Array.from({ length: 6 }, () => create.shortLinks(application)))
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(3)
  })
})
