import type { Fix, Trailer } from '../../world/truth.ts'
import { badRequest, listed, requiredTime, type FakeRequest } from '../http/call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../http/pages.ts'
import { MILLISECONDS_PER_DAY, toAddress, toHeading, toMilesPerHour, toPlace, toTime } from '../formats.ts'
import { feedPage, historyPage, type Source } from './feeds.ts'

interface Located {
  readonly at: number
  readonly arrivedAt: number
  readonly trailer: number
  readonly fix: Fix
}

/** `/fleet/trailers/stats`. Trailers have only `gps` and `gpsOdometerMeters`. */
export function trailerStats(request: FakeRequest): object {
  const types = typesIn(request)
  const { items, pagination } = pageOf(
    request,
    trailersOf(request),
    ({ number }) => [number],
    Number(request.switches.pageSize),
  )
  const data = items.map(({ number, name }) => {
    const fix = lastFixOf(request, number)
    return { id: id('trailer', number), name, ...(fix && readings(request, fix, types)) }
  })
  return { data, pagination }
}

export function trailerStatsFeed(request: FakeRequest): object {
  const { items, pagination } = feedPage(request, sourceOf(request))
  return { data: byTrailer(request, items), pagination }
}

export function trailerStatsHistory(request: FakeRequest): object {
  const [from, to] = [requiredTime(request.query, 'startTime'), requiredTime(request.query, 'endTime')]
  const { items, pagination } = historyPage(request, sourceOf(request), from, to)
  return { data: byTrailer(request, items), pagination }
}

/** Period in which the last fix is searched first: a search of all time is slow. */
const LOOKBACK = 3 * MILLISECONDS_PER_DAY

export function lastFixOf(
  { organization }: Pick<FakeRequest, 'organization'>,
  trailer: number,
): Fix | undefined {
  const { world, now } = organization
  return (
    world.trailerFixes(trailer, now - LOOKBACK, now + 1).at(-1) ??
    world.trailerFixes(trailer, world.startsAt, now + 1).at(-1)
  )
}

function trailersOf({ organization, query }: FakeRequest): readonly Trailer[] {
  const numbers = listed(query, 'trailerIds').map((id) => numberOf('trailer', id))
  return organization.trailers().filter(({ number }) => numbers.length === 0 || numbers.includes(number))
}

function typesIn({ query }: FakeRequest): string[] {
  const types = listed(query, 'types')
  if (types.length === 0) throw badRequest('Missing required parameter: types.')
  return types
}

function sourceOf(request: FakeRequest): Source<Located> {
  const located = (trailer: number, fix: Fix): Located => ({
    at: fix.at,
    arrivedAt: fix.arrivedAt,
    trailer,
    fix,
  })
  return {
    members: trailersOf(request),
    latest: (trailer) => {
      const fix = lastFixOf(request, trailer)
      return fix ? located(trailer, fix) : null
    },
    between: (trailer, from, to) =>
      request.organization.world.trailerFixes(trailer, from, to).map((fix) => located(trailer, fix)),
  }
}

function byTrailer(request: FakeRequest, items: readonly Located[]): object[] {
  const types = typesIn(request)
  const names = new Map(request.organization.trailers().map(({ number, name }) => [number, name]))
  const entries = new Map<number, Record<string, string | object[]>>()
  for (const { trailer, fix } of items) {
    const entry = entries.get(trailer) ?? { id: id('trailer', trailer), name: names.get(trailer) ?? '' }
    entries.set(trailer, entry)
    for (const [type, reading] of Object.entries(readings(request, fix, types))) {
      const list = entry[type]
      if (Array.isArray(list)) list.push(reading)
      else entry[type] = [reading]
    }
  }
  return [...entries.values()]
}

/** Returns readings in whole mph and degrees. Those of vehicles have decimals. */
function readings({ switches }: FakeRequest, fix: Fix, types: readonly string[]): Record<string, object> {
  const time = toTime(fix.at, switches)
  const gps = {
    time,
    ...toPlace(fix),
    headingDegrees: toHeading(fix.headingDegrees),
    speedMilesPerHour: Math.round(toMilesPerHour(fix.metersPerSecond)),
    reverseGeo: { formattedLocation: toAddress(fix) },
  }
  const gpsOdometerMeters = { time, value: Math.round(fix.odometerMeters) }
  return {
    ...(types.includes('gps') && { gps }),
    ...(types.includes('gpsOdometerMeters') && { gpsOdometerMeters }),
  }
}
