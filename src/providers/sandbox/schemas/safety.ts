import { z } from 'zod'
import { id, instant, number, point, text } from './schema-types.ts'

// Safety events and their camera clips.

const camera = z.object({ id: text, uploaded: z.boolean() }).nullable()

const here = z.object({
  speedLimitMph: number,
  truckSpeedLimitMph: number,
  speedLimitSource: z.string(),
  roadName: z.string(),
  linkAttributes: z.record(z.string(), z.string()),
  weather: z.record(z.string(), z.union([z.string(), z.number()])).nullable(),
})

export const safetyEvent = z.object({
  id,
  type: z.string(),
  vehicleId: z.string(),
  driverId: text,
  occurredAt: instant,
  endedAt: instant.nullable(),
  location: point,
  endLocation: point,
  maxSpeedMph: number,
  avgSpeedMph: number,
  speedLimitMph: number,
  gForceForward: number,
  gForceSideways: number,
  heading: number,
  label: text,
  cameras: z.object({ front: camera, rear: camera }),
  enrichment: z.object({ here }).nullable(),
})

const clip = z.object({ id: text, url: z.url() }).nullable()

export const media = z.object({ front: clip, rear: clip })
