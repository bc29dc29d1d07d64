import { z } from 'zod'
import { visibilityFilters } from '../request/body-params.ts'
import type { JsonSchema } from './json-schema.ts'

// Schemas that do not follow from the GraphQL types.

const month = '^\\d{4}-(0[1-9]|1[0-2])$'

export const scalarSchemas: Readonly<Record<string, JsonSchema>> = {
  String: { type: 'string' },
  ID: { type: 'string' },
  Int: { type: 'integer' },
  Float: { type: 'number' },
  Boolean: { type: 'boolean' },
  DateTime: { type: 'string', format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] },
  Date: { type: 'string', format: 'date', examples: ['2026-01-31'] },
  Month: { type: 'string', pattern: month, examples: ['2026-01'] },
}

/**
 * Members that every record of a type has, although their GraphQL fields are nullable: references, because another
 * subgraph resolves the referenced record, and the token of a connection, because a session cannot read it.
 */
export const alwaysPresent: Readonly<Record<string, readonly string[]>> = {
  Connection: ['token'],
  Trip: ['vehicle'],
  SafetyEvent: ['vehicle'],
  FaultCodeEvent: ['vehicle'],
  HosLog: ['driver'],
  HosDailyLog: ['driver'],
  HosAvailableTime: ['driver'],
  LatestVehicleLocation: ['vehicle'],
  VehicleLocation: ['vehicle'],
  VehicleStatLog: ['vehicle'],
  VehicleUtilization: ['vehicle'],
  LatestTrailerLocation: ['trailer'],
  Issue: ['connection'],
  PurchaseCheck: ['connection', 'vehicle'],
}

const anyObject: JsonSchema = { type: 'object', additionalProperties: true }

const { $schema: _, ...filtersSchema } = z.toJSONSchema(visibilityFilters, { io: 'input' })

/** Schemas of members whose GraphQL type, JSON or String, says too little. */
export const knownSchemas: Readonly<Record<string, JsonSchema>> = {
  'Connection.token': { type: 'string', pattern: '^con_tkn_\\S+$' },
  'Connection.options': anyObject,
  'Connection.filters': filtersSchema,
  'Connection.linkUrl': { type: 'string', format: 'uri' },
  'PurchaseCheck.metadata': anyObject,
  'SafetyEvent.extensions': anyObject,
  'PassthroughResponse.headers': anyObject,
  'WebhookRequest.headers': anyObject,
  'WebhookResponse.headers': anyObject,
}
