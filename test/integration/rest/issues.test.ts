import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toIso } from '../../../src/domain/time.ts'
import { DAY, NOON, type SeededApplication, unknownId } from '../../support/factories.ts'
import { expectedIssue } from '../../support/rest/expected-bodies.ts'
import { found, seedFleet } from '../../support/rest/fleet.ts'
import { type RestHarness, startRest } from '../../support/rest/rest-harness.ts'

let rest: RestHarness
let seeded: SeededApplication

beforeAll(async () => {
  rest = await startRest()
  seeded = await seedFleet(rest)
})

afterAll(() => rest[Symbol.asyncDispose]())

const connection = () => seeded.connections[0]!
const read = (path: string) => found(rest, path, seeded.client)

const resolved = () => ({
  ...expectedIssue(connection()),
  id: connection().issues[1]!.id,
  status: 'resolved',
  error: { code: 'data_delayed', message: 'The account may not read drivers.' },
  lastReportedAt: toIso(NOON),
  resolutionType: 'automatic_retry',
})

describe('issues', () => {
  test('are listed with a secret key and without a connection token', async () => {
    expect((await read('/issues')).results).toEqual([expectedIssue(connection()), resolved()])
  })

  test.each<readonly [string, number]>([
    ['status=ongoing', 1],
    ['status=resolved', 1],
    ['errorCode=permission_missing', 1],
    ['errorCode=missing_permissions', 1],
    ['errorCode=stream_disabled', 0],
    ['connectionId={connection}', 2],
    [`connectionId=${unknownId('connection')}`, 0],
    [`lastReportedAfter=${toIso(NOON)}`, 1],
    ['lastReportedAfter=2026-01-31', 1],
    ['lastReportedBefore=2026-01-31', 1],
    [`lastReportedBefore=${toIso(NOON - DAY)}`, 0],
    ['lastReportedAfter=2026-01-30&lastReportedBefore=2026-02-01', 2],
  ])('are filtered by %s', async (query, count) => {
    const filter = query.replace('{connection}', connection().connection.id)
    expect((await read(`/issues?${filter}`)).results).toHaveLength(count)
  })

  test('contain their connection if `expand` names it', async () => {
    const [expanded] = (await read('/connections')).results
    expect((await read('/issues?status=ongoing&expand=connection')).results).toEqual([
      { ...expectedIssue(connection()), connection: expanded },
    ])
  })

  test('are resolved by POST', async () => {
    const { id } = connection().issues[0]!
    const { status, body } = await rest.write('POST', `/issues/${id}/resolve`, seeded.client)
    expect([status, body]).toEqual([200, { ...expectedIssue(connection()), status: 'resolved' }])
    expect((await read('/issues?status=ongoing')).results).toEqual([])
  })
})
