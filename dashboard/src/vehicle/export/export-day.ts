import type { FeatureCollection } from 'geojson'
import { nameOf } from '../../live/live-vehicle.ts'
import type { DayEntry } from '../day-entries.ts'
import type { VehicleDay } from '../read-day.ts'
import { GAP_MS, type TrackPoint } from '../track.ts'

/** What is exported of a day: the positions, and the stops and safety events as places. */
export interface DayToExport {
  readonly day: VehicleDay
  readonly entries: readonly DayEntry[]
  /** Time zone of the local times. */
  readonly zone: string
}

export interface ExportFormat {
  readonly name: string
  readonly extension: string
  readonly mediaType: string
  readonly write: (exported: DayToExport) => string
}

export const exportFormats: readonly ExportFormat[] = [
  { name: 'CSV', extension: 'csv', mediaType: 'text/csv', write: toCsv },
  { name: 'GPX', extension: 'gpx', mediaType: 'application/gpx+xml', write: toGpx },
  { name: 'GeoJSON', extension: 'geojson', mediaType: 'application/geo+json', write: toGeoJson },
]

/** Name of the file of a day, such as Van-1007-2026-11-30.csv. */
export const fileNameOf = ({ vehicle }: VehicleDay, day: string, { extension }: ExportFormat): string =>
  `${nameOf(vehicle)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .replaceAll(' ', '-')}-${day}.${extension}`

/** Positions as CSV. The names of the columns have the units. */
export function toCsv({ day: { track }, zone }: DayToExport): string {
  const local = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' })
  const lines = track.map(({ at, latitude, longitude, speed, heading }) =>
    [new Date(at).toISOString(), local.format(at), latitude, longitude, speed ?? '', heading ?? ''].join(','),
  )
  const head = `time_utc,time_${zone.replaceAll('/', '_')},latitude_deg,longitude_deg,speed_kmh,heading_deg`
  return `${[head, ...lines].join('\r\n')}\r\n`
}

/** Positions as GPX 1.1: a track with a segment between gaps, and a waypoint for each stop and safety event. */
export function toGpx({ day, entries }: DayToExport): string {
  const name = escaped(nameOf(day.vehicle))
  const waypoints = placesOf(day, entries).map(
    ({ latitude, longitude, at, text }) =>
      `  <wpt lat="${latitude}" lon="${longitude}"><time>${toIso(at)}</time><name>${escaped(text)}</name></wpt>\n`,
  )
  const segments = segmentsOf(day.track).map((points) => {
    const lines = points.map(
      ({ at, latitude, longitude }) =>
        `      <trkpt lat="${latitude}" lon="${longitude}"><time>${toIso(at)}</time></trkpt>\n`,
    )
    return `    <trkseg>\n${lines.join('')}    </trkseg>\n`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<gpx version="1.1" creator="Odograph" xmlns="http://www.topografix.com/GPX/1/1">
${waypoints.join('')}  <trk>
    <name>${name}</name>
${segments.join('')}  </trk>
</gpx>
`
}

/** Positions as GeoJSON: a line between gaps with the times of its points, and a point for each stop and safety event. */
export function toGeoJson({ day, entries }: DayToExport): string {
  const { id, vin } = day.vehicle
  const vehicle = { vehicleId: id, vehicleName: nameOf(day.vehicle), vin: vin ?? null }
  const collection: FeatureCollection = {
    type: 'FeatureCollection',
    features: [
      ...segmentsOf(day.track)
        .filter((points) => points.length > 1)
        .map((points) => ({
          type: 'Feature' as const,
          properties: {
            ...vehicle,
            times: points.map(({ at }) => toIso(at)),
            speedsKmh: points.map(({ speed }) => speed),
          },
          geometry: {
            type: 'LineString' as const,
            coordinates: points.map(({ longitude, latitude }) => [longitude, latitude]),
          },
        })),
      ...placesOf(day, entries).map(({ longitude, latitude, at, text }) => ({
        type: 'Feature' as const,
        properties: { ...vehicle, time: toIso(at), name: text },
        geometry: { type: 'Point' as const, coordinates: [longitude, latitude] },
      })),
    ],
  }
  return `${JSON.stringify(collection, null, 1)}\n`
}

interface NamedPoint {
  readonly at: number
  readonly longitude: number
  readonly latitude: number
  readonly text: string
}

const placesOf = ({ safetyEvents }: VehicleDay, entries: readonly DayEntry[]): NamedPoint[] => [
  ...entries.flatMap((entry) =>
    entry.kind === 'stop' && entry.place
      ? [{ ...entry.place, at: entry.startAt, text: `Stop until ${toIso(entry.endAt)}` }]
      : [],
  ),
  ...safetyEvents.flatMap(({ startedAt, startLocation, type }) =>
    startLocation ? [{ ...startLocation, at: Date.parse(startedAt), text: type.toLowerCase() }] : [],
  ),
]

/** Splits a track at its gaps. */
function segmentsOf(track: readonly TrackPoint[]): TrackPoint[][] {
  const segments: TrackPoint[][] = []
  let last: TrackPoint | undefined
  for (const point of track) {
    if (!last || point.at - last.at > GAP_MS) segments.push([])
    segments.at(-1)?.push(point)
    last = point
  }
  return segments
}

const toIso = (at: number): string => new Date(at).toISOString()

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Escapes a text for XML, and removes control characters, which XML cannot contain. */
const escaped = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '').replaceAll(/[^\P{Cc}\t\n\r]/gu, '')
