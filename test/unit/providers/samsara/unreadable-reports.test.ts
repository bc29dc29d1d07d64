import { expect, test } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { Roster } from '../../../../src/providers/provider.ts'
import { faultCodes } from '../../../../src/providers/samsara/readers/faults.ts'
import { parsePage } from '../../../../src/sync/ingest/parse-page.ts'

const TO = Date.parse('2026-06-10T12:00:00.000Z')
const window = { from: TO - 86_400_000, to: TO }
const roster: Roster = { sourceIdsAfter: async (_kind, after) => (after === '' ? ['7'] : []) }

const code = { dtcShortCode: 'P0087', dtcDescription: 'of a test' }
const reading = (minute: number, computer: unknown) => ({
  time: `2026-06-10T10:${minute}:00Z`,
  obdii: { diagnosticTroubleCodes: [computer] },
})
const first = reading(10, { confirmedDtcs: [code] })

/** Returns the states of the faults in these readings of a vehicle, and the number of unreadable records. */
async function faultsIn(readings: readonly unknown[]) {
  const api = {
    get: async () => ({
      data: [{ id: '7', faultCodes: readings }],
      pagination: { endCursor: '', hasNextPage: false },
    }),
  } as unknown as ProviderApi
  const { records } = await faultCodes.read(api, null, window, roster)
  const invalidFields: (readonly string[])[] = []
  let unreadable = 0
  const parsed = parsePage({ model: 'FaultCodeEvent', reader: faultCodes, asOf: TO }, records, {
    onUnreadable: () => (unreadable += 1),
    onInvalidFields: (fields) => invalidFields.push(fields),
  })
  return { statuses: parsed.map(({ normalized }) => normalized.status), unreadable, invalidFields }
}

test('a report without codes closes the fault', async () => {
  expect(await faultsIn([first, reading(20, {})])).toEqual({
    statuses: ['closed'],
    unreadable: 0,
    invalidFields: [],
  })
})

test.each<[string, unknown]>([
  ['has no readable time', { ...first, time: 'today' }],
  ['is no object', 'none'],
  ['has no list of codes', reading(20, { confirmedDtcs: 'none' })],
  ['has no list of computers', { ...reading(20, {}), obdii: { diagnosticTroubleCodes: 5 } }],
  ['has a computer that is no object', reading(20, 5)],
])('a report that %s is reported', async (_, unreadable) => {
  expect(await faultsIn([first, unreadable])).toMatchObject({ unreadable: 1 })
})

test('a report with an unreadable list of codes does not close the fault', async () => {
  const { statuses } = await faultsIn([first, reading(20, { confirmedDtcs: 'none' })])
  expect(statuses).toEqual(['open'])
})

test('readings that are no list are reported', async () => {
  expect(await faultsIn('none' as never)).toEqual({ statuses: [], unreadable: 1, invalidFields: [] })
})

test('a fault keeps its other members if its lamp is unreadable', async () => {
  const found = await faultsIn([reading(10, { milStatus: 'on', confirmedDtcs: [code] })])
  expect(found).toEqual({ statuses: ['open'], unreadable: 0, invalidFields: [['lamp']] })
})
