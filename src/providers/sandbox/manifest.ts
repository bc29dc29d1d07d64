import { modelNames, type ModelName } from '../../domain/record-models.ts'
import { safetyEventTypes } from '../../domain/models/safety-event.ts'
import { statTypes } from '../../domain/models/vehicle-stat-log.ts'
import { svgIcon } from '../svg-icon.ts'
import type { Manifest, ModelSupport } from '../provider.ts'

const HISTORY = 'since January 2024'

/** Details of some models. The sandbox supports all models. */
const details: Partial<Record<ModelName, Omit<ModelSupport, 'read'>>> = {
  VehicleLocation: { sampleRate: '30 seconds while moving', availableHistory: HISTORY },
  VehicleStatLog: {
    sampleRate: '10 minutes while the engine runs',
    availableHistory: HISTORY,
    types: statTypes,
  },
  SafetyEvent: { types: safetyEventTypes },
  ...Object.fromEntries(
    (['Trip', 'HOSLog', 'HOSDailyLog', 'FaultCodeEvent', 'VehicleUtilization', 'IFTASummary'] as const).map(
      (model) => [model, { availableHistory: HISTORY }],
    ),
  ),
}

const picture = svgIcon(
  '#c98a2b',
  '<path d="M8 32c8-14 24 6 32-12" fill="none" stroke="#fff" stroke-width="5" stroke-linecap="round"/>',
)

export const manifest: Manifest = {
  code: 'sandbox',
  name: 'Sandbox',
  status: 'sandbox',
  logo: picture,
  icon: picture,
  supportedModels: Object.fromEntries(
    modelNames.map((model) => [model, { read: 'supported', ...details[model] }]),
  ) as Record<ModelName, ModelSupport>,
  references: [],
  // `sandbox-50-1` is the key or user of a fleet of 50 vehicles; 1 is the seed of its random data.
  signIns: [
    {
      id: 'key',
      kind: 'form',
      label: 'withKey',
      fields: [{ name: 'apiKey', kind: 'password', label: 'apiKey', example: 'sandbox-50-1' }],
    },
    {
      id: 'password',
      kind: 'form',
      label: 'withPassword',
      fields: [
        { name: 'user', kind: 'text', label: 'user', example: 'sandbox-50-1' },
        { name: 'password', kind: 'password', label: 'password' },
      ],
    },
    { id: 'oauth', kind: 'oauth', label: 'atProvider' },
  ],
}
