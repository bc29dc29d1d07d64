import { z } from 'zod'
import { replayedHeader } from '../response/replayed-header.ts'
import { mutationWithShape, pageInfo, pageShape, recordShape } from '../response/response-shape.ts'
import {
  anyObject,
  dateTimeMember,
  enumMember,
  idMember,
  strictObject,
  textMember,
} from '../request/body-params.ts'
import { dateTime, ids, oneOf, page, text } from '../request/query-params.ts'
import { route } from '../route.ts'

const tag = 'Purchases'

const number = z.number('Give a number.')

const merchant = strictObject({
  name: textMember,
  siteId: textMember.optional(),
  categoryCode: textMember,
  coordinates: strictObject({ longitude: number, latitude: number }).optional(),
  address: strictObject({
    line1: textMember.optional(),
    city: textMember.optional(),
    state: textMember.optional(),
    postalCode: textMember.optional(),
    country: textMember,
  }).optional(),
})

const fuel = strictObject({
  product: enumMember(
    'gasoline',
    'diesel',
    'dyed_diesel',
    'def',
    'propane',
    'electricity',
    'other',
  ).optional(),
  liters: number.optional(),
  unitPrice: number.optional(),
})

const amount = strictObject({ value: number, currency: textMember })

const REPLAYED = '`true` if an earlier request with the same `idempotencyKey` made the check.'

export const createPurchaseCheck = route({
  method: 'POST',
  path: '/purchase-checks',
  summary: 'Check a fuel purchase (an extension)',
  tag,
  auth: 'either',
  query: z.object({}),
  requestBody: strictObject({
    idempotencyKey: textMember,
    vehicleId: idMember('vehicle').optional(),
    driverId: idMember('driver').optional(),
    cardId: textMember.optional(),
    authorizationId: textMember.optional(),
    at: dateTimeMember.optional(),
    merchant,
    amount,
    fuel: fuel.optional(),
    phase: enumMember('authorization', 'capture').optional(),
    metadata: anyObject.optional(),
  }),
  status: 201,
  responseHeaders: replayedHeader('checkPurchase', REPLAYED),
  mayFailWith: ['not_found'],
  operation: `
    mutation CreatePurchaseCheck($input: CheckPurchaseInput!) {
      checkPurchase(input: $input) { check { ...PurchaseCheck } replayed recorded }
    }`,
  response: mutationWithShape('checkPurchase', 'check', 'recorded'),
})

export const createPurchaseCapture = route({
  method: 'POST',
  path: '/purchase-captures',
  summary: 'Check the capture of a fuel purchase (an extension)',
  tag,
  auth: 'either',
  query: z.object({}),
  requestBody: strictObject({
    idempotencyKey: textMember,
    checkId: idMember('purchaseCheck').optional(),
    authorizationId: textMember.optional(),
    at: dateTimeMember.optional(),
    amount,
    fuel: fuel.optional(),
    metadata: anyObject.optional(),
  }),
  status: 201,
  responseHeaders: replayedHeader('captureForCheck', REPLAYED),
  mayFailWith: ['not_found'],
  operation: `
    mutation CreatePurchaseCapture($input: CaptureForCheckInput!) {
      captureForCheck(input: $input) { check { ...PurchaseCheck } replayed recorded }
    }`,
  response: mutationWithShape('captureForCheck', 'check', 'recorded'),
})

export const listPurchaseChecks = route({
  method: 'GET',
  path: '/purchase-checks',
  summary: 'List checks of fuel purchases by the time of the purchase (an extension)',
  tag,
  auth: 'either',
  query: z.object({
    ...page,
    vehicleIds: ids('vehicle'),
    connectionIds: ids('connection'),
    cardId: text,
    authorizationId: text,
    decision: oneOf('approve', 'decline', 'confirm', 'unknown'),
    purchasedAfter: dateTime,
    purchasedBefore: dateTime,
  }),
  operation: `
    query ListPurchaseChecks(
      $first: Int, $after: String, $vehicleIds: [ID!], $connectionIds: [ID!], $cardId: String,
      $authorizationId: String, $decision: PurchaseDecision, $purchasedAfter: DateTime, $purchasedBefore: DateTime
    ) {
      purchaseChecks(
        first: $first, after: $after, vehicleIds: $vehicleIds, connectionIds: $connectionIds, cardId: $cardId,
        authorizationId: $authorizationId, decision: $decision, purchasedAfter: $purchasedAfter, purchasedBefore: $purchasedBefore
      ) { nodes { ...PurchaseCheck } ${pageInfo} }
    }`,
  response: pageShape('purchaseChecks'),
})

export const getPurchaseCheck = route({
  method: 'GET',
  path: '/purchase-checks/{id}',
  summary: 'Get one check of a fuel purchase (an extension)',
  tag,
  auth: 'either',
  params: { id: 'purchaseCheck' },
  query: z.object({}),
  operation: `query GetPurchaseCheck($id: ID!) { purchaseCheck(id: $id) { ...PurchaseCheck } }`,
  response: recordShape('purchaseCheck'),
})
