import { ArgsType, Field, Float, Int, ObjectType } from 'type-graphql'
import { Entity } from 'typeorm'
import { invalidArgument } from '../../domain/errors.ts'
import type { Id } from '../../domain/ids.ts'
import { wrapLongitude } from '../../domain/geo/geodesy.ts'
import { encodeLine } from '../../domain/geo/polyline.ts'
import { simplifyTrack, type TrackPosition } from '../../domain/geo/simplify-track.ts'
import { IdColumn, InstantKeyColumn, KeyColumn, NumberColumn } from '../../storage/sql/columns.ts'
import type { Page, PageRequest } from '../../storage/pagination/pagination.ts'
import { DateTime } from '../schema/scalars.ts'

/** Columns of `vehicle_locations` that a track needs. */
@Entity('vehicle_locations')
export class StoredPosition {
  @KeyColumn()
  vehicleId: string

  @IdColumn()
  applicationId: Id<'application'>

  @IdColumn()
  connectionId: Id<'connection'>

  @InstantKeyColumn()
  locatedAt: number

  @NumberColumn()
  longitude: number

  @NumberColumn()
  latitude: number

  @NumberColumn({ nullable: true })
  speed: number | null
}

@ArgsType()
export class VehicleTrackArgs {
  @Field(() => DateTime, { description: 'Only positions at or after this time.' })
  startAt: number

  @Field(() => DateTime, { description: 'Only positions at or before this time.' })
  endAt: number

  @Field(() => Float, {
    defaultValue: 0,
    description:
      'Leaves out positions that the others imply: straight lines between the returned ones are at every time within this many meters of the vehicle, and within half as many km/h of its speed. 0 to 1,000; 0 returns every position.',
  })
  tolerance: number
}

@ObjectType({
  simpleResolvers: true,
  description: 'A part of a track in which the vehicle reported at least every 5 minutes.',
})
export class TrackSegment {
  @Field(() => DateTime, { description: 'When the vehicle was at the first position.' })
  startedAt: number

  @Field(() => String, {
    description:
      "The positions in Google's encoded polyline format with 5 decimals: latitude and longitude to about a meter. A line over the meridian of 180 degrees goes on beyond 180.",
  })
  polyline: string

  @Field(() => [Float], {
    description: 'Time of each position in seconds since `startedAt`, with milliseconds.',
  })
  seconds: number[]

  @Field(() => [Float], {
    nullable: 'items',
    description: 'Speed at each position in km/h. Null if the provider reported none.',
  })
  speeds: (number | null)[]
}

@ObjectType({
  simpleResolvers: true,
  description: 'The track of a vehicle in a compact form, for maps and charts.',
})
export class VehicleTrack {
  @Field(() => [TrackSegment], { description: 'The parts of the track, ordered by time.' })
  segments: TrackSegment[]

  @Field(() => Int, { description: 'Number of stored positions, before any was left out.' })
  storedPositionCount: number
}

const MAX_TOLERANCE_METERS = 1000
const MAX_POSITIONS = 100_000
const POSITIONS_PER_PAGE = 10_000
/** Longest time between two positions of a segment. */
const LONGEST_SILENCE_MS = 5 * 60_000

/** Reads a track page by page. `readPage` returns a page of the vehicle's positions, ordered by time. */
export async function readVehicleTrack(
  { tolerance }: Pick<VehicleTrackArgs, 'tolerance'>,
  readPage: (request: PageRequest) => Promise<Page<StoredPosition>>,
): Promise<VehicleTrack> {
  if (!(tolerance >= 0 && tolerance <= MAX_TOLERANCE_METERS))
    throw invalidArgument('tolerance', `\`tolerance\` must be from 0 to ${MAX_TOLERANCE_METERS} meters.`)
  const segments: TrackPosition[][] = []
  let storedPositionCount = 0
  let lastAt = -Infinity
  let after: string | null = null
  do {
    const page: Page<StoredPosition> = await readPage({ first: POSITIONS_PER_PAGE, after })
    storedPositionCount += page.rows.length
    if (storedPositionCount > MAX_POSITIONS) throw trackTooLong()
    for (const part of partsOf(page.rows)) {
      const continues = (part[0]?.at ?? 0) - lastAt <= LONGEST_SILENCE_MS
      const simplified = simplifyTrack(part, tolerance)
      if (continues) segments.at(-1)?.push(...simplified)
      else segments.push([...simplified])
      lastAt = part.at(-1)?.at ?? lastAt
    }
    const last = page.rows.at(-1)
    after = page.hasNextPage && last ? page.cursorOf(last) : null
  } while (after !== null)
  return { segments: segments.map(encoded), storedPositionCount }
}

/** Splits positions where the vehicle reported nothing for longer than a segment permits. */
function partsOf(rows: readonly StoredPosition[]): TrackPosition[][] {
  const parts: TrackPosition[][] = []
  let lastAt = -Infinity
  for (const { locatedAt: at, longitude, latitude, speed } of rows) {
    if (at - lastAt > LONGEST_SILENCE_MS) parts.push([])
    parts.at(-1)?.push({ at, longitude, latitude, speed })
    lastAt = at
  }
  return parts
}

function encoded(positions: readonly TrackPosition[]): TrackSegment {
  const startedAt = positions[0]?.at ?? 0
  return {
    startedAt,
    polyline: encodeLine(
      unbroken(positions).map(([latitude, longitude]) => [grid(latitude), grid(longitude)]),
    ),
    seconds: positions.map(({ at }) => (at - startedAt) / 1000),
    speeds: positions.map(({ speed }) => speed),
  }
}

/** Returns latitudes and longitudes without a jump at 180 degrees, across which a map would draw a line around the world. */
function unbroken(positions: readonly TrackPosition[]): [latitude: number, longitude: number][] {
  let last = positions[0]?.longitude ?? 0
  return positions.map(({ latitude, longitude }) => [latitude, (last += wrapLongitude(longitude - last))])
}

const grid = (degrees: number): number => Math.round(degrees * 1e5)

const trackTooLong = () =>
  invalidArgument(
    'endAt',
    `The track has more than ${MAX_POSITIONS} positions. Choose a shorter time, or read \`locations\` page by page.`,
  )
