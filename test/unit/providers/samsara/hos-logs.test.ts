import { expect, test, describe } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import { hours } from '../../../../src/providers/samsara/readers/hos.ts'

const HOUR_MS = 3_600_000
const NOON = Date.parse('2026-06-10T12:00:00.000Z')
const iso = (at: number) => new Date(at).toISOString()

describe('logs of a driver that start at one moment', () => {
  const start = iso(NOON)
  const log = (hosStatusType: string, logEndTime?: string) => ({
    hosStatusType,
    logStartTime: start,
    logEndTime,
  })

  test('are separate records; the longest one has the id without a number', async () => {
    const api = {
      get: () =>
        Promise.resolve({
          data: [
            {
              driver: { id: '5' },
              hosLogs: [log('onDuty', start), log('driving', iso(NOON + HOUR_MS)), log('offDuty', start)],
            },
          ],
          pagination: { endCursor: '', hasNextPage: false },
        }),
    } as unknown as ProviderApi
    const { records } = await hours.HOSLog.read(api, null, { from: NOON - HOUR_MS, to: NOON + 2 * HOUR_MS })
    const logs = records.map((record) => hours.HOSLog.normalize(record))
    expect(logs.map(({ sourceId, status }) => [sourceId, status])).toEqual([
      [`5:${start}`, 'driving'],
      [`5:${start}:1`, 'on_duty'],
      [`5:${start}:2`, 'off_duty'],
    ])
  })
})
