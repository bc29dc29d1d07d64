import { parse, validate } from 'graphql'
import { getVariableValues } from 'graphql/execution/values.js'
import { describe, expect, test } from 'vitest'
import { timeForms } from '../../../src/domain/time.ts'
import { supergraph } from '../../support/graph/graph-harness.ts'

const schema = supergraph.apiSchema

/** A field, one of its time arguments, the type, an invalid value, and the reply that REST sends for it too. */
const times = [
  ['trips', 'startedAfter', 'DateTime', '2026-01-31', timeForms.dateTime],
  ['trips', 'modifiedBefore', 'DateTime', 'yesterday', timeForms.dateTime],
  ['vehicleUtilization', 'startDate', 'Date', '2026-02-30', timeForms.date],
  ['hosDailyLogs', 'endDate', 'Date', '1', timeForms.date],
  ['iftaSummary', 'startMonth', 'Month!', '2026-13', timeForms.month],
] as const

const other = (field: string) => (field === 'iftaSummary' ? ', endMonth: "2026-01"' : '')

describe.each(times)('%s(%s:) with an invalid %s', (field, argument, type, value, reply) => {
  test('in the document is refused once, at its place', () => {
    const text = `{ ${field}(${argument}: "${value}"${other(field)}) { totalCount } }`
    expect(validate(schema, parse(text))).toMatchObject([
      { message: reply, locations: [{ line: 1, column: text.indexOf(`"${value}"`) + 1 }] },
    ])
  })

  test('in a variable is refused with the name of the variable', () => {
    const document = parse(
      `query ($given: ${type}) { ${field}(${argument}: $given${other(field)}) { totalCount } }`,
    )
    const [operation] = document.definitions
    expect(operation?.kind).toBe('OperationDefinition')
    const variables = operation?.kind === 'OperationDefinition' ? operation.variableDefinitions! : []
    const { errors } = getVariableValues(schema, variables, { given: value })
    expect(errors?.map(({ message }) => message)).toEqual([
      `Variable "$given" got invalid value "${value}"; ${reply}`,
    ])
  })
})
