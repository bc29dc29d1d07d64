import { expect, test } from 'vitest'
import {
  exportFormats,
  fileNameOf,
  toCsv,
  toGeoJson,
  toGpx,
  type DayToExport,
} from '../../../dashboard/src/vehicle/export/export-day.ts'
import type { TrackPoint } from '../../../dashboard/src/vehicle/track.ts'

const AT = Date.parse('2026-11-30T10:00:00Z')
const point = (minutes: number, values: Partial<TrackPoint> = {}): TrackPoint => ({
  at: AT + minutes * 60_000,
  longitude: -90.5 + minutes / 100,
  latitude: 40.25,
  speed: 88.5,
  heading: 90,
  ...values,
})

const exported: DayToExport = {
  day: {
    vehicle: {
      id: 'vcl_1',
      sourceId: 'veh-1',
      name: 'Truck <7> & "Co"\u0007',
      vin: 'VIN1',
      make: null,
      model: null,
      year: null,
      licensePlate: null,
    },
    trips: [],
    safetyEvents: [
      {
        id: 'sft_1',
        type: 'HARSH_BRAKE',
        startedAt: '2026-11-30T10:00:30Z',
        startLocation: { longitude: -90.5, latitude: 40.25 },
      },
      { id: 'sft_2', type: 'SPEEDING', startedAt: '2026-11-30T10:00:40Z', startLocation: null },
    ],
    track: [point(0), point(1, { speed: null, heading: null }), point(20)],
    fuel: [],
  },
  entries: [
    {
      kind: 'stop',
      startAt: AT + 60_000,
      endAt: AT + 1_200_000,
      place: { longitude: -90.49, latitude: 40.25 },
    },
  ],
  zone: 'America/New_York',
}

test('CSV has times in UTC and in the zone, and units in the names of its columns', () => {
  expect(toCsv(exported)).toBe(
    [
      'time_utc,time_America_New_York,latitude_deg,longitude_deg,speed_kmh,heading_deg',
      '2026-11-30T10:00:00.000Z,2026-11-30 05:00:00,40.25,-90.5,88.5,90',
      '2026-11-30T10:01:00.000Z,2026-11-30 05:01:00,40.25,-90.49,,',
      '2026-11-30T10:20:00.000Z,2026-11-30 05:20:00,40.25,-90.3,88.5,90',
      '',
    ].join('\r\n'),
  )
})

test('GPX has a segment between gaps, and waypoints, with escaped texts', () => {
  const gpx = toGpx(exported)
  expect(gpx).toContain('<name>Truck &lt;7&gt; &amp; &quot;Co&quot;</name>')
  expect(gpx.match(/<trkseg>/g)).toHaveLength(2)
  expect(gpx.match(/<trkpt /g)).toHaveLength(3)
  expect(
    [...gpx.matchAll(/<wpt [^>]*><time>([^<]*)<\/time><name>([^<]*)/g)].map(([, ...parts]) => parts),
  ).toEqual([
    ['2026-11-30T10:01:00.000Z', 'Stop until 2026-11-30T10:20:00.000Z'],
    ['2026-11-30T10:00:30.000Z', 'harsh_brake'],
  ])
})

test('GeoJSON has lines with the times of their points, and places', () => {
  const { features } = JSON.parse(toGeoJson(exported)) as {
    features: { geometry: { type: string; coordinates: unknown }; properties: Record<string, unknown> }[]
  }
  expect(features.map(({ geometry }) => geometry)).toEqual([
    {
      type: 'LineString',
      coordinates: [
        [-90.5, 40.25],
        [-90.49, 40.25],
      ],
    },
    { type: 'Point', coordinates: [-90.49, 40.25] },
    { type: 'Point', coordinates: [-90.5, 40.25] },
  ])
  expect(features[0]?.properties).toMatchObject({
    vehicleId: 'vcl_1',
    times: ['2026-11-30T10:00:00.000Z', '2026-11-30T10:01:00.000Z'],
    speedsKmh: [88.5, null],
  })
})

test('files are named after the vehicle and the day, with letters and digits only', () => {
  const [csv] = exportFormats
  expect(fileNameOf(exported.day, '2026-11-30', csv!)).toBe('Truck-7-Co-2026-11-30.csv')
})
