import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasChromium, launch } from '../../../support/runner/chromium.ts'
import { openInspectedPage, violationsIn } from '../../../support/link/page-inspection.ts'
import { type PageServer, startPageServer } from '../../../support/link/page-server.ts'
import { views } from '../../../support/link/page-views.ts'

const phone = { width: 390, height: 780 }
const desktop = { width: 1280, height: 860 }

/** One view of each group that differs in text alone. */
const names = Object.keys(views).filter(
  (name) => !/^(problem|refused)-/.test(name) || name === 'refused-bad_parameter',
)

describe.skipIf(!hasChromium())('the link pages in a browser', () => {
  let server: PageServer
  let browser: Browser

  beforeAll(async () => {
    server = await startPageServer()
    browser = await launch()
  })

  afterAll(async () => {
    await browser.close()
    await server[Symbol.asyncDispose]()
  })

  // Colors do not depend on the size, and layout does not depend on the theme. These two cover both of each.
  test.each([
    ['a phone, light', { viewport: phone, colorScheme: 'light' }],
    ['a desktop, dark', { viewport: desktop, colorScheme: 'dark' }],
  ] as const)('have no axe-core violations on %s', async (_, as) => {
    await using seen = await openInspectedPage(browser, server.url, as)
    const found: string[] = []
    for (const name of names) {
      await seen.page.goto(`${server.url}/link/pages/${name}`)
      found.push(...(await violationsIn(seen.page)).map((line) => `${name}: ${line}`))
    }
    expect(found).toEqual([])
    expect(seen.foreignRequests()).toEqual([])
    expect(seen.complaints).toEqual([])
  })

  test.each(['fr', 'es'])(
    'fit the narrowest phone in %s, with touch targets of sufficient size',
    async (language) => {
      await using seen = await openInspectedPage(browser, server.url, {
        viewport: { width: 320, height: 640 },
      })
      for (const name of names) {
        await seen.page.goto(`${server.url}/link/pages/${name}?lang=${language}`)
        const width = await seen.page.evaluate('document.documentElement.scrollWidth')
        expect([name, width, await seen.page.evaluate(TOO_SMALL)]).toEqual([name, 320, []])
      }
    },
  )

  test('show no animation with reduced motion, and animate otherwise', async () => {
    for (const [reducedMotion, moves] of [
      ['reduce', 0],
      ['no-preference', 1],
    ] as const) {
      await using seen = await openInspectedPage(browser, server.url, { reducedMotion })
      await seen.page.goto(`${server.url}/link/pages/checking`)
      expect(await seen.page.evaluate('document.getAnimations().length')).toBe(moves)
    }
  })
})

/** Touch targets of less than 44 pixels: buttons, fields and links. The label of a checkbox counts. */
const TOO_SMALL = `[...document.querySelectorAll('a, button, input:not([type=hidden])')]
  .map((element) => element.closest('label') ?? element)
  .filter((element) => !element.hidden && !element.matches('.skip'))
  .filter((element) => element.getBoundingClientRect().height < 44 || element.getBoundingClientRect().width < 44)
  .map((element) => element.outerHTML)`
