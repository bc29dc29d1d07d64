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

const LAST_TRIP =
  '{ syncs(first: 1) { nodes { status } } trips(last: 1) { nodes { startedAt endedAt endLocation { latitude longitude } vehicle { id name } } } }'

interface Trip {
  readonly startedAt: string
  readonly endedAt: string
  readonly endLocation: { readonly latitude: number; readonly longitude: number }
  readonly vehicle: { readonly id: string; readonly name: string }
}

interface LastTrip {
  readonly syncs: { readonly nodes: readonly { readonly status: string }[] }
  readonly trips: { readonly nodes: readonly Trip[] }
}

/** Returns a trip of the fleet; null until the first sync has read everything. */
export async function lastTripOf(service: Pick<RunningService, 'graphql'>): Promise<Trip | null> {
  const { syncs, trips } = await service.graphql<LastTrip>(LAST_TRIP)
  return syncs.nodes[0]?.status === 'COMPLETED' ? (trips.nodes[0] ?? null) : null
}
