import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { dialects } from '../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const MINUTE_MS = 60_000
const HELD = 'model missing total since dueAt decision'
const VEHICLES = 3
const DRIVERS = 4

/** Returns the adapter with empty lists of vehicles and drivers. */
function withEmptyLists(adapter: ProviderAdapter): ProviderAdapter {
  const { Vehicle, Driver } = adapter.readers
  if (!Vehicle || !Driver) throw new Error('the sandbox has vehicles and drivers')
  const read = () => Promise.resolve({ records: [], next: null })
  const readers = { ...adapter.readers, Vehicle: { ...Vehicle, read }, Driver: { ...Driver, read } }
  return { ...adapter, readers }
}

describe.each(dialects)('held removals on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  /** Links an account whose lists are empty since the second sync. */
  async function startHold(): Promise<Linked> {
    harness.adapt = (adapter) => adapter
    const linked = await harness.link()
    await harness.sync(linked)
    harness.adapt = withEmptyLists
    await syncLater(linked)
    return linked
  }

  async function syncLater(linked: Linked, minutes = 1): Promise<void> {
    harness.moveClock(minutes * MINUTE_MS)
    await harness.sync(linked)
  }

  async function heldRemovals({ client }: Linked, selection = HELD): Promise<unknown> {
    const { data, errors } = await harness.ask(client, `{ connection { heldRemovals { ${selection} } } }`)
    expect(errors).toBeUndefined()
    return (data as { connection: { heldRemovals: unknown } }).connection.heldRemovals
  }

  const decide = ({ client }: Linked, name: string, model?: string) =>
    harness.mutate(
      client,
      name,
      { model },
      'heldRemovals { model decision } connection { heldRemovals { decision } }',
    )

  const decided = (decision: string | null, ...models: readonly string[]) => ({
    code: null,
    payload: {
      heldRemovals: models.map((model) => ({ model, decision })),
      connection: {
        heldRemovals: ['Driver', 'Vehicle'].map((model) => ({
          decision: models.includes(model) ? decision : null,
        })),
      },
    },
  })

  async function vehicles({ client }: Linked): Promise<number> {
    const { data } = await harness.ask(client, '{ vehicles { totalCount } }')
    return (data as { vehicles: { totalCount: number } }).vehicles.totalCount
  }

  async function auditActions({ applicationId }: Linked): Promise<string[]> {
    const rows = await harness.db.rows<{ action: string; detail: string }>(
      "SELECT `action`, `detail` FROM `audit_log` WHERE `applicationId` = ? AND `action` LIKE '%removals%' ORDER BY `at`, `id`",
      [applicationId],
    )
    return rows.map(({ action, detail }) => `${action} ${JSON.parse(detail).models.join(' ')}`)
  }

  test('are fields of their connection, with their issue', async () => {
    const linked = await startHold()
    const now = harness.tools.clock.now()
    const held = {
      since: new Date(now).toISOString(),
      dueAt: new Date(now + 60 * MINUTE_MS).toISOString(),
      decision: null,
    }
    expect(await heldRemovals(linked)).toEqual([
      { model: 'Driver', missing: DRIVERS, total: DRIVERS, ...held },
      { model: 'Vehicle', missing: VEHICLES, total: VEHICLES, ...held },
    ])
    expect(await heldRemovals(linked, 'issue { id status error { message } }')).toEqual(
      ['Driver', 'Vehicle'].map((model) => ({
        issue: {
          id: expect.stringMatching(/^isu_/),
          status: 'ONGOING',
          error: { message: expect.stringContaining(`${model} records have been missing`) },
        },
      })),
    )
    harness.adapt = (adapter) => adapter
    await syncLater(linked)
    expect(await heldRemovals(linked)).toEqual([])
  })

  test('end with the next sync once they are confirmed, each model by itself', async () => {
    const linked = await startHold()
    expect(await decide(linked, 'confirmRemovals', 'Vehicle')).toMatchObject(decided('CONFIRMED', 'Vehicle'))
    expect(await vehicles(linked)).toBe(VEHICLES)
    await syncLater(linked)
    expect(await vehicles(linked)).toBe(0)
    expect(await heldRemovals(linked)).toMatchObject([{ model: 'Driver', decision: null }])
    expect(await auditActions(linked)).toEqual(['connection.removals_confirmed Vehicle'])
  })

  test('stay once they are denied, until the decision is lifted', async () => {
    const linked = await startHold()
    expect(await decide(linked, 'denyRemovals')).toMatchObject(decided('DENIED', 'Driver', 'Vehicle'))
    await syncLater(linked, 600)
    expect(await vehicles(linked)).toBe(VEHICLES)
    expect(await decide(linked, 'liftRemovalDecisions')).toMatchObject(decided(null, 'Driver', 'Vehicle'))
    await syncLater(linked)
    expect(await vehicles(linked)).toBe(0)
    expect(await auditActions(linked)).toEqual([
      'connection.removals_denied Driver Vehicle',
      'connection.removals_undecided Driver Vehicle',
    ])
  })

  test('keep a decision that is repeated, without another entry in the audit log', async () => {
    const linked = await startHold()
    await decide(linked, 'confirmRemovals', 'Driver')
    const once = await decide(linked, 'confirmRemovals')
    expect(await decide(linked, 'confirmRemovals')).toEqual(once)
    expect(await auditActions(linked)).toEqual([
      'connection.removals_confirmed Driver',
      'connection.removals_confirmed Vehicle',
    ])
  })

  test.each(['confirmRemovals', 'denyRemovals', 'liftRemovalDecisions'])(
    'must exist for %s, and their connection must not be deleted',
    async (name) => {
      const linked = await startHold()
      expect(await decide(linked, name, 'Trip')).toMatchObject({ payload: null, code: 'NOT_FOUND' })
      await harness.db.transaction((tx) =>
        tx.run("UPDATE `connections` SET `status` = 'deleting' WHERE `id` = ?", [linked.id]),
      )
      expect(await decide(linked, name)).toMatchObject({ payload: null, code: 'UNPROCESSABLE_ENTITY' })
      expect(await auditActions(linked)).toEqual([])
    },
  )

  test('of many connections cost the statements of one', async () => {
    const application = await harness.application()
    const statements: string[] = []
    const read = async () => {
      statements.length = 0
      const stop = harness.db.onStatement((sql) => void statements.push(sql))
      const text = '{ connections { nodes { heldRemovals { model issue { status } } } } }'
      const { errors } = await harness.ask(application.owner, text)
      stop()
      expect(errors).toBeUndefined()
      return statements.length
    }
    const linkOne = async () => {
      harness.adapt = (adapter) => adapter
      const linked = await harness.link(application)
      await harness.sync(linked)
      harness.adapt = withEmptyLists
      await syncLater(linked)
    }
    await linkOne()
    const ofOne = await read()
    await linkOne()
    await linkOne()
    expect(await read()).toBe(ofOne)
  })
})
