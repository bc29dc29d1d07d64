import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from '@tanstack/react-router'
import { basePath } from './base-path.ts'
import { liveSearch } from '../live/live-search.ts'
import { vehicleSearch } from '../vehicle/vehicle-search.ts'
import { SignInPage } from '../sign-in/sign-in-page.tsx'
import { whereSearch } from '../where/where-search.ts'
import { Layout } from './layout.tsx'
import { Failure, NotFound } from './messages.tsx'

const root = createRootRoute({
  notFoundComponent: NotFound,
  errorComponent: ({ error }) => <Failure error={error} />,
})

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    typeof next === 'string' && next.startsWith('/') && !next.startsWith('/sign-in') ? { next } : {},
  component: SignInPage,
})

const layout = createRoute({ getParentRoute: () => root, id: 'layout', component: Layout })

const live = createRoute({
  getParentRoute: () => layout,
  path: '/',
  validateSearch: liveSearch,
  component: lazyRouteComponent(() => import('../live/live-page.tsx'), 'LivePage'),
})

const vehicle = createRoute({
  getParentRoute: () => layout,
  path: '/vehicles/$vehicleId',
  validateSearch: vehicleSearch,
  component: lazyRouteComponent(() => import('../vehicle/vehicle-page.tsx'), 'VehiclePage'),
})

const where = createRoute({
  getParentRoute: () => layout,
  path: '/where',
  validateSearch: whereSearch,
  component: lazyRouteComponent(() => import('../where/where-page.tsx'), 'WherePage'),
})

const connections = createRoute({
  getParentRoute: () => layout,
  path: '/connections',
  component: lazyRouteComponent(() => import('../connections/connections-page.tsx'), 'ConnectionsPage'),
})

export const router = createRouter({
  routeTree: root.addChildren([signIn, layout.addChildren([live, vehicle, where, connections])]),
  basepath: `${basePath}/dashboard`,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
