import { type Supported, supportedModels } from '../supported-models.ts'
import { svgIcon } from '../svg-icon.ts'
import type { Manifest } from '../provider.ts'
import { measuredTypes } from './readers/measurements.ts'
import { DEFAULT_SERVER } from './servers.ts'

const HISTORY = 'as long as the database keeps it'

const supported: Supported = {
  Group: {},
  Driver: {},
  Vehicle: {},
  Trailer: {},
  Device: {},
  LatestVehicleLocation: {},
  VehicleLocation: { sampleRate: 'as the vehicle moves', availableHistory: HISTORY },
  VehicleStatLog: { sampleRate: 'as values change', availableHistory: HISTORY, types: measuredTypes },
  Trip: { availableHistory: HISTORY },
  SafetyEvent: {
    availableHistory: HISTORY,
    types: ['harsh_brake', 'harsh_acceleration', 'harsh_turn', 'speeding', 'crash', 'seat_belt_violation'],
  },
  FaultCodeEvent: { availableHistory: HISTORY },
  HOSAvailableTime: {},
  HOSLog: { availableHistory: HISTORY },
  HOSDailyLog: { availableHistory: HISTORY },
  VehicleUtilization: { availableHistory: HISTORY },
  IFTASummary: { availableHistory: HISTORY },
}

const picture = svgIcon(
  '#0f4c81',
  '<path d="M34 17a12 12 0 1 0 1 11h-9" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/>',
)

export const manifest: Manifest = {
  code: 'geotab',
  name: 'Geotab',
  status: 'beta',
  logo: picture,
  icon: picture,
  supportedModels: supportedModels(supported),
  references: [
    { type: 'login-page', url: `https://${DEFAULT_SERVER}/`, label: 'MyGeotab' },
    { type: 'developer-docs', url: 'https://developers.geotab.com/', label: 'MyGeotab API' },
  ],
  userGuides: {
    en: 'https://support.geotab.com/mygeotab/doc/product-guide',
    fr: 'https://support.geotab.com/fr-FR/mygeotab/doc/product-guide',
    es: 'https://support.geotab.com/es-MX/mygeotab/doc/product-guide',
  },
  signIns: [
    {
      id: 'password',
      kind: 'form',
      label: 'withPassword',
      fields: [
        { name: 'database', kind: 'text', label: 'database' },
        { name: 'userName', kind: 'text', label: 'user' },
        { name: 'password', kind: 'password', label: 'password' },
        { name: 'server', kind: 'text', label: 'host', example: DEFAULT_SERVER, isOptional: true },
      ],
    },
  ],
}
