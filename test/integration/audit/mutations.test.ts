import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createInProcessExecutor } from '../../../src/gateway/gateway.ts'
import { createContextFactory } from '../../../src/gateway/context.ts'
import type { Transaction } from '../../../src/storage/database.ts'
import { ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'
import { dialects, masterEncryption } from '../../support/factories.ts'
import { ask, documentOf, supergraph } from '../../support/graph/graph-harness.ts'
import { mutationCases } from '../../support/audit/mutation-cases.ts'
import { AuditHarness } from '../../support/audit/audit-harness.ts'

const executor = createInProcessExecutor(supergraph)

const mutations = Object.keys(supergraph.apiSchema.getMutationType()!.getFields())

/** A purchase check is its own record: it never changes. A replay changes no other record. */
const OWN_RECORDS = ['checkPurchase', 'captureForCheck', 'replayPurchases']

test('every mutation of the API has an audit case', () => {
  expect(mutations.filter((name) => !(name in mutationCases))).toEqual(OWN_RECORDS)
})

/** Returns the same service on a database that refuses inserts into the audit log. */
function withoutAuditLog({ tools }: ConnectionsHarness) {
  const { db } = tools
  const refusingAuditLog = (tx: Transaction): Transaction => ({
    ...tx,
    rows: (sql, parameters) => tx.rows(sql, parameters),
    run: (sql, parameters) => tx.run(sql, parameters),
    insert: (table, rows) =>
      table.name === 'audit_log' ? Promise.reject(new Error('it is full')) : tx.insert(table, rows),
    upsert: (...args) => tx.upsert(...args),
  })
  return createContextFactory({
    ...tools,
    db: {
      dialect: db.dialect,
      rows: db.rows,
      transaction: (work, isolation) => db.transaction((tx) => work(refusingAuditLog(tx)), isolation),
    },
    cursorKey: masterEncryption.derive('cursors'),
    linkUrl: () => 'https://link.example.com',
    publicUrl: () => 'https://api.example.com',
    mediaUrl: () => 'https://media.example.com',
    pollOnDemand: () => Promise.resolve(),
  })
}

describe.each(dialects)('on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  test.concurrent.each(Object.entries(mutationCases).filter(([name]) => mutations.includes(name)))(
    '%s adds one entry in the transaction of its change',
    async (name, { action, selection, prepare, again }) => {
      const stage = await AuditHarness.set(harness)
      const { input, refused, target, detail } = await prepare(stage)
      const before = await stage.state()
      const earlier = (await stage.entries()).length

      const { code } = await stage.mutate(name, refused, selection)
      expect([null, 'INTERNAL_SERVER_ERROR']).not.toContain(code)
      expect(await stage.state()).toEqual(before)

      const type = `${name[0]!.toUpperCase()}${name.slice(1)}Input`
      const failed = await ask(executor, withoutAuditLog(harness), {
        client: stage.client,
        document: documentOf(`mutation ($input: ${type}!) { ${name}(input: $input) { ${selection} } }`),
        variables: { input },
      })
      expect(failed.errors?.[0]?.extensions?.code).toBe('INTERNAL_SERVER_ERROR')
      expect(await stage.state()).toEqual(before)

      const payload = await stage.done(name, input, selection)
      const entries = (await stage.entries()).slice(earlier)
      expect(entries).toMatchObject([
        {
          action,
          actorKind: 'key',
          actorId: stage.keyId,
          at: harness.tools.clock.now(),
          targetId: typeof target === 'string' ? target : target(payload),
        },
      ])
      if (detail !== undefined) expect(entries[0]?.detail).toEqual(detail)
      expect(JSON.stringify(entries)).not.toMatch(/theirs/)

      await stage.mutate(name, input, selection)
      expect((await stage.entries()).length - earlier).toBe(again === 'another' ? 2 : 1)
    },
  )
})
