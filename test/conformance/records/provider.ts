import * as is from '../shapes.ts'
import { required, type Members, optional, expected } from '../shapes.ts'

/** Members of GET /providers. */

export const modelNames =
  'Group Vehicle Driver LatestVehicleLocation VehicleLocation VehicleStatLog Trailer LatestTrailerLocation Trip Device HOSLog HOSDailyLog HOSAvailableTime IFTASummary SafetyEvent CameraMedia FaultCodeEvent VehicleUtilization'.split(
    ' ',
  )

export const readSupport = is.oneOf('supported', 'not_supported_by_provider', 'not_supported_by_terminal')

const support = is.objectOf({
  supportedOperations: required(is.objectOf({ read: required(readSupport) })),
  sampleRate: optional(is.text),
  availableHistory: optional(is.text),
  types: optional(is.listOf(is.text)),
})

export const provider: Members = {
  name: required(is.text),
  code: required(is.text),
  status: required(is.oneOf('live', 'beta', 'sandbox', 'deprecated')),
  logo: expected(is.url),
  icon: required(is.url),
  supportedModels: required(
    (value) => is.object(value) ?? is.listOf(support)(Object.values(value as object)),
  ),
  baseCode: optional(is.text),
  userGuides: optional(is.objectOf({ en: required(is.url), fr: required(is.url), es: required(is.url) })),
  references: expected(
    is.listOf(is.objectOf({ type: required(is.text), url: required(is.url), label: required(is.text) })),
  ),
}
