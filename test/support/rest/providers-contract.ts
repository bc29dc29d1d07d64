import { modelNames } from '../../../src/domain/record-models.ts'
import { safetyEventTypes } from '../../../src/domain/models/safety-event.ts'

/**
 * Response of `GET /providers` as strict clients know it: generated types with closed enumerations. It is
 * written by hand, apart from the routes.
 */

const uri = { type: 'string', format: 'uri' }
const text = { type: 'string' }

const read = { enum: ['supported', 'not_supported_by_terminal', 'not_supported_by_provider'], type: 'string' }

/** Support of a model, with further members that this model must have. */
const support = (members: Readonly<Record<string, object>> = {}) => ({
  type: 'object',
  required: ['supportedOperations', ...Object.keys(members)],
  properties: {
    supportedOperations: { type: 'object', required: ['read'], properties: { read } },
    availableHistory: text,
    ...members,
  },
})

const types = { type: 'array', items: { type: 'string', enum: safetyEventTypes } }

const supportedModels = {
  type: 'object',
  required: modelNames,
  properties: {
    ...Object.fromEntries(modelNames.map((name) => [name, support()])),
    VehicleLocation: support({ sampleRate: text }),
    SafetyEvent: support({ types }),
  },
}

const reference = {
  type: 'object',
  required: ['type', 'url', 'label'],
  properties: { type: { type: 'string', enum: ['login-page', 'developer-docs'] }, url: text, label: text },
}

export const providersContract = {
  type: 'array',
  items: {
    type: 'object',
    required: ['code', 'name', 'status', 'logo', 'icon', 'supportedModels'],
    properties: {
      code: text,
      name: text,
      status: { type: 'string', enum: ['live', 'beta', 'sandbox', 'deprecated'] },
      baseCode: text,
      logo: uri,
      icon: uri,
      userGuides: {
        type: 'object',
        required: ['en', 'fr', 'es'],
        properties: { en: uri, fr: uri, es: uri },
      },
      references: { type: 'array', items: reference },
      supportedModels,
    },
  },
}
