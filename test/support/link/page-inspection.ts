import axe from 'axe-core'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { foreign } from '../chromium.ts'

const PATIENCE_MS = 60_000

/** A page that remembers what it asked the network for, and what its console complained of. */
export interface Look extends AsyncDisposable {
  readonly page: Page
  /** The addresses of what it asked for elsewhere than at its server. */
  elsewhere(): readonly string[]
  readonly complaints: readonly string[]
}

export async function look(browser: Browser, server: string, options: BrowserContextOptions): Promise<Look> {
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const asked: string[] = []
  const complaints: string[] = []
  context.on('request', (request) => void asked.push(request.url()))
  context.on('weberror', (error) => void complaints.push(String(error.error())))
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  return {
    page,
    elsewhere: () => foreign(asked, server),
    complaints,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

/** What is expected of something as soon as the browser and the machine have got there. */
// oxlint-disable-next-line vitest/require-awaited-expect-poll -- who calls it awaits it.
export const soon = <Of>(of: () => Of) => expect.poll(of, { timeout: PATIENCE_MS })

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[]
}

/** What axe-core finds in a page, as lines to read; its own script is not of the page's policy. */
export const violationsIn = (page: Pick<Page, 'evaluate'>): Promise<readonly string[]> => found(page, {})

/** The same of its colours alone, which are what differs where it is light or dark. */
export const badColoursIn = (page: Pick<Page, 'evaluate'>): Promise<readonly string[]> =>
  found(page, { runOnly: ['color-contrast'] })

async function found(page: Pick<Page, 'evaluate'>, options: object): Promise<readonly string[]> {
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe.source)
  const asked = JSON.stringify({ resultTypes: ['violations'], ...options })
  const violations = (await page.evaluate(
    `axe.run(${asked}).then(({ violations }) => violations)`,
  )) as Violation[]
  return violations.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${id}: ${node.html}\n${node.failureSummary}`),
  )
}
