import { buildSchema } from 'graphql'
import { expect, test } from 'vitest'
import { createCompiledExecutor, createInterpretedExecutor } from '../../../src/gateway/execution/executor.ts'
import { soleOperation } from '../../../src/gateway/operation.ts'

const schema = buildSchema(`
  input Filter { name: String, size: Int = 7, sizes: [Int], not: Filter }
  type Query { given(filter: Filter, filters: [Filter!], sizes: [Int], size: Int = 3): String }
`)
const given = schema.getQueryType()?.getFields()['given']
if (given) given.resolve = (_source, args) => JSON.stringify(args)

test.each([
  ['query ($v: String) { given(filter: { name: $v }) }', {}],
  ['query ($v: String) { given(filter: { name: $v }) }', { v: null }],
  ['query ($v: Int) { given(filter: { size: $v }) }', {}],
  ['query ($v: Int) { given(filter: { not: { size: $v } }) }', {}],
  ['query ($v: Int) { given(filters: [{ size: $v, sizes: [1, $v] }]) }', {}],
  ['query ($v: Int = 4) { given(filter: { size: $v }) }', {}],
  ['query ($v: Filter) { given(filter: $v) }', {}],
  ['query ($v: Filter) { given(filter: $v) }', { v: { not: { name: 'a' } } }],
  ['query ($v: [Filter!]) { given(filters: $v) }', { v: [{}] }],
  ['query ($v: Int) { given(sizes: [1, $v], size: $v) }', {}],
  ['query ($v: Int) { given(size: $v) }', { v: null }],
])('a compiled operation gets the arguments of %s with %j', async (text, variables) => {
  const request = { operation: soleOperation(text), variables, context: {} }
  const expected = await createInterpretedExecutor(schema).execute(request)
  const compiled = createCompiledExecutor(schema)
  for (const _use of [1, 2, 3]) expect(await compiled.execute(request)).toEqual(expected)
})
