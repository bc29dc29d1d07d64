import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderError } from '../../../src/providers/provider-error.ts'
import type { ProviderAdapter } from '../../../src/providers/provider.ts'
import { dialects } from '../../support/factories.ts'
import { ConnectionsHarness, type Linked } from '../../support/harnesses/connections-harness.ts'

const ISSUE = `id status connection { id } error { code message } firstReportedAt lastReportedAt resolutionType
  documentationUrl`

interface Issue {
  readonly id: string
  readonly status: string
  readonly connection: { readonly id: string }
  readonly error: { readonly code: string; readonly message: string }
  readonly firstReportedAt: string
  readonly lastReportedAt: string
  readonly resolutionType: string
  readonly documentationUrl: string | null
}

/** Returns the sandbox adapter with an error for some vehicles. */
const withBrokenVehicles =
  (isBroken: (sourceId: string) => boolean) =>
  (adapter: ProviderAdapter): ProviderAdapter => {
    const { Vehicle } = adapter.readers
    if (!Vehicle) throw new Error('the sandbox has vehicles')
    const normalize: typeof Vehicle.normalize = (record) => {
      const vehicle = Vehicle.normalize(record)
      if (isBroken(vehicle.sourceId)) throw new ProviderError('malformed', 'no vehicle')
      return vehicle
    }
    return { ...adapter, readers: { ...adapter.readers, Vehicle: { ...Vehicle, normalize } } }
  }

