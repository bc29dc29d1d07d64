import { safetyEventTypes } from '../../domain/models/safety-event.ts'
import { type Supported, supportedModels } from '../supported-models.ts'
import { svgIcon } from '../svg-icon.ts'
import type { Manifest, SignIn } from '../provider.ts'
import { measuredTypes } from './mappers/engine.ts'

const HISTORY = 'as long as Samsara keeps it'
const CORRECTIONS = 'the last 72 hours may still change'

const supported: Supported = {
  Group: {},
  Driver: {},
  Vehicle: {},
  Trailer: {},
  Device: {},
  LatestVehicleLocation: {},
  LatestTrailerLocation: {},
  HOSAvailableTime: {},
  VehicleLocation: { sampleRate: 'as the gateway reports, at most once a second', availableHistory: HISTORY },
  VehicleStatLog: { sampleRate: 'as the gateway reports', availableHistory: HISTORY, types: measuredTypes },
  Trip: { availableHistory: HISTORY },
  SafetyEvent: {
    availableHistory: HISTORY,
    types: safetyEventTypes.filter((type) => type !== 'stop_sign_violation'),
  },
  CameraMedia: {},
  HOSLog: { availableHistory: HISTORY },
  HOSDailyLog: { availableHistory: HISTORY },
  FaultCodeEvent: { availableHistory: HISTORY },
  VehicleUtilization: { availableHistory: `${HISTORY}; ${CORRECTIONS}` },
  IFTASummary: { availableHistory: `since 2015; ${CORRECTIONS}` },
}

const picture = svgIcon(
  '#0a2f4d',
  '<path d="M8 31h22v-16H8zM30 20h6l4 5v6H30z" fill="#fff"/><circle cx="15" cy="33" r="4" fill="#00a3e0"/><circle cx="34" cy="33" r="4" fill="#00a3e0"/>',
)

const byToken: SignIn = {
  id: 'token',
  kind: 'form',
  label: 'withKey',
  fields: [{ name: 'token', kind: 'password', label: 'apiKey' }],
}
const byOAuth: SignIn = { id: 'oauth', kind: 'oauth', label: 'atProvider' }

/** Returns the manifest. OAuth sign-in is included if this service has a registered application. */
export const manifestWith = ({ isRegistered }: { readonly isRegistered: boolean }): Manifest => ({
  code: 'samsara',
  name: 'Samsara',
  status: 'beta',
  logo: picture,
  icon: picture,
  supportedModels: supportedModels(supported),
  references: [
    { type: 'login-page', url: 'https://cloud.samsara.com/signin', label: 'Samsara dashboard' },
    { type: 'developer-docs', url: 'https://developers.samsara.com/', label: 'Samsara API' },
  ],
  userGuides: {
    en: 'https://kb.samsara.com/hc/en-us/articles/360043860111-Get-Started-with-the-Samsara-API',
    fr: 'https://kb.samsara.com/hc/fr/articles/360043860111-Premiers-pas-avec-l-API-Samsara',
  },
  signIns: isRegistered ? [byOAuth, byToken] : [byToken],
})
