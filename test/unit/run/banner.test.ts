import { describe, expect, test } from 'vitest'
import { banner } from '../../../src/app/banner.ts'
import { readSettings } from '../../../src/platform/config/config.ts'
import { publicLinkUrl } from '../../../src/platform/config/link-url.ts'

const places = {
  url: 'http://127.0.0.1:8080',
  graphqlUrl: 'http://127.0.0.1:8080/graphql',
  wsUrl: 'ws://127.0.0.1:8080/graphql',
  restUrl: 'http://127.0.0.1:8080/tsp/v1',
  linkUrl: 'http://127.0.0.1:8080/link',
}
const MISLED = 'Links for fleets point to this process, which serves no link pages'

const shown = (role: 'all' | 'worker' | 'subgraph:connections' | 'subgraph:fleet', publicUrl?: string) =>
  banner(
    places,
    { demo: null },
    { dataDir: 'data', mysqlUrl: 'mysql://root@db/odograph', role, publicUrl, linkUrl: undefined },
  )

describe('what a person sees at start', () => {
  test('is where the link pages are, where there are some', () => {
    expect(shown('all')).toContain('Link pages     http://127.0.0.1:8080/link\n')
    expect(shown('worker')).not.toContain('Link pages  ')
  })

  test.each(['worker', 'subgraph:connections'] as const)(
    'is that the links of a %s lead nowhere, unless it is told where the gateways are',
    (role) => {
      expect(shown(role)).toContain(MISLED)
      expect(shown(role, 'https://odograph.example.com')).not.toContain(MISLED)
    },
  )

  test.each(['all', 'subgraph:fleet'] as const)('is nothing of the kind for %s', (role) => {
    expect(shown(role)).not.toContain(MISLED)
  })
})

test.each([
  [{ PUBLIC_URL: 'https://odograph.example.com/' }, 'https://odograph.example.com/link'],
  [
    { PUBLIC_URL: 'https://odograph.example.com', LINK_URL: 'https://link.example.com/' },
    'https://link.example.com',
  ],
  [{}, null],
])('the link pages of %j are at %s', (environment, address) => {
  const asked = readSettings([], environment)
  expect('config' in asked && publicLinkUrl(asked.config)).toBe(address)
})
