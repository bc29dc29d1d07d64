import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { csvLine } from '../../../src/cli/csv.ts'
import { toIso } from '../../../src/domain/time.ts'
import { stores } from '../../support/database/stores.ts'
import {
  locationRow,
  MINUTE,
  NOON,
  seedApplication,
  type SeededApplication,
  vehicleRow,
} from '../../support/factories.ts'
import { type CliHarness, openCliHarness, runProgram } from '../../support/harnesses/cli-harness.ts'

const COLUMNS = ['at', 'vehicleId', 'merchantName', 'longitude', 'latitude', 'amount', 'currency']
const AUSTIN = ['Lone Star Fuel', -97.7, 30.3, 80, 'USD']
const DALLAS = ['Big D Fuel', -96.8, 32.8, 80, 'USD']
const OKLAHOMA_CITY = ['Sooner Fuel', -97.5, 35.5, 80, 'USD']

interface Printed {
  readonly authorizations: number
  readonly captures: number
  readonly decisions: readonly { readonly stage: string; readonly declines: number }[]
  readonly rules: readonly { readonly rule: string; readonly failed: number }[]
  readonly rejected: readonly { readonly line: number }[]
}

describe.each(stores)('a replay at the command line on %s', (store) => {
  let harness: CliHarness
  let application: SeededApplication
  let vehicleId: string

  beforeAll(async () => {
    harness = await openCliHarness(store)
  })
  beforeEach(async () => {
    application = await seedApplication(harness.db, [
      (owner) => {
        const truck = vehicleRow(owner)
        const at = NOON - MINUTE
        return {
          vehicles: [truck],
          track: [locationRow(owner, { vehicleId: truck.id, speed: 0, locatedAt: at, modifiedAt: at })],
        }
      },
    ])
    vehicleId = application.connections[0]!.vehicles[0]!.id
  })
  afterAll(() => harness[Symbol.asyncDispose]())

  const purchaseAt = (at: number, merchant: readonly unknown[]) => [toIso(at), vehicleId, ...merchant]

  async function replaying(rows: readonly (readonly unknown[])[], ...options: string[]) {
    const file = join(harness.home.folder, 'purchases.csv')
    await writeFile(file, [COLUMNS, ...rows].map(csvLine).join(''))
    const args = ['purchases', 'replay', file, '--application', application.id, ...options]
    const { code, out, error } = await harness.cli('--json', ...args)
    return { code, error, printed: (out === '' ? null : JSON.parse(out)) as Printed }
  }

  test('shows what the policy of today decides, in the order of time', async () => {
    const output = join(harness.home.folder, 'decisions.csv')
    const rows = [purchaseAt(NOON + MINUTE, DALLAS), purchaseAt(NOON, AUSTIN)]
    const { code, printed } = await replaying(rows, '--output', output)
    expect(code).toBe(0)
    expect(printed).toMatchObject({
      authorizations: 0,
      captures: 2,
      days: 1,
      decisions: [
        { stage: 'v1', declines: 1, approves: 1 },
        { stage: 'v2', declines: 1 },
      ],
      rejected: [],
    })
    expect(printed.rules.map(({ rule }) => rule)).toEqual([
      'near_merchant',
      'standing',
      'one_card_two_places',
    ])
    const lines = (await readFile(output, 'utf8')).split('\n')
    expect(lines).toEqual([
      'line,checkId,purchasedAt,vehicleId,cardId,phase,merchantName,amount,currency,liters,v1,v2,v3,triedV1,triedV2,triedV3,reasons',
      `3,,${toIso(NOON)},${vehicleId},,capture,Lone Star Fuel,80,USD,,approve,approve,approve,approve,approve,approve,`,
      expect.stringMatching(
        `^2,,${toIso(NOON + MINUTE)},${vehicleId},,capture,Big D Fuel,80,USD,,decline,decline,decline,decline,decline,decline,.*near_merchant fail: `,
      ),
      '',
    ])
  })

  test('compares other limits with those of today', async () => {
    const { printed } = await replaying(
      [purchaseAt(NOON, DALLAS)],
      '--limit',
      'near_merchant.maxDistanceMeters=1000000',
    )
    expect(printed.decisions).toMatchObject([
      { stage: 'v1', declines: 1 },
      { stage: 'v1 tried', declines: 0 },
      { stage: 'v2', declines: 1 },
      { stage: 'v2 tried', declines: 0 },
    ])
  })

  test('shows V3 where it decides otherwise than V2', async () => {
    const { printed } = await replaying(
      [purchaseAt(NOON, OKLAHOMA_CITY)],
      '--limit',
      'near_merchant.maxDistanceMeters=1000000',
      '--rule',
      'jurisdiction=decline',
    )
    expect(printed.decisions.slice(-3)).toMatchObject([
      { stage: 'v2 tried', declines: 0 },
      { stage: 'v3', declines: 1 },
      { stage: 'v3 tried', declines: 1 },
    ])
    expect(printed.rules).toContainEqual(expect.objectContaining({ rule: 'jurisdiction', failed: 1 }))
  })

  test('leaves out bad rows, and names them', async () => {
    const { code, printed } = await replaying([purchaseAt(NOON, AUSTIN), ['yesterday', vehicleId, ...AUSTIN]])
    expect(code).toBe(1)
    expect(printed).toMatchObject({ captures: 1, rejected: [{ line: 3 }] })
  })

  test.each([
    ['an unknown format', ['--format', 'no-such-file.json'], 'no-such-file.json'],
    ['a limit of another rule', ['--limit', 'standing.maxPurchases=3'], 'STANDING has no limit'],
    ['a period for a file', ['--days', '3'], 'choose recorded checks'],
    ['a rule that cannot decline', ['--rule', 'level_rose=decline'], 'can flag at most'],
  ])('refuses %s', async (_, options, message) => {
    const { code, error } = await replaying([purchaseAt(NOON, AUSTIN)], ...options)
    expect(code).toBeGreaterThan(0)
    expect(error).toContain(message)
    const replays = await harness.db.rows('SELECT `id` FROM `purchase_replays` WHERE `applicationId` = ?', [
      application.id,
    ])
    expect(replays).toEqual([])
  })

  test('refuses a file without purchases', async () => {
    const { code, error } = await replaying([['yesterday', vehicleId, ...AUSTIN]])
    expect(code).toBe(1)
    expect(error).toMatch(/no purchase that can be replayed\. Line 2: at: Give a date/)
  })

  test('names an output that cannot be written before it replays anything', async () => {
    const output = join(harness.home.folder, 'no-such-folder', 'decisions.csv')
    const { code, error } = await replaying([purchaseAt(NOON, AUSTIN)], '--output', output)
    expect(code).toBe(1)
    expect(error).toContain(`cannot write ${output}`)
    const [replay] = await harness.db.rows(
      'SELECT `done` FROM `purchase_replays` WHERE `applicationId` = ?',
      [application.id],
    )
    expect(replay).toEqual({ done: 0 })
  })
})

test('the help of a replay says what it does', async () => {
  const { out } = await runProgram(['purchases', 'replay', '--help'])
  expect(out).toContain('later data does not help')
})
