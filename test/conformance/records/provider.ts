import * as is from '../shapes.ts'
import { always, type Members, seldom, sometimes } from '../shapes.ts'

/** Members of GET /providers. */

export const modelNames =
  'Group Vehicle Driver LatestVehicleLocation VehicleLocation VehicleStatLog Trailer LatestTrailerLocation Trip Device HOSLog HOSDailyLog HOSAvailableTime IFTASummary SafetyEvent CameraMedia FaultCodeEvent VehicleUtilization'.split(
    ' ',
  )

export const readSupport = is.oneOf('supported', 'not_supported_by_provider', 'not_supported')

const support = is.objectOf({
  supportedOperations: always(is.objectOf({ read: always(readSupport) })),
  sampleRate: seldom(is.text),
  availableHistory: seldom(is.text),
  types: seldom(is.listOf(is.text)),
})

export const provider: Members = {
  name: always(is.text),
  code: always(is.text),
  status: always(is.oneOf('live', 'beta', 'sandbox', 'deprecated')),
  logo: sometimes(is.url),
  icon: always(is.url),
  supportedModels: always((value) => is.object(value) ?? is.listOf(support)(Object.values(value as object))),
  baseCode: seldom(is.text),
  userGuides: seldom(is.objectOf({ en: always(is.url), fr: always(is.url), es: always(is.url) })),
  references: sometimes(
    is.listOf(is.objectOf({ type: always(is.text), url: always(is.url), label: always(is.text) })),
  ),
}