describe.each(dialects)('issues on %s', (dialect) => {
  let harness: ConnectionsHarness
  beforeAll(async () => void (harness = await ConnectionsHarness.start(dialect)))
  afterAll(() => harness[Symbol.asyncDispose]())

  const issuesOf = async ({ client }: Linked, args = '') => {
    const { data, errors } = await harness.ask(client, `{ issues${args} { nodes { ${ISSUE} } totalCount } }`)
    expect(errors).toBeUndefined()
    const { nodes, totalCount } = (data as { issues: { nodes: Issue[]; totalCount: number } }).issues
    expect(nodes).toHaveLength(totalCount)
    return nodes
  }
  const issueOf = async (linked: Linked) => {
    const [issue, ...others] = await issuesOf(linked)
    if (!issue) throw new Error('there is no issue')
    expect(others).toEqual([])
    return issue
  }
  const forbid = (linked: Linked, path: string) => harness.fault(linked, { path, status: 403, count: 1 })
  const resolve = ({ client }: Linked, issueId: string) =>
    harness.mutate(client, 'resolveIssue', { issueId }, `issue { ${ISSUE} }`)

  test('report records without permission, and the sync continues', async () => {
    const linked = await harness.link()
    await forbid(linked, '/drivers')
    const syncId = await harness.sync(linked)
    expect(await harness.row('syncs', syncId)).toMatchObject({ status: 'completed' })
    const issue = await issueOf(linked)
    expect(issue).toMatchObject({
      id: expect.stringMatching(/^isu_/),
      status: 'ONGOING',
      connection: { id: linked.id },
      error: { code: 'PERMISSION_MISSING', message: expect.stringContaining('Driver') },
      resolutionType: 'ACTION_REQUIRED',
      documentationUrl: null,
    })
    expect(await harness.events(linked, 'issue.')).toEqual(['issue.reported'])
    const { data } = await harness.ask(
      linked.client,
      '{ syncs { nodes { issues { id } } } connection { lastSync { issues { id error { code } } } } }',
    )
    expect(data).toEqual({
      syncs: { nodes: [{ issues: [{ id: issue.id }] }] },
      connection: { lastSync: { issues: [{ id: issue.id, error: { code: 'PERMISSION_MISSING' } }] } },
    })
  })

  test('report the number of records that were left out as invalid', async () => {
    const linked = await harness.link()
    let remaining = 2
    harness.adapt = withBrokenVehicles(() => remaining-- > 0)
    await harness.sync(linked)
    harness.adapt = (adapter) => adapter
    const issue = await issueOf(linked)
    expect(issue.error).toMatchObject({
      code: 'PROVIDER_SOURCE_DATA_INVALID',
      message: expect.stringMatching(/^2 Vehicle records were left out: Sandbox /),
    })
    const [{ n } = { n: 0 }] = await harness.db.rows<{ n: number }>(
      'SELECT COUNT(*) AS n FROM `vehicles` WHERE `connectionId` = ?',
      [linked.id],
    )
    expect(Number(n)).toBe(1)
  })

  test('are updated when they recur, resolved when they end, and reopened later', async () => {
    const linked = await harness.link()
    const syncWithIssue = async () => {
      harness.moveClock(1000)
      await forbid(linked, '/drivers')
      await harness.sync(linked)
      return issueOf(linked)
    }
    const first = await syncWithIssue()
    const again = await syncWithIssue()
    expect(again).toEqual({ ...first, lastReportedAt: expect.any(String) })
    expect(Date.parse(again.lastReportedAt)).toBeGreaterThan(Date.parse(first.lastReportedAt))
    expect(await harness.events(linked, 'issue.')).toEqual(['issue.reported'])

    await harness.sync(linked)
    expect(await issuesOf(linked)).toEqual([{ ...again, status: 'RESOLVED' }])
    expect(await harness.events(linked, 'issue.')).toEqual(['issue.reported', 'issue.resolved'])

    const reopened = await syncWithIssue()
    expect(reopened).toMatchObject({
      id: first.id,
      status: 'ONGOING',
      firstReportedAt: first.firstReportedAt,
    })
    expect(await harness.events(linked, 'issue.')).toEqual([
      'issue.reported',
      'issue.resolved',
      'issue.reported',
    ])
  })

  test('are unique for each model and code', async () => {
    const linked = await harness.link()
    await forbid(linked, '/drivers')
    await forbid(linked, '/vehicles')
    await harness.sync(linked)
    expect(await issuesOf(linked)).toHaveLength(2)
    await forbid(linked, '/drivers')
    await harness.sync(linked)
    const statuses = (await issuesOf(linked)).map(({ status, error }) => `${status} ${error.message}`)
    expect(statuses.sort()).toEqual([
      expect.stringMatching(/^ONGOING No Driver/),
      expect.stringMatching(/^RESOLVED No Vehicle/),
    ])
  })

  test('stay open while syncs fail', async () => {
    const linked = await harness.link()
    await forbid(linked, '/drivers')
    await harness.sync(linked)
    await harness.fault(linked, { path: '/vehicles', status: 500, count: 5, retryAfter: '0' })
    await expect(harness.run(await harness.requestSync(linked), 6)).rejects.toThrow('500')
    expect(await issuesOf(linked, '(status: ONGOING)')).toHaveLength(1)
  })

  test('can be resolved by a mutation, which is idempotent', async () => {
    const linked = await harness.link()
    await forbid(linked, '/drivers')
    await harness.sync(linked)
    const issue = await issueOf(linked)
    for (let time = 0; time < 2; time++)
      expect((await resolve(linked, issue.id)).payload.issue).toEqual({ ...issue, status: 'RESOLVED' })
    expect(await harness.events(linked, 'issue.')).toEqual(['issue.reported', 'issue.resolved'])
    expect(await resolve(linked, 'isu_01J8ZQ4N5R8X2V6T3W1Y7K9M0P')).toMatchObject({ code: 'NOT_FOUND' })
  })

  test('are found by status, current and old code, connection and time', async () => {
    const application = await harness.application()
    const [one, other] = [await harness.link(application), await harness.link(application)]
    harness.moveClock(1000)
    for (const linked of [one, other]) {
      await forbid(linked, '/drivers')
      await harness.sync(linked)
    }
    const found = async (args: string) => (await issuesOf({ ...one, client: one.owner }, args)).length
    const now = new Date(harness.tools.clock.now()).toISOString()
    expect(await found('')).toBe(2)
    expect(await found(`(connectionId: "${one.id}")`)).toBe(1)
    expect(await found('(errorCode: PERMISSION_MISSING)')).toBe(2)
    expect(await found('(errorCode: MISSING_PERMISSIONS)')).toBe(2)
    expect(await found('(errorCode: DATA_DELAYED)')).toBe(0)
    expect(await found('(status: RESOLVED)')).toBe(0)
    expect(await found(`(lastReportedAfter: "${now}")`)).toBe(2)
    expect(await found(`(lastReportedBefore: "${now}")`)).toBe(0)
    expect((await issuesOf(one)).map(({ connection }) => connection.id)).toEqual([one.id])
    const issue = await issueOf(one)
    const { data } = await harness.ask(
      one.client,
      `{ issue(id: "${issue.id}") { id } node(id: "${issue.id}") { ... on Issue { status } } }`,
    )
    expect(data).toEqual({ issue: { id: issue.id }, node: { status: 'ONGOING' } })
  })
})
