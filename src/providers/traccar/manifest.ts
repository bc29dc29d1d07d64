import { type Supported, supportedModels } from '../supported-models.ts'
import { svgIcon } from '../svg-icon.ts'
import type { Manifest } from '../provider.ts'
import { measuredTypes } from './measurements.ts'

const HISTORY = 'as long as the server keeps positions'

const supported: Supported = {
  Group: {},
  Driver: {},
  Vehicle: {},
  Device: {},
  LatestVehicleLocation: {},
  VehicleLocation: { sampleRate: 'as the device reports', availableHistory: HISTORY },
  VehicleStatLog: { sampleRate: 'as the device reports', availableHistory: HISTORY, types: measuredTypes },
  Trip: { availableHistory: HISTORY },
  SafetyEvent: {
    availableHistory: HISTORY,
    types: [
      'harsh_brake',
      'harsh_acceleration',
      'harsh_turn',
      'speeding',
      'crash',
      'drowsiness',
      'unsafe_lane_change',
    ],
  },
  FaultCodeEvent: { availableHistory: HISTORY, types: ['obdii'] },
  VehicleUtilization: { availableHistory: HISTORY },
  IFTASummary: { availableHistory: HISTORY },
}

const picture = svgIcon(
  '#1f5c99',
  '<path d="M24 8c-7 0-12 5-12 12 0 8 12 20 12 20s12-12 12-20c0-7-5-12-12-12z" fill="#fff"/><circle cx="24" cy="20" r="5" fill="#1f5c99"/>',
)

const serverUrl = {
  name: 'serverUrl',
  kind: 'url',
  label: 'serverUrl',
  example: 'https://fleet.example.com',
} as const

export const manifest: Manifest = {
  code: 'traccar',
  name: 'Traccar',
  status: 'beta',
  logo: picture,
  icon: picture,
  // Traccar has neither hours of service nor trailers.
  supportedModels: supportedModels(supported, 'not_supported_by_provider'),
  references: [
    { type: 'developer-docs', url: 'https://www.traccar.org/api-reference/', label: 'Traccar API' },
  ],
  userGuides: { en: 'https://www.traccar.org/traccar-api/' },
  signIns: [
    {
      id: 'token',
      kind: 'form',
      label: 'withKey',
      fields: [serverUrl, { name: 'token', kind: 'password', label: 'apiKey' }],
    },
    {
      id: 'password',
      kind: 'form',
      label: 'withPassword',
      fields: [
        serverUrl,
        { name: 'email', kind: 'email', label: 'user' },
        { name: 'password', kind: 'password', label: 'password' },
        { name: 'code', kind: 'text', label: 'code', isOptional: true },
      ],
    },
  ],
}
