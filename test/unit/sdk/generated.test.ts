import { readFileSync } from 'node:fs'
import { build } from 'esbuild'
import { expect, test } from 'vitest'
import { openApi } from '../../../rest-compat/openapi/openapi.ts'
import { eventTypes } from '../../../src/domain/event-catalog.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { createOperations } from '../../../sdk/src/operations.ts'
import { connectionResources, keyResources } from '../../../sdk/src/resources.ts'
import { sourceOf } from '../../../sdk/generate.mjs'
import { supergraph } from '../../support/graph/graph-harness.ts'

const source = (path: string) => readFileSync(new URL(`../../../sdk/${path}`, import.meta.url), 'utf8')
const document = openApi(routes, supergraph.apiSchema, eventTypes)

test('the types match the published document; `node sdk/generate.mjs` writes them', async () => {
  expect(source('src/generated.ts')).toBe(await sourceOf(document))
})

test('the client calls every operation of the document by its method and path', async () => {
  const requested = new Set<string>()
  const send = async ({ method, url }: { method: string; url: string }) => {
    requested.add(`${method} ${new URL(url).pathname.replace('/tsp/v1', '')}`)
    return {
      address: url,
      status: 200,
      headers: new Headers(),
      bytes: new TextEncoder().encode('{"results":[]}'),
    }
  }
  const calls = createOperations({ send, baseUrl: 'http://service.example', headers: {} })
  const ids = { id: 'ID', deliveryId: 'DELIVERY' }
  for (const call of functionsIn([
    keyResources(calls),
    connectionResources(calls),
    calls.one('publicTokenExchange'),
  ])) {
    const called = call(ids) as { first?(): Promise<unknown> } | Promise<unknown>
    await ('first' in called ? called.first?.() : called)
  }
  const documented = Object.entries(document['paths'] as Record<string, object>).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replace('{id}', 'ID').replace('{deliveryId}', 'DELIVERY')}`,
    ),
  )
  expect([...requested].sort()).toEqual(documented.sort())
})

test('the package has no dependencies', () => {
  const { dependencies, peerDependencies, exports, type } = JSON.parse(source('package.json'))
  expect([dependencies, peerDependencies, type]).toEqual([undefined, undefined, 'module'])
  expect(Object.keys(exports)).toEqual(['.', './browser'])
})

test.each(['examples/server.ts', 'examples/webhooks.ts', 'uses/events.ts', 'uses/link.ts', 'uses/live.ts'])(
  'the example %s appears unchanged in the documentation',
  (name) => {
    const page = source('../docs/sdk.md')
    expect(page).toContain(`test/sdk/${name}`)
    const code = `\`\`\`ts\n${source(`../test/sdk/${name}`)}\`\`\``
    expect(page).toContain(code)
    expect(source('README.md')).toContain(code)
  },
)

test('a bundle contains only the imported part of the package', async () => {
  const contents = `import { verifyWebhook } from './src/index.ts'\nglobalThis.verify = verifyWebhook`
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: new URL('../../../sdk', import.meta.url).pathname },
    bundle: true,
    format: 'esm',
    write: false,
  })
  const [{ text = '' } = {}] = outputFiles
  expect(text).toContain('webhook-signature')
  for (const other of ['/tsp/v1', 'FollowEvents', 'passthrough']) expect(text).not.toContain(other)
})

type Call = (parameters: object) => unknown

const functionsIn = (value: unknown): Call[] =>
  typeof value === 'function'
    ? [value as Call]
    : Object.values(value as object).flatMap((member) => functionsIn(member))
