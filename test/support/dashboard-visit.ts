import type { Browser, BrowserContextOptions } from 'playwright-core'
import type { RunningService } from '../prove/support/service-process.ts'
import { openPage, type WatchedPage } from './runner/chromium.ts'

/** Opens a view of the dashboard in a new browser context, and signs in with the secret key. */
export async function visitDashboard(
  browser: Browser,
  { ready }: Pick<RunningService, 'ready'>,
  path: string,
  options: BrowserContextOptions = {},
): Promise<WatchedPage> {
  const address = `${ready.url}/dashboard/sign-in?next=${encodeURIComponent(path)}`
  const watched = await openPage(browser, address, options)
  await watched.page.getByLabel('Secret key').fill(ready.secretKey)
  await watched.page.getByRole('button', { name: 'Sign in' }).click()
  await watched.page.getByRole('link', { name: 'Live map', exact: true }).waitFor()
  return watched
}
