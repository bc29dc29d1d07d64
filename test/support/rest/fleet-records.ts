import { newId } from '../../../src/domain/ids.ts'
import { tripRow, safetyEventRow, MINUTE, DAY, NOON, type Owner } from '../factories.ts'
import {
  faultCodeRow,
  obdiiRow,
  vehicleDayRow,
  iftaMonthRow,
  hosLogRow,
  hosDailyLogRow,
  hosAvailableTimeRow,
} from '../rows/record-rows.ts'
import { captureRow, purchaseCheckRow } from '../rows/purchase-rows.ts'
import type { Roster } from './fleet.ts'

/** Activity of the vehicles and drivers of the fleet of fleet.ts. */

/** A driver that is referenced and not stored. */
export const STRANGER = newId('driver')

const removed = { deletedAt: NOON - MINUTE, modifiedAt: NOON - MINUTE }

export function drivesOf(owner: Owner, { vehicles, drivers }: Roster) {
  const [whole, bare] = vehicles.map(({ id }) => id) as [string, string]
  const driverId = drivers[0]!.id
  const authorization = purchaseCheckRow(owner, { vehicleId: whole, driverId, cardId: 'card-1' })
  return {
    trips: [
      tripRow(owner, { vehicleId: whole, driverId }),
      tripRow(owner, {
        vehicleId: bare,
        startedAt: NOON - DAY + MINUTE,
        startLatitude: null,
        distance: null,
      }),
      tripRow(owner, { vehicleId: whole, ...removed }),
    ],
    safetyEvents: [
      safetyEventRow(owner, {
        vehicleId: whole,
        driverId,
        endedAt: NOON - DAY + 2 * MINUTE,
        endLongitude: -97.8,
        endLatitude: 30.4,
        frontCamera: { sourceId: 'film-1', available: true },
        rearCamera: { sourceId: null, available: false },
        extensions: { here: { speedLimit: 88, weather: { temperature: 21.5 } } },
      }),
      safetyEventRow(owner, {
        vehicleId: bare,
        type: 'crash',
        startedAt: NOON - DAY + 3 * MINUTE,
        sourceType: null,
      }),
      safetyEventRow(owner, { vehicleId: whole, ...removed }),
    ],
    faultCodeEvents: [
      faultCodeRow(owner, { vehicleId: whole }),
      obdiiRow(owner, { vehicleId: bare, observedAt: NOON - DAY + MINUTE }),
      obdiiRow(owner, { vehicleId: bare, ...removed }),
    ],
    vehicleDays: [
      vehicleDayRow(owner, { vehicleId: whole, date: '2026-01-29' }),
      vehicleDayRow(owner, { vehicleId: whole, date: '2026-01-30', distance: 100.25, fuelConsumed: 30 }),
    ],
    purchaseChecks: [
      authorization,
      captureRow(owner, authorization),
      purchaseCheckRow(owner, {
        vehicleId: bare,
        merchant: { name: 'A shop', categoryCode: '5541' },
        fuel: null,
        metadata: null,
        reasons: [],
      }),
    ],
    iftaMonths: [
      iftaMonthRow(owner, { vehicleId: whole, jurisdiction: 'OK', month: '2025-12', distance: 10 }),
      iftaMonthRow(owner, { vehicleId: whole, jurisdiction: 'TX', month: '2025-12', distance: 20 }),
      iftaMonthRow(owner, { vehicleId: whole, jurisdiction: 'TX', month: '2026-01', distance: 40 }),
    ],
  }
}

export function dutiesOf(owner: Owner, { drivers, vehicles }: Roster) {
  const driverId = drivers[0]!.id
  return {
    hosLogs: [
      hosLogRow(owner, {
        driverId,
        vehicleId: vehicles[0]!.id,
        codriverIds: [driverId, STRANGER],
        remarks: [{ notes: 'Fuel "stop"', sourceId: 'r-1', submittedAt: NOON - DAY + MINUTE }],
      }),
      hosLogRow(owner, {
        driverId,
        status: 'driving',
        startedAt: NOON - DAY + 60 * MINUTE,
        endedAt: null,
        longitude: null,
        latitude: null,
      }),
      hosLogRow(owner, { driverId, ...removed }),
    ],
    hosDailyLogs: [
      hosDailyLogRow(owner, { driverId }),
      hosDailyLogRow(owner, { driverId, date: '2026-01-31', totalDistance: null, drivingDistance: null }),
      hosDailyLogRow(owner, { driverId, date: '2026-01-29', ...removed }),
    ],
    availableTimes: [hosAvailableTimeRow(owner, { driverId })],
  }
}
