import type { Fix, Trailer } from '../../world/truth.ts'
import { badRequest, listed, requiredTime, type Asked } from '../call.ts'
import { id, numberOf } from '../ids.ts'
import { pageOf } from '../pages.ts'
import { MILLISECONDS_PER_DAY, toAddress, toHeading, toMilesPerHour, toPlace, toTime } from '../wording.ts'
import { feedPage, historyPage, type Source } from './feeds.ts'

interface Located {
  readonly at: number
  readonly arrivedAt: number
  readonly trailer: number
  readonly fix: Fix
}

/** `/fleet/trailers/stats`: of all its types this fleet tells `gps` and `gpsOdometerMeters`. */
export function trailerStats(asked: Asked): object {
  const types = typesIn(asked)
  const { items, pagination } = pageOf(
    asked,
    trailersOf(asked),
    ({ number }) => [number],
    Number(asked.switches.pageSize),
  )
  const data = items.map(({ number, name }) => {
    const fix = lastFixOf(asked, number)
    return { id: id('trailer', number), name, ...(fix && readings(asked, fix, types)) }
  })
  return { data, pagination }
}

export function trailerStatsFeed(asked: Asked): object {
  const { items, pagination } = feedPage(asked, sourceOf(asked))
  return { data: byTrailer(asked, items), pagination }
}

export function trailerStatsHistory(asked: Asked): object {
  const [from, to] = [requiredTime(asked.query, 'startTime'), requiredTime(asked.query, 'endTime')]
  const { items, pagination } = historyPage(asked, sourceOf(asked), from, to)
  return { data: byTrailer(asked, items), pagination }
}

/** A trailer has told nothing for long sometimes: as far back as this it is looked for. */
const LOOKED_FOR = 3 * MILLISECONDS_PER_DAY

export function lastFixOf({ organization }: Pick<Asked, 'organization'>, trailer: number): Fix | undefined {
  const { world, now } = organization
  return (
    world.trailerFixes(trailer, now - LOOKED_FOR, now + 1).at(-1) ??
    world.trailerFixes(trailer, world.startsAt, now + 1).at(-1)
  )
}

function trailersOf({ organization, query }: Asked): readonly Trailer[] {
  const numbers = listed(query, 'trailerIds').map((id) => numberOf('trailer', id))
  return organization.trailers().filter(({ number }) => numbers.length === 0 || numbers.includes(number))
}

function typesIn({ query }: Asked): string[] {
  const types = listed(query, 'types')
  if (types.length === 0) throw badRequest('Missing required parameter: types.')
  return types
}

function sourceOf(asked: Asked): Source<Located> {
  const located = (trailer: number, fix: Fix): Located => ({
    at: fix.at,
    arrivedAt: fix.arrivedAt,
    trailer,
    fix,
  })
  return {
    members: trailersOf(asked),
    latest: (trailer) => {
      const fix = lastFixOf(asked, trailer)
      return fix ? located(trailer, fix) : null
    },
    between: (trailer, from, to) =>
      asked.organization.world.trailerFixes(trailer, from, to).map((fix) => located(trailer, fix)),
  }
}

function byTrailer(asked: Asked, items: readonly Located[]): object[] {
  const types = typesIn(asked)
  const names = new Map(asked.organization.trailers().map(({ number, name }) => [number, name]))
  const entries = new Map<number, Record<string, string | object[]>>()
  for (const { trailer, fix } of items) {
    const entry = entries.get(trailer) ?? { id: id('trailer', trailer), name: names.get(trailer) ?? '' }
    entries.set(trailer, entry)
    for (const [type, reading] of Object.entries(readings(asked, fix, types))) {
      const list = entry[type]
      if (Array.isArray(list)) list.push(reading)
      else entry[type] = [reading]
    }
  }
  return [...entries.values()]
}

/** Whole mph and whole degrees, unlike a vehicle's. */
function readings({ switches }: Asked, fix: Fix, types: readonly string[]): Record<string, object> {
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
