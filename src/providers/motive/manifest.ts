import { type Supported, supportedModels } from '../supported-models.ts'
import { svgIcon } from '../svg-icon.ts'
import type { Manifest, SignIn } from '../provider.ts'
import { measuredTypes } from './mappers/locations.ts'
import { reportedTypes } from './mappers/safety.ts'

const HISTORY = 'as long as Motive keeps it'

const supported: Supported = {
  Group: {},
  Driver: {},
  Vehicle: {},
  Trailer: {},
  Device: {},
  LatestVehicleLocation: {},
  LatestTrailerLocation: {},
  HOSAvailableTime: {},
  VehicleLocation: {
    sampleRate: 'as the gateway reports, about every two minutes',
    availableHistory: HISTORY,
  },
  VehicleStatLog: { sampleRate: 'as the gateway reports', availableHistory: HISTORY, types: measuredTypes },
  Trip: { availableHistory: HISTORY },
  SafetyEvent: { availableHistory: HISTORY, types: reportedTypes },
  CameraMedia: {},
  HOSLog: { availableHistory: HISTORY },
  HOSDailyLog: { availableHistory: HISTORY },
  FaultCodeEvent: { availableHistory: HISTORY },
  VehicleUtilization: { availableHistory: HISTORY },
  IFTASummary: { availableHistory: HISTORY },
}

const picture = svgIcon(
  '#1f2a44',
  '<path d="M6 30h20V14H6zM26 19h8l6 6v5H26z" fill="#fff"/><circle cx="14" cy="32" r="4" fill="#f5a623"/><circle cx="33" cy="32" r="4" fill="#f5a623"/>',
)

const byKey: SignIn = {
  id: 'key',
  kind: 'form',
  label: 'withKey',
  fields: [{ name: 'apiKey', kind: 'password', label: 'apiKey' }],
}
const byOAuth: SignIn = { id: 'oauth', kind: 'oauth', label: 'atProvider' }

/** Returns the manifest. OAuth sign-in is included if this service has a registered application. */
export const manifestWith = ({ isRegistered }: { readonly isRegistered: boolean }): Manifest => ({
  code: 'motive',
  name: 'Motive',
  status: 'beta',
  logo: picture,
  icon: picture,
  supportedModels: supportedModels(supported),
  references: [
    { type: 'login-page', url: 'https://account.gomotive.com/log-in', label: 'Motive dashboard' },
    { type: 'developer-docs', url: 'https://developer.gomotive.com/', label: 'Motive API' },
  ],
  userGuides: {
    en: 'https://helpcenter.gomotive.com/hc/en-us/articles/6175683074845-How-to-Create-an-API-Key',
  },
  signIns: isRegistered ? [byOAuth, byKey] : [byKey],
})
