import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { openApi } from '../../../rest-compat/openapi/openapi.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { eventTypeNames, storedTypes } from '../../../src/subgraphs/events/event-types.ts'
import { exampleDetail } from '../../../src/subgraphs/events/webhooks/deliveries/example-payloads.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'

const schemas: Readonly<Record<string, string>> = {
  vehicle: 'Vehicle',
  driver: 'Driver',
  safetyEvent: 'SafetyEvent',
  trip: 'Trip',
  hosLog: 'HosLog',
  hosDailyLog: 'HosDailyLog',
  faultCodeEvent: 'FaultCodeEvent',
  sync: 'Sync',
  issue: 'Issue',
  location: 'LatestVehicleLocation',
  endpoint: 'WebhookEndpoint',
  connection: 'Connection',
}

const { components } = openApi(routes, supergraph.apiSchema) as unknown as { components: object }
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
ajv.addSchema({ components }, 'api')

const problemsOf = (record: string, value: unknown): unknown => {
  const validate = ajv.compile({ $ref: `api#/components/schemas/${schemas[record]}` })
  validate(value)
  return validate.errors
}

/** Returns the members of a provider request that are not texts. The API has no record of these requests. */
const problemsOfRequest = ({ tags, ...texts }: Readonly<Record<string, unknown>>): unknown[] =>
  [
    ...['provider', 'contactEmail', 'dotNumber', 'externalId'].map((name) => texts[name]),
    ...(tags as unknown[]),
  ].filter((text) => typeof text !== 'string')

const storedTypeNames = [...new Set(eventTypeNames.flatMap((name) => storedTypes([name])))]

test.each(storedTypeNames)('the example of %s has whole records, as the API returns them', (type) => {
  const { metadata: _, endpoint, connection, ...records } = exampleDetail(type)
  if (type === 'unsupported_provider.requested') return expect(problemsOfRequest(records)).toEqual([])
  for (const [name, value] of Object.entries(records))
    expect([name, problemsOf(name, value)]).toEqual([name, null])
  if (type.startsWith('connection.')) expect(problemsOf('connection', connection)).toBeNull()
  else if (endpoint === undefined) expect(connection).toMatchObject({ id: expect.stringMatching(/^conn_/) })
})

test('no example has text like a real secret', () => {
  const text = JSON.stringify(storedTypeNames.map(exampleDetail))
  expect(text.match(/con_tkn_\w+/g)?.every((token) => /^con_tkn_0+$/.test(token))).toBe(true)
  expect(text).not.toMatch(/whsec_|sk_|pk_/)
})
