import { expect, test } from 'vitest'
import { eventJsonSchemas } from '../../../rest-compat/openapi/event-json-schemas.ts'
import { openApi } from '../../../rest-compat/openapi/openapi.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { exampleId } from '../../../src/domain/models/define-model.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { eventTypeNames, storedTypes } from '../../../src/subgraphs/events/event-types.ts'
import { exampleDetail } from '../../../src/subgraphs/events/webhooks/deliveries/example-payloads.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'
import { compileClosed } from '../../support/rest/openapi-validation.ts'

const { byType } = eventJsonSchemas(openApi(routes, supergraph.apiSchema, eventTypes))

test.each(eventTypeNames)('the example of %s matches its JSON Schema', (type) => {
  const [stored = ''] = storedTypes([type])
  const validate = compileClosed(byType.get(type) ?? {})
  validate({
    id: exampleId('evt'),
    type,
    timestamp: '2026-01-31T12:00:00.000Z',
    detail: exampleDetail(stored),
  })
  expect(validate.errors).toBeNull()
})

test('no example has text like a real secret', () => {
  const text = JSON.stringify(Object.keys(eventTypes).map(exampleDetail))
  expect(text.match(/con_tkn_\w+/g)?.every((token) => /^con_tkn_0+$/.test(token))).toBe(true)
  expect(text).not.toMatch(/whsec_|sk_|pk_/)
})
