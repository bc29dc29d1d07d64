import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { foreignUrls } from '../runner/chromium.ts'

const PATIENCE_MS = 60_000

/** A page that records its network requests and console errors. */
export interface InspectedPage extends AsyncDisposable {
  readonly page: Page
  /** Returns the requested URLs of other servers than the page's. */
  foreignRequests(): readonly string[]
  readonly complaints: readonly string[]
}

export async function openInspectedPage(
  browser: Browser,
  server: string,
  options: BrowserContextOptions,
): Promise<InspectedPage> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const requested: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => void requested.push(request.url()))
  context.on('weberror', (error) => void complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return {
    page,
    foreignRequests: () => foreignUrls(requested, server),
    complaints,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** Polls an expectation until the browser has caught up. */
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- the caller awaits it
export const soon = <Of>(of: () => Of) => expect.poll(of, { timeout: PATIENCE_MS })

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/**
 * Returns the violations that axe-core finds in a page, as lines. The page policy does not allow axe's own
 * script.
 */
export const violationsIn = (page: Pick<Page, 'evaluate'>): Promise<readonly string[]> => found(page, {})

/** Returns the color violations alone: only these differ between the light and the dark theme. */
export const badColoursIn = (page: Pick<Page, 'evaluate'>): Promise<readonly string[]> =>
  found(page, { runOnly: ['color-contrast'] })

async function found(page: Pick<Page, 'evaluate'>, options: object): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  const requested = JSON.stringify({ resultTypes: ['violations'], ...options })
  const violations = (await page.evaluate(
    `axe.run(${requested}).then(({ violations }) => violations)`,
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}
