import { expect, test, describe } from 'vitest'
import type { ProviderApi } from '../../../../src/providers/provider-api.ts'
import type { ReadPage, ReaderState } from '../../../../src/providers/provider.ts'
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

  const driving = log('driving', iso(NOON + HOUR_MS))
  const onDuty = log('onDuty', start)
  const separate = [
    [`5:${start}`, 'driving'],
    [`5:${start}:1`, 'on_duty'],
  ]

  test.each([
    ['are separate records with the same ids', onDuty, driving, separate],
    ['are separate records with the same ids', driving, onDuty, separate],
    ['are one record if they are equal', driving, driving, separate.slice(0, 1)],
  ])('%s if a page ends between them', async (_result, last, first, expected) => {
    const earlier = { ...log('offDuty', start), logStartTime: iso(NOON - HOUR_MS) }
    const pages = [
      [
        { driver: { id: '6' }, hosLogs: [log('offDuty', start)] },
        { driver: { id: '5' }, hosLogs: [earlier, last] },
      ],
      [{ driver: { id: '5' }, hosLogs: [first] }],
    ]
    const api = {
      get: (_path: string, { after }: { after: string | null }) => {
        const page = Number(after)
        return Promise.resolve({
          data: pages[page],
          pagination: { endCursor: String(page + 1), hasNextPage: page + 1 < pages.length },
        })
      },
    } as unknown as ProviderApi
    const window = { from: NOON - 2 * HOUR_MS, to: NOON + 2 * HOUR_MS }
    const read: (readonly [string, string])[] = []
    for (let state: ReaderState | undefined = null; state !== undefined;) {
      const { records, next }: ReadPage = await hours.HOSLog.read(api, state, window)
      for (const record of records) {
        const { sourceId, status } = hours.HOSLog.normalize(record)
        read.push([sourceId, status])
      }
      state = next ?? undefined
    }
    expect(read.sort()).toEqual([
      [`5:${iso(NOON - HOUR_MS)}`, 'off_duty'],
      ...expected,
      [`6:${start}`, 'off_duty'],
    ])
  })
})
