import { describe, expect, test } from 'vitest'
import { banner } from '../../../src/app/banner.ts'
import { readSettings } from '../../../src/platform/config/config.ts'
import { publicLinkUrl } from '../../../src/platform/config/link-url.ts'

const urls = {
  url: 'http://127.0.0.1:8080',
  dashboardUrl: 'http://127.0.0.1:8080/dashboard',
  graphqlUrl: 'http://127.0.0.1:8080/graphql',
  wsUrl: 'ws://127.0.0.1:8080/graphql',
  restUrl: 'http://127.0.0.1:8080/tsp/v1',
  linkUrl: 'http://127.0.0.1:8080/link',
}
const LINK_WARNING = 'The links that fleets receive do not work yet'

const bannerOf = (
  role: 'all' | 'worker' | 'subgraph:connections' | 'subgraph:fleet',
  publicUrl?: string,
  hasApplication = true,
) =>
  banner(
    urls,
    { demo: null, hasApplication },
    { dataDir: 'data', mysqlUrl: 'mysql://root@db/odograph', role, publicUrl, linkUrl: undefined },
  )

describe('the banner', () => {
  test('shows the URL of the link pages', () => {
    expect(bannerOf('all')).toContain('Link pages     http://127.0.0.1:8080/link\n')
  })

  test('shows only the URLs that the role serves', () => {
    const shown = (role: Parameters<typeof bannerOf>[0]) =>
      [...bannerOf(role).matchAll(/^  (\S.*?)  /gm)].map(([, name]) => name)
    expect(shown('all')).toEqual([
      'Start page',
      'Dashboard',
      'GraphQL',
      'Subscriptions',
      'REST',
      'Link pages',
      'Data',
    ])
    expect(shown('subgraph:fleet')).toEqual(['GraphQL', 'Data'])
    expect(shown('worker')).toEqual(['Data'])
  })

  test('says how to create the first application, where the role serves callers', () => {
    const command = 'node dist/src/cli/main.js applications create NAME'
    expect(bannerOf('all', undefined, false)).toContain(command)
    expect(bannerOf('all')).not.toContain(command)
    expect(bannerOf('worker', undefined, false)).not.toContain(command)
  })

  test.each(['worker', 'subgraph:connections'] as const)(
    'warns that the links of a %s lead nowhere without a public URL',
    (role) => {
      expect(bannerOf(role)).toContain(LINK_WARNING)
      expect(bannerOf(role, 'https://odograph.example.com')).not.toContain(LINK_WARNING)
    },
  )

  test.each(['all', 'subgraph:fleet'] as const)('has no link warning for %s', (role) => {
    expect(bannerOf(role)).not.toContain(LINK_WARNING)
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
  const settings = readSettings([], environment)
  expect('config' in settings && publicLinkUrl(settings.config)).toBe(address)
})
