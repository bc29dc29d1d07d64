import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type FastifyInstance } from 'fastify'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createApp } from '../../../src/http/app.ts'
import { type Guide, GUIDE_GROUPS, mountGuides } from '../../../src/http/pages/guides.ts'
import { mountPages } from '../../../src/http/pages/pages.ts'
import { createLog } from '../../../src/platform/logging/log.ts'
import { foreignUrls, hasChromium, launch, openPage } from '../../support/runner/chromium.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const GUIDES = `${process.cwd()}/dist/guides`

const guides = JSON.parse(readFileSync(`${GUIDES}/guides.json`, 'utf8')) as readonly Guide[]

test('each page of docs/ is listed once among the guides', () => {
  const listed = Object.values(GUIDE_GROUPS).flat()
  expect([...listed, ''].sort()).toEqual(guides.map(({ name }) => name).sort())
})

describe('the start page and the guides', () => {
  let app: FastifyInstance
  let url: string

  beforeAll(async () => {
    app = createApp({ log: createLog('silent') })
    const { guide } = mountPages(app, `${process.cwd()}/dist/pages`, '')
    mountGuides(app, { folder: GUIDES, guide, hasGraphiql: true })
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  afterAll(() => app.close())

  const links = (html: string) =>
    [...html.matchAll(/(?:href|src)="(\/[^"#]*)/g)].map(([, path]) => path ?? '')

  test('link to existing pages and files', async () => {
    const own = guides.flatMap(({ html }) => links(html)).filter((path) => path.startsWith('/docs'))
    const missing: string[] = []
    for (const path of new Set(own)) if ((await fetch(url + path)).status !== 200) missing.push(path)
    expect(missing).toEqual([])
  })

  test('compress the search index', async () => {
    const { headers } = await fetch(`${url}/docs/search.json`)
    expect(headers.get('content-encoding')).toBe('gzip')
  })

  test('serve no other files of the build', async () => {
    for (const path of ['/docs/guides.json', '/docs/files/../guides.json', '/docs/nothing'])
      expect((await fetch(url + path)).status).toBe(404)
  })

  describe.skipIf(!hasChromium())('in a browser', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await launch()
    })
    afterAll(() => browser.close())

    test.each(
      ['/', '/docs', '/docs/webhooks'].flatMap((path) =>
        [1440, 390].flatMap((width) =>
          (['light', 'dark'] as const).map((theme) => [path, width, theme] as const),
        ),
      ),
    )('%s is accessible at %i pixels in the %s theme', async (path, width, theme) => {
      const context = await browser.newContext({
        viewport: { width, height: 900 },
        colorScheme: theme,
        bypassCSP: true,
      })
      const page = await context.newPage()
      await page.goto(url + path)
      await page.addScriptTag({ content: axe })
      const violations = await page.evaluate(
        'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => `${id} ${nodes[0].target}`))',
      )
      const overflowsScreen = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect([violations, overflowsScreen]).toEqual([[], false])
      await context.close()
    })

    test('report a failed load of the search index, and load it at the next search', async () => {
      const page = await browser.newPage()
      await page.route('**/docs/search.json', (route) => route.abort(), { times: 1 })
      await page.goto(`${url}/docs`)
      await page.getByRole('searchbox').fill('retry')
      await page.getByText('The search is not available.').waitFor()
      await page.getByRole('searchbox').fill('retry schedule')
      await page.locator('#results a').first().waitFor()
      await page.close()
    })

    test('are searched in the page, and load nothing from other servers', async () => {
      const { page, requested, problems } = await openPage(browser, `${url}/docs`)
      await page.getByRole('searchbox').fill('secret rotation')
      await page.locator('#results a', { hasText: 'Webhooks' }).first().click()
      await page.waitForURL(`${url}/docs/webhooks#*`)
      await page.getByRole('searchbox').fill('zzzzqqq')
      await page.getByText('Nothing found.').waitFor()
      expect(foreignUrls(requested, url)).toEqual([])
      expect(problems).toEqual([])
      await page.close()
    })
  })
})
