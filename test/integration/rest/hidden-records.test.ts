import type { z } from 'zod'
import { describe, expect, test } from 'vitest'
import { routes } from '../../../rest-compat/routes.ts'
import { paramOverrides } from '../../../rest-compat/openapi/param-overrides.ts'
import type { Route } from '../../../rest-compat/route.ts'
import { Random } from '../../fuzz/random.ts'
import { dialects, type SeededConnection, seedApplication } from '../../support/factories.ts'
import { setFilters } from '../../support/graph/set-filters.ts'
import { variedRecords } from '../../support/graph/varied/records.ts'
import { withQuery } from '../../support/rest/route-examples.ts'
import { startRest } from '../../support/rest/rest-harness.ts'

const ROUNDS = 8

/** Paths of one vehicle or driver return the record that the caller names. */
const READS = routes.filter(
  ({ method, path }) =>
    method === 'GET' &&
    ![
      '/vehicles/{id}',
      '/vehicles/{id}/facts',
      '/drivers/{id}',
      '/safety/events/{id}/camera-media',
      '/providers',
    ].includes(path),
)

/** Returns the path of a route for every record that it can name, with each way to expand references. */
function requestsOf({ path, query }: Route, of: SeededConnection): string[] {
  const expand = query.shape['expand'] as z.ZodType | undefined
  const items =
    expand && (paramOverrides.get(expand)?.schema['items'] as { readonly enum: readonly string[] })
  const rows: readonly { readonly id: string }[] = path.startsWith('/vehicles')
    ? of.vehicles
    : path.startsWith('/safety')
      ? of.safetyEvents
      : path.startsWith('/syncs')
        ? of.syncs
        : []
  const paths = path.includes('{id}') ? rows.map(({ id }) => path.replace('{id}', id)) : [path]
  const months = 'startMonth' in query.shape ? 'startMonth=2025-01&endMonth=2026-12&groupBy=vehicle' : ''
  return paths.flatMap((each) => {
    const plain = months ? withQuery(each, months) : each
    return items ? [plain, withQuery(plain, `expand=${items.enum.join(',')}`)] : [plain]
  })
}

describe.each(dialects)('on %s', (dialect) => {
  test('no path answers with a hidden vehicle or driver', { timeout: 120_000 }, async () => {
    await using rest = await startRest({ dialect })
    const seeded = await seedApplication(rest.db, [variedRecords])
    const [own] = seeded.connections
    const random = new Random(21)
    let named = 0
    for (let round = 0; round < ROUNDS; round++) {
      const [vehicles, drivers] = [own!.vehicles, own!.drivers].map((rows) =>
        rows.filter(() => random.chance(0.4)).map(({ id }) => id),
      )
      await setFilters(rest.db, own!, {
        vehicles: { excludeIds: vehicles! },
        drivers: { excludeIds: drivers! },
      })
      for (const route of READS)
        for (const path of requestsOf(route, own!)) {
          const { body, status } = await rest.get(
            path,
            route.auth === 'key' ? seeded.client : seeded.narrowed(0),
          )
          if (status === 200) named += 1
          // The filters of a connection name what they hide.
          const text = JSON.stringify(body, (name, value: unknown) => (name === 'filters' ? null : value))
          for (const id of [...vehicles!, ...drivers!])
            expect([path, text]).not.toEqual([path, expect.stringContaining(id)])
        }
    }
    expect(named).toBeGreaterThan(ROUNDS * READS.length)
  })
})
