import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { supergraph } from '../../support/graph/graph-harness.ts'
import { ConnectionsHarness } from '../../support/harnesses/connections-harness.ts'
import { dialects } from '../../support/factories.ts'
import { mutationCases } from '../../support/audit/mutation-cases.ts'
import { AuditHarness } from '../../support/audit/audit-harness.ts'

const TIMES = 20
const mutations = new Set(Object.keys(supergraph.apiSchema.getMutationType()!.getFields()))

describe.each(dialects)('with 20 concurrent calls on %s,', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  test.each(Object.entries(mutationCases).filter(([name]) => mutations.has(name)))(
    '%s adds an entry for each call that changes something, and none for the others',
    async (name, { action, selection, prepare, again }) => {
      const stage = await AuditHarness.set(harness)
      const { input } = await prepare(stage)
      const earlier = (await stage.entries()).length
      const sent = Array.from({ length: TIMES }, () => stage.mutate(name, input, selection))
      const done = (await Promise.all(sent)).filter(({ code }) => code === null)
      expect(done.length).toBeGreaterThan(0)
      const entries = (await stage.entries()).slice(earlier)
      expect(entries).toHaveLength(again === 'another' ? done.length : 1)
      expect(new Set(entries.map((entry) => entry.action)).size).toBeLessThanOrEqual(2)
      expect(entries.map((entry) => entry.action)).toContain(action)
    },
  )
})
