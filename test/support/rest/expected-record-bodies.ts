import { expect } from 'vitest'
import { toIso } from '../../../src/domain/time.ts'
import { DAY, MINUTE, NOON, type SeededConnection } from '../factories.ts'
import { STRANGER } from './fleet-records.ts'
import { statValues } from './fleet.ts'

/** REST responses for the records and series of the fleet of fleet.ts, with references as ids. */

const HOUR = 60 * MINUTE

const recordMetadata = { addedAt: toIso(NOON - 10 * DAY), modifiedAt: toIso(NOON - 5 * DAY) }

const at = { longitude: -97.7, latitude: 30.3 }

export const trailerPlaces = ({ trailers }: SeededConnection) => [
  {
    provider: 'sandbox',
    trailer: trailers[0]!.id,
    locatedAt: toIso(NOON),
    location: at,
    address: { formatted: 'Yard 4, Austin, TX' },
    heading: 10,
    speed: 0,
  },
]

export function hosLogs({ hosLogs: [first, second], drivers, vehicles }: SeededConnection) {
  const common = { provider: 'sandbox', driver: drivers[0]!.id, metadata: recordMetadata }
  return [
    {
      ...common,
      id: first!.id,
      sourceId: first!.sourceId,
      status: 'sleeper_bed',
      vehicle: vehicles[0]!.id,
      codrivers: [drivers[0]!.id, STRANGER],
      startedAt: toIso(NOON - DAY),
      endedAt: toIso(NOON - DAY + HOUR),
      location: at,
      remarks: [{ notes: 'Fuel "stop"', sourceId: 'r-1', submittedAt: toIso(NOON - DAY + MINUTE) }],
    },
    {
      ...common,
      id: second!.id,
      sourceId: second!.sourceId,
      status: 'driving',
      codrivers: [],
      startedAt: toIso(NOON - DAY + HOUR),
      remarks: [],
    },
  ]
}

export function dailyLogs({ hosDailyLogs: [first, second], drivers }: SeededConnection) {
  const common = {
    provider: 'sandbox',
    driver: drivers[0]!.id,
    statusDurations: {
      onDuty: 2 * HOUR,
      offDuty: 10 * HOUR,
      driving: 8 * HOUR,
      waiting: 0,
      sleeperBed: 4 * HOUR,
    },
    metadata: recordMetadata,
  }
  return [
    {
      ...common,
      id: first!.id,
      sourceId: first!.sourceId,
      date: '2026-01-30',
      distances: { total: 700.5, driving: 690 },
    },
    { ...common, id: second!.id, sourceId: second!.sourceId, date: '2026-01-31' },
  ]
}

export const availableTimes = ({ drivers }: SeededConnection) => [
  {
    provider: 'sandbox',
    driver: drivers[0]!.id,
    availableTime: { cycle: 50 * HOUR, shift: 9 * HOUR, drive: 6 * HOUR, break: 2 * HOUR },
    currentStatus: 'driving',
  },
]

export function safetyEvents({ safetyEvents: [first, second], vehicles, drivers }: SeededConnection) {
  const stats = { maximumSpeed: 101, roadSpeedLimit: 90, gForceForwardBackward: -0.4, heading: 270 }
  const common = { provider: 'sandbox', startLocation: at, stats, metadata: recordMetadata }
  return [
    {
      ...common,
      id: first!.id,
      sourceId: first!.sourceId,
      type: 'harsh_brake',
      vehicle: vehicles[0]!.id,
      driver: drivers[0]!.id,
      startedAt: toIso(NOON - DAY + MINUTE),
      endedAt: toIso(NOON - DAY + 2 * MINUTE),
      endLocation: { longitude: -97.8, latitude: 30.4 },
      sourceType: 'HB',
      cameraMedia: {
        frontFacing: { sourceId: 'film-1', available: true },
        rearFacing: { available: false },
      },
      extensions: { here: { speedLimit: 88, weather: { temperature: 21.5 } } },
    },
    {
      ...common,
      id: second!.id,
      sourceId: second!.sourceId,
      type: 'crash',
      vehicle: vehicles[1]!.id,
      startedAt: toIso(NOON - DAY + 3 * MINUTE),
    },
  ]
}

export function faultCodes({ faultCodeEvents: [first, second], vehicles }: SeededConnection) {
  const common = { provider: 'sandbox', status: 'open', metadata: recordMetadata }
  return [
    {
      ...common,
      protocol: 'j1939',
      id: first!.id,
      sourceId: first!.sourceId,
      vehicle: vehicles[0]!.id,
      code: 'SPN100-FMI1',
      description: 'Engine oil pressure: below normal',
      observedAt: toIso(NOON - DAY),
      milStatus: 'on',
      j1939: {
        spn: 100,
        spnDescription: 'Engine oil pressure',
        fmi: 1,
        fmiDescription: 'Below normal',
        occurrenceCount: 3,
        sourceAddress: 0,
      },
    },
    {
      ...common,
      protocol: 'obdii',
      id: second!.id,
      sourceId: second!.sourceId,
      vehicle: vehicles[1]!.id,
      code: 'P0087',
      description: 'Fuel rail pressure too low',
      observedAt: toIso(NOON - DAY + MINUTE),
      obdii: { code: 'P0087', description: 'Fuel rail pressure too low' },
    },
  ]
}

export const track = ({ vehicles, drivers }: SeededConnection) => {
  const common = {
    provider: 'sandbox',
    vehicle: vehicles[0]!.id,
    location: at,
    metadata: { modifiedAt: toIso(NOON - DAY) },
  }
  return [
    {
      ...common,
      id: expect.stringMatching(/^vcl_loc_/),
      sourceId: 'point-1',
      driver: drivers[0]!.id,
      locatedAt: toIso(NOON - DAY),
      address: { formatted: 'I-35' },
      heading: 90,
      speed: 88.5,
    },
    { ...common, id: expect.stringMatching(/^vcl_loc_/), locatedAt: toIso(NOON - DAY + MINUTE) },
  ]
}

export const stats = ({ vehicles }: SeededConnection) =>
  statValues.map(([type, member, value], minute) => ({
    id: expect.stringMatching(/^vcl_st_/),
    type,
    provider: 'sandbox',
    timestamp: toIso(NOON - DAY + minute * MINUTE),
    vehicle: vehicles[0]!.id,
    [member]: value,
    metadata: { modifiedAt: toIso(NOON - DAY) },
  }))
