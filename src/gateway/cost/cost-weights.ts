import { getNamedType, getNullableType, type GraphQLField, isListType } from 'graphql'
import { limitsOfPage } from '../../subgraphs/schema/page-types.ts'
import type { Values } from '../execution/conditions.ts'

/** Fields that contain the records of a list, of types that are no page types. */
const recordFields: Readonly<Record<string, readonly string[]>> = {
  PurchaseSummary: ['groups'],
  NearbyVehicles: ['nodes'],
}

/** Returns the fields of a type that contain the records of its list. Empty if it has none. */
export const recordFieldsOf = (typeName: string): readonly string[] =>
  recordFields[typeName] ?? (typeName.endsWith('Page') ? ['nodes', 'edges'] : [])

/** Page sizes assumed for lists of custom subgraphs, whose limits are unknown. */
const UNKNOWN_PAGE = { preset: 100, maximum: 1000 }

/** Returns the default and maximum page size of a field that returns a page; null for any other field. */
export function pageSizesOf(field: GraphQLField<unknown, unknown>) {
  if (!field.args.some(({ name }) => name === 'first')) return null
  return limitsOfPage(getNamedType(field.type).name) ?? UNKNOWN_PAGE
}

/** Cost of one leaf value. An object costs 1. */
export const LEAF_COST = 0.1

/** Cost of a mutation. It writes several rows, an event and an audit entry, and can call a provider. */
const MUTATION_COST = 5_000
/** Cost of a purchase check: it reads a few rows, and writes one row and its events. */
const CHECK_COST = 500
/** Cost of a summary, a report, a replay or a search, whose statements read all rows of its period. */
const SUMMARY_COST = 20_000
/** Cost of a request to a provider while the caller waits. Concurrent callers of one connection share it. */
const PROVIDER_COST = 1_000
/** Cost of `totalCount`, whose statement counts the whole list. */
const COUNT_COST = 100

/** Cost of a track: its statements read up to 100,000 positions, which a few long texts and lists hold. */
const TRACK_COST = 10_000

/** Cost of the members of a group. No index has them, so a statement reads the whole list of the connection. */
const MEMBERS_COST = 500

/** Fixed costs of root fields that call a provider, and of fields whose statements read more than they return. */
const fixedCosts: Readonly<Record<string, number>> = {
  'Mutation.passthrough': 2 * MUTATION_COST,
  'Mutation.checkPurchase': CHECK_COST,
  'Mutation.captureForCheck': CHECK_COST,
  'Query.vehiclesNear': SUMMARY_COST,
  'Query.purchaseSummary': SUMMARY_COST,
  'Query.iftaReport': SUMMARY_COST,
  'Mutation.replayPurchases': SUMMARY_COST,
  'Query.vehicleLocations': PROVIDER_COST,
  'Query.trailerLocations': PROVIDER_COST,
  'Query.hosAvailableTimes': PROVIDER_COST,
  'Query.cameraMedia': PROVIDER_COST,
  'Vehicle.track': TRACK_COST,
  'Group.vehicles': MEMBERS_COST,
  'Group.drivers': MEMBERS_COST,
  'Group.trailers': MEMBERS_COST,
}

/** Costs of arguments by which a statement searches the whole list of the application: no index has their values. */
const argumentCosts: Readonly<Record<string, number>> = {
  'Query.vehicles.search': MEMBERS_COST,
  'Query.vehicles.groupIds': MEMBERS_COST,
  'Query.drivers.search': MEMBERS_COST,
  'Query.drivers.groupIds': MEMBERS_COST,
  'Query.trailers.groupIds': MEMBERS_COST,
  'Query.purchaseChecks.decision': MEMBERS_COST,
}

/** Returns the cost of an argument, if it has a value. */
export const costOfArgument = (type: string, field: string, argument: string): number =>
  argumentCosts[`${type}.${field}.${argument}`] ?? 0

/** Returns the cost of a field in addition to that of its objects and values. */
export function fixedCostOf(type: string, field: string): number {
  const cost = fixedCosts[`${type}.${field}`]
  if (cost !== undefined) return cost
  if (type === 'Mutation') return MUTATION_COST
  return field === 'totalCount' && type.endsWith('Page') ? COUNT_COST : 0
}

/** Number of items that a list without pages is assumed to have, if nothing more is known of it. */
export const ASSUMED_ITEMS = 10
/** Number of raw records from which a record is assumed to be made. Most records are made from one. */
const ASSUMED_RAW_RECORDS = 2

const assumedSizes: Readonly<Record<string, number>> = {
  'VehicleTrack.segments': 50,
  'Query.providers': 100,
  'Provider.models': 24,
  'WebhookEndpoint.secrets': 2,
  'PurchaseSummaryGroup.spend': 2,
  'PurchaseSummaryGroup.avoided': 2,
  'IftaReturn.jurisdictions': 50,
  'PurchaseAmountsByStage.v1': 2,
  'PurchaseAmountsByStage.v2': 2,
  'PurchaseAmountsByStage.v3': 2,
  'HosLog.codrivers': 2,
  'HosLog.remarks': 5,
}

/**
 * Returns a function that computes the number of objects of a field without pages: one for each requested id, else
 * an assumed number.
 */
export function sizeOfPlainList(
  type: string,
  field: GraphQLField<unknown, unknown>,
  lengthOf: (argument: string, values: Values) => number | null,
): (values: Values) => number {
  if (!isListType(getNullableType(field.type))) return () => 1
  const assumed =
    assumedSizes[`${type}.${field.name}`] ?? (field.name === 'raw' ? ASSUMED_RAW_RECORDS : ASSUMED_ITEMS)
  return (values) => lengthOf('ids', values) ?? assumed
}
