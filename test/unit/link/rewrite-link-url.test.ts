import { expect, test } from 'vitest'
import { rewriteLinkUrl } from '../../../src/link/rewrite-link-url.ts'

const SERVICE = 'odograph.example.com'
const OWN_ORIGIN = 'https://link.example.com'

test.each([
  ['/?key=pk_prod_1', '/link/?key=pk_prod_1'],
  ['/?name=Acme&key=pk_prod_1', '/link/?name=Acme&key=pk_prod_1'],
  ['/connection/conn_1?key=pk_prod_1', '/link/connection/conn_1?key=pk_prod_1'],
])('%s of a browser SDK is a link page on every host', (url, page) => {
  for (const linkUrl of [undefined, OWN_ORIGIN, `https://${SERVICE}/fleets`])
    expect(rewriteLinkUrl(linkUrl)(url, SERVICE)).toBe(page)
  expect(rewriteLinkUrl(OWN_ORIGIN)(url, 'link.example.com')).toBe(page)
})

test.each([
  '/',
  '/?lang=fr',
  '/?monkey=1',
  '/docs?key=1',
  '/link/?key=pk_prod_1',
  '/tsp/v1/connections?key=1',
])('%s of the service stays as it is', (url) => expect(rewriteLinkUrl(OWN_ORIGIN)(url, SERVICE)).toBe(url))

test.each([
  ['/', '/link/'],
  ['/run/token', '/link/run/token'],
  ['/healthz', '/healthz'],
])('%s on the origin of the link pages is %s', (url, page) => {
  expect(rewriteLinkUrl(OWN_ORIGIN)(url, 'link.example.com')).toBe(page)
})
