import { readFileSync } from 'node:fs'
import { buildSchema, getNamedType, isLeafType, isObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { completeRoute } from '../../../rest-compat/response/record-selection.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'
import { isSecretField, selectsSecret } from '../../../src/gateway/secret-fields.ts'

const schema = buildSchema(readFileSync(new URL('../../../schema/api.graphql', import.meta.url), 'utf8'), {
  assumeValid: true,
})

const selects = (text: string, variables: Record<string, unknown> = {}) =>
  selectsSecret({ operation: soleOperation(text), variables }, schema)

/** Names of fields that could hold a secret. */
const SUSPICIOUS = /url|code$|token|secret|password|credential|key|hash|signature|body|header/i

/** Fields with such a name, or with JSON, that hold no secret. */
const harmless = [
  'Agreement.agreementUrl',
  'Application.agreementUrl',
  'AuditEntry.detail',
  'Connection.filters',
  'Connection.options',
  'Issue.documentationUrl',
  'IssueError.code',
  'J1939FaultCodeEvent.code',
  'LoggedRequest.documentHash',
  'LoggedRequest.errorCode',
  'LoggedRequest.keyId',
  'Merchant.categoryCode',
  'MerchantAddress.postalCode',
  'ObdiiFaultCode.code',
  'ObdiiFaultCodeEvent.code',
  'Provider.baseCode',
  'Provider.code',
  'ProviderReference.url',
  'ProviderUserGuide.url',
  'PurchaseCheck.idempotencyKey',
  'PurchaseCheck.metadata',
  'PurchaseSite.postalCode',
  'PurchaseSummaryGroup.merchantPostalCode',
  'SafetyEvent.extensions',
  'ShortLink.settings',
  'Viewer.keyId',
  'WebhookDelivery.lastStatusCode',
  'WebhookResponse.statusCode',
]

/**
 * Scalar and enum fields outside mutation payloads. Responses without secrets are compressed, and those to mutations
 * never are.
 */
const leaves = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__') && !/Payload$|^PassthroughResponse$/.test(name))
  .flatMap((type) =>
    Object.values(type.getFields())
      .filter((field) => isLeafType(getNamedType(field.type)))
      .map((field) => ({ type: type.name, field: field.name, leaf: getNamedType(field.type).name })),
  )

test('every field that could hold a secret is a secret or is known to be harmless', () => {
  const undecided = leaves
    .filter(({ field, leaf }) => leaf === 'JSON' || SUSPICIOUS.test(field))
    .filter(({ type, field }) => !isSecretField(type, field))
    .map(({ type, field }) => `${type}.${field}`)
  expect(undecided.toSorted()).toEqual(harmless)
})

test('the secret fields of the schema are these', () => {
  const secret = leaves.filter(({ type, field }) => isSecretField(type, field))
  expect(secret.map(({ type, field }) => `${type}.${field}`).toSorted()).toEqual([
    'CameraMediaFile.videoUrl',
    'Connection.linkUrl',
    'Connection.token',
    'Event.detail',
    'RawData.data',
    'ShortLink.code',
    'ShortLink.url',
    'WebhookEndpoint.url',
    'WebhookRequest.body',
    'WebhookRequest.headers',
    'WebhookRequest.url',
    'WebhookResponse.body',
    'WebhookResponse.headers',
  ])
})

describe('an operation selects a secret', () => {
  test.each([
    ['by its name', '{ connection { token } }'],
    ['by an alias', '{ connection { id: token } }'],
    ['in a list', '{ vehicles { nodes { id raw { data } } } }'],
    ['in an inline fragment', '{ node(id: "1") { ... on Connection { linkUrl } } }'],
    ['in a fragment', '{ connection { ...All } } fragment All on Connection { id token }'],
    ['with a condition that is unknown', 'query ($a: Boolean!) { connection { token @include(if: $a) } }'],
  ])('%s', (_how, text) => {
    expect(selects(text)).toBe(true)
  })

  test('if its condition is met', () => {
    const text = 'query ($a: Boolean = false) { connection { id token @include(if: $a) } }'
    expect([selects(text), selects(text, { a: false }), selects(text, { a: true })]).toEqual([
      false,
      false,
      true,
    ])
  })

  test.each([
    ['without one', '{ vehicles { nodes { id name } } }'],
    ['with a field of the same name in another type', '{ providers { code references { url } } }'],
    ['with the name as an alias', '{ connection { token: status } }'],
    ['with introspection', '{ __schema { types { name } } }'],
  ])('but not %s', (_how, text) => {
    expect(selects(text)).toBe(false)
  })

  test('of a custom subgraph, by its name', () => {
    const custom = buildSchema('type Query { card: Card } type Card { pin: Int, apiPassword: String }')
    const inCustom = (text: string) => selectsSecret({ operation: soleOperation(text) }, custom)
    expect([inCustom('{ card { pin } }'), inCustom('{ card { apiPassword } }')]).toEqual([false, true])
  })
})

test('these GET routes of REST return secrets', () => {
  const secretWith = (value: boolean) =>
    routes
      .filter(({ method }) => method === 'GET')
      .filter((route) => {
        const { operation } = completeRoute(route, schema)
        // Raw data is always secret. A route returns it only on request, so that `raw` stays false here.
        const flags = [...operation.matchAll(/\$(\w+): Boolean!/g)].map(([, name = '']) => name)
        return selects(operation, Object.fromEntries(flags.map((name) => [name, value && name !== 'raw'])))
      })
      .map(({ path }) => path)
  const always = [
    '/connections',
    '/connections/current',
    '/safety/events/{id}/camera-media',
    '/events',
    '/webhook-endpoints',
    '/webhook-endpoints/{id}',
    '/webhook-endpoints/{id}/deliveries',
  ]
  expect(secretWith(false)).toEqual(always)
  // `expand=connection` includes the connection with its token.
  expect(secretWith(true).toSorted()).toEqual([...always, '/issues'].toSorted())
})
