import { cameraMediaModel } from './camera-media.ts'
import type { ModelDeclaration } from './define-model.ts'
import { deviceModel } from './device.ts'
import { driverModel } from './driver.ts'
import { faultCodeEventModel } from './fault-code-event.ts'
import { groupModel } from './group.ts'
import { hosAvailableTimeModel } from './hos-available-time.ts'
import { hosDailyLogModel } from './hos-daily-log.ts'
import { hosLogModel } from './hos-log.ts'
import { iftaSummaryModel } from './ifta-summary.ts'
import { safetyEventModel } from './safety-event.ts'
import { latestTrailerLocationModel } from './trailer-location.ts'
import { trailerModel } from './trailer.ts'
import { tripModel } from './trip.ts'
import { latestVehicleLocationModel, vehicleLocationModel } from './vehicle-location.ts'
import { vehicleStatLogModel } from './vehicle-stat-log.ts'
import { vehicleUtilizationModel } from './vehicle-utilization.ts'
import { vehicleModel } from './vehicle.ts'

const declarations = [
  groupModel,
  driverModel,
  vehicleModel,
  trailerModel,
  deviceModel,
  tripModel,
  safetyEventModel,
  faultCodeEventModel,
  hosLogModel,
  hosDailyLogModel,
  vehicleUtilizationModel,
  vehicleLocationModel,
  vehicleStatLogModel,
  iftaSummaryModel,
  latestVehicleLocationModel,
  latestTrailerLocationModel,
  hosAvailableTimeModel,
  cameraMediaModel,
] as const

/** Declaration of any model. */
export type Model = (typeof declarations)[number]

/** A declaration with all optional members: TypeScript cannot read those that part of the union `Model` lacks. */
interface AnyModel extends ModelDeclaration<never> {
  readonly name: Model['name']
  readonly id?: Extract<Model, { id: object }>['id']
  readonly scope: Model['scope']
  readonly consentCategory?: Extract<Model, { consentCategory: string }>['consentCategory']
}

/** All models. A sync reads the models that it stores in this order. */
export const models: readonly AnyModel[] = declarations
