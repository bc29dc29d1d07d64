import { describe, expect, test } from 'vitest'
import { safetyEventTypes } from '../../../src/domain/models/safety-event.ts'
import { sandboxAdapter } from '../../../src/providers/sandbox/adapter.ts'

/** The records and the expected results are written by hand; neither comes from the simulator. */
const { readers, latest } = sandboxAdapter('http://127.0.0.1:1')

const TIME = '2025-06-02T13:30:00.250Z'
const at = Date.UTC(2025, 5, 2, 13, 30, 0, 250)
const LATER = '2025-06-02T08:45:00-06:00'
const later = Date.UTC(2025, 5, 2, 14, 45)

describe('hours of service', () => {
  const log = {
    id: 'l',
    driverId: 'd',
    vehicleId: 'v',
    codriverIds: ['d2'],
    status: 'sleeper_berth',
    startedAt: TIME,
    endedAt: null,
    location: { lat: 1, lng: 2 },
    remarks: [{ id: 'r', text: 'Rest', at: LATER }],
  }

  test('a log keeps its remarks and codrivers', () => {
    expect(readers.HOSLog?.normalize(log)).toEqual({
      sourceId: 'l',
      status: 'sleeper_bed',
      driverSourceId: 'd',
      vehicleSourceId: 'v',
      codriverSourceIds: ['d2'],
      startedAt: at,
      endedAt: null,
      location: { latitude: 1, longitude: 2 },
      remarks: [{ notes: 'Rest', sourceId: 'r', submittedAt: later }],
    })
    expect(() => readers.HOSLog?.normalize({ ...log, status: 'resting' })).toThrow(
      'HOSLog.status: no known value',
    )
  })

  test('the durations of a day and of the clocks are in milliseconds', () => {
    const seconds = {
      onDuty: 1,
      offDuty: 2,
      driving: 3,
      sleeperBerth: 4,
      yardMove: 5,
      personalConveyance: 6,
      wellSiteWaiting: 7,
    }
    const miles = { total: 10, driving: 8, yardMove: 0.5, personalConveyance: 1.5 }
    expect(
      readers.HOSDailyLog?.normalize({ id: 'y', driverId: 'd', date: '2025-06-02', seconds, miles }),
    ).toEqual({
      sourceId: 'y',
      driverSourceId: 'd',
      date: '2025-06-02',
      onDutyMilliseconds: 1000,
      offDutyMilliseconds: 2000,
      drivingMilliseconds: 3000,
      sleeperBedMilliseconds: 4000,
      yardMoveMilliseconds: 5000,
      personalConveyanceMilliseconds: 6000,
      waitingMilliseconds: 7000,
      totalKilometers: 16.093,
      drivingKilometers: 12.875,
      yardMoveKilometers: 0.805,
      personalConveyanceKilometers: 2.414,
    })
    const remainingSeconds = { cycle: 1, shift: 2, drive: 3, break: 4 }
    expect(
      latest.HOSAvailableTime?.normalize({ driverId: 'd', status: 'well_site_waiting', remainingSeconds }),
    ).toEqual({
      driverSourceId: 'd',
      currentStatus: 'waiting_time',
      cycleMilliseconds: 1000,
      shiftMilliseconds: 2000,
      driveMilliseconds: 3000,
      breakMilliseconds: 4000,
    })
  })
})

describe('safety events', () => {
  const event = {
    id: 'e',
    type: 'phone_use',
    vehicleId: 'v',
    driverId: null,
    occurredAt: TIME,
    endedAt: LATER,
    location: { lat: 1, lng: 2 },
    endLocation: { lat: 3, lng: 4 },
    maxSpeedMph: 70,
    avgSpeedMph: 60,
    speedLimitMph: null,
    gForceForward: -0.5,
    gForceSideways: 0.1,
    heading: 90,
    label: 'Mobile Usage',
    cameras: { front: { id: 'c', uploaded: false }, rear: null },
    enrichment: {
      here: {
        speedLimitMph: 65,
        truckSpeedLimitMph: null,
        speedLimitSource: 'posted',
        roadName: 'I-40',
        linkAttributes: { isPaved: 'true' },
        weather: { temperature: 21.5, precipitationType: 'none' },
      },
    },
  }

  test('contain both locations, the cameras and the extensions', () => {
    expect(readers.SafetyEvent?.normalize(event)).toEqual({
      sourceId: 'e',
      type: 'cell_phone',
      vehicleSourceId: 'v',
      driverSourceId: null,
      startedAt: at,
      endedAt: later,
      startLocation: { latitude: 1, longitude: 2 },
      endLocation: { latitude: 3, longitude: 4 },
      sourceType: 'Mobile Usage',
      maximumSpeedKph: 112.65,
      averageSpeedKph: 96.56,
      roadSpeedLimitKph: null,
      gForceForwardBackward: -0.5,
      gForceSideToSide: 0.1,
      headingDegrees: 90,
      frontCamera: { sourceId: 'c', available: false },
      rearCamera: null,
      extensions: {
        here: {
          speedLimit: 104.61,
          speedLimitSource: 'posted',
          roadName: 'I-40',
          linkAttributes: { isPaved: 'true' },
          weather: { temperature: 21.5, precipitationType: 'none' },
        },
      },
    })
  })

  test.each([
    ['harsh_brake', 'harsh_brake'],
    ['harsh_acceleration', 'harsh_acceleration'],
    ['harsh_turn', 'harsh_turn'],
    ['severe_speeding', 'speeding'],
    ['crash', 'crash'],
    ['near_collision', 'near_crash'],
    ['tailgating', 'tailgating'],
    ['phone_use', 'cell_phone'],
    ['distracted_driving', 'distracted'],
    ['drowsiness', 'drowsiness'],
    ['smoking', 'smoking'],
    ['no_seat_belt', 'seat_belt_violation'],
    ['ran_stop_sign', 'stop_sign_violation'],
    ['ran_red_light', 'red_light_violation'],
    ['lane_departure', 'unsafe_lane_change'],
    ['camera_covered', 'camera_obstruction'],
    ['food_or_drink', 'eating_and_drinking'],
    ['rolling_stop', 'rolling_stop'],
    ['parked_unsafely', 'unsafe_parking'],
  ])('%s maps to %s', (theirs, ours) => {
    expect(readers.SafetyEvent?.normalize({ ...event, type: theirs }).type).toBe(ours)
    expect(safetyEventTypes).toContain(ours)
  })

  test('an unknown type is refused', () => {
    expect(() => readers.SafetyEvent?.normalize({ ...event, type: 'driver_state_7' })).toThrow(
      'SafetyEvent.type: no known value',
    )
  })
})
