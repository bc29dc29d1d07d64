import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEncryption } from '../../../src/auth/envelope-encryption.ts'
import { decryptedColumn } from '../../support/secrets/decrypted-column.ts'
import { eventRow, seedApplication, type SeededApplication, unknownId } from '../../support/factories.ts'
import { stores } from '../../support/database/stores.ts'
import { MASTER_KEY, type CliHarness, openCliHarness } from '../../support/harnesses/cli-harness.ts'

interface Endpoint {
  readonly id: string
  readonly secret?: string
}

const RECEIVER = 'http://127.0.0.1:8080/hook'

describe.each(stores)('webhooks on %s', (store) => {
  let harness: CliHarness
  let ours: SeededApplication
  let theirs: SeededApplication

  beforeAll(async () => {
    harness = await openCliHarness(store, { ENCRYPTION_KEY: MASTER_KEY, WEBHOOK_ALLOW: '127.0.0.1' })
    ours = await seedApplication(harness.db, [(owner) => ({ events: [eventRow(owner)] })])
    theirs = await seedApplication(harness.db, [() => ({})])
    await harness.db.transaction((tx) =>
      tx.run('INSERT INTO `log_heads` (`applicationId`, `position`) VALUES (?, 1)', [ours.id]),
    )
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const run = <T>(verb: string, ...args: string[]) =>
    harness.json<T>('webhooks', verb, ...args, '--application', ours.id)

  test('an endpoint can be created, changed, tested, replayed and deleted', async () => {
    const made = await run<Endpoint>('create', '--url', RECEIVER, '--types', 'vehicle.modified,sync.failed')
    expect(made).toMatchObject({
      url: RECEIVER,
      types: ['vehicle.modified', 'sync.failed'],
      status: 'enabled',
    })
    expect(made.secret).toMatch(/^whsec_/)
    const { id } = made
    expect((await run<Endpoint[]>('list')).map((one) => one.id)).toEqual([id])
    expect(await run('show', id)).toMatchObject({
      id,
      backlog: 0,
      pending: 0,
      secrets: [{ expiresAt: null }],
    })
    const rotated = await run<Endpoint>('rotate', id, '--overlap', '60')
    expect([rotated.secret === made.secret, rotated.id]).toEqual([false, id])
    expect(await run('disable', id)).toMatchObject({ status: 'disabled', disabledReason: 'asked' })
    expect(await run('enable', id, '--skip-missed')).toMatchObject({ status: 'enabled' })
    const sent = await run<Endpoint>('test', id, '--type', 'sync.failed')
    expect(sent).toMatchObject({ type: 'sync.failed', status: 'pending', attempts: 0 })
    expect(await run('recover', id, '--since', '2026-01-01T00:00:00Z')).toMatchObject({ events: 1 })
    expect(await run<Endpoint[]>('deliveries', id, '--status', 'pending')).toHaveLength(2)
    expect(await run<Endpoint[]>('deliveries', id, '--limit', '1')).toHaveLength(1)
    expect(await run('replay', sent.id)).toMatchObject({ id: sent.id, status: 'pending' })
    expect(await run('delete', id)).toMatchObject({ id })
    expect(await run('list')).toEqual([])
  })

  test('headers come from options and a file, and are printed masked', async () => {
    const keys = ['planted-key-of-a-gateway', 'planted-key-from-a-file', 'planted-pass-of-nobody']
    const file = join(harness.home.folder, 'headers.txt')
    writeFileSync(file, `X-From-File: ${keys[1]}\n\nx-team:west\n`)
    const url = RECEIVER.replace('//', `//fleet:${keys[2]}@`)
    const given = ['--header', `X-Api-Key:  ${keys[0]} `, '--header', 'x-mode: a: b', '--header-file', file]
    const made = await run<Endpoint>('create', '--url', url, ...given)
    const masked = [
      { name: 'X-Api-Key', maskedValue: '••••••••eway' },
      { name: 'x-mode', maskedValue: '••••••••' },
      { name: 'X-From-File', maskedValue: '••••••••file' },
      { name: 'x-team', maskedValue: '••••••••' },
      { name: 'authorization', maskedValue: '••••••••' },
    ]
    const { id } = made
    expect(made).toMatchObject({ url: RECEIVER, headers: masked })
    expect(await run('list')).toMatchObject([{ id, url: RECEIVER, headers: masked }])
    expect(await run('show', id)).toMatchObject({ headers: masked })
    const [row] = await harness.db.rows<{ headersSealed: string }>(
      'SELECT * FROM `webhook_endpoints` WHERE `id` = ?',
      [id],
    )
    const encryption = createEncryption(Buffer.from(MASTER_KEY, 'base64'))
    expect(JSON.parse(decryptedColumn(encryption, 'webhook_endpoints.headersSealed', row!))).toMatchObject([
      { value: keys[0] },
      { value: 'a: b' },
      { value: keys[1] },
      { value: 'west' },
      { value: `Basic ${Buffer.from(`fleet:${keys[2]}`).toString('base64')}` },
    ])

    expect(await run('update', id, '--types', 'sync.failed')).toMatchObject({
      types: ['sync.failed'],
      headers: masked,
    })
    const refusals: readonly (readonly [number, string, readonly string[]])[] = [
      [1, '`host` is reserved', ['--header', `host: ${keys[0]}`]],
      [1, 'name of header 1', ['--header', `x ${keys[0]}: a`]],
      [2, 'header 1 has no colon', ['--header', keys[0]!]],
      [2, 'cannot be read', ['--header-file', join(harness.home.folder, 'nothing')]],
      [2, 'give either --remove-headers', ['--remove-headers', '--header', `x-a: ${keys[0]}`]],
    ]
    for (const [code, message, args] of refusals) {
      const ran = await harness.cli('webhooks', 'update', id, '--application', ours.id, ...args)
      expect([args, ran.code, ran.out]).toEqual([args, code, ''])
      expect(ran.error).toContain(message)
      expect(ran.error).not.toContain(keys[0])
    }
    for (const verb of [['list'], ['show', id], ['deliveries', id]]) {
      const { out, error } = await harness.cli('webhooks', ...verb, '--application', ours.id)
      expect(keys.filter((key) => (out + error).includes(key))).toEqual([])
    }
    expect(await run('update', id, '--header', 'x-only: one')).toMatchObject({
      headers: [{ name: 'x-only', maskedValue: '••••••••' }],
    })
    expect(await run('update', id, '--remove-headers')).toMatchObject({ headers: [] })
    await run('delete', id)
  })

  test('invalid arguments and records of another application are refused with one line', async () => {
    const { id } = await run<Endpoint>('create', '--url', RECEIVER)
    const refusals: readonly (readonly [readonly string[], string, string])[] = [
      [['show', id], theirs.id, 'no webhook endpoint'],
      [['deliveries', id], theirs.id, 'no webhook endpoint'],
      [['delete', id], theirs.id, 'no such webhook endpoint'],
      [['replay', unknownId('webhookDelivery')], ours.id, 'no such webhook delivery'],
      [['create', '--url', 'http://10.0.0.1/'], ours.id, 'url'],
      [['test', id, '--type', 'vehicle.exploded'], ours.id, 'vehicle.exploded'],
      [['list'], unknownId('application'), 'no application'],
    ]
    for (const [args, application, message] of refusals) {
      const ran = await harness.cli('webhooks', ...args, '--application', application)
      expect([args, ran.code, ran.out]).toEqual([args, 1, ''])
      expect(ran.error).toContain(message)
    }
    expect((await harness.cli('webhooks', 'list')).code).toBe(2)
  })
})
