import { parse } from 'graphql'
import type { Route } from '../../../rest-compat/route.ts'
import { routes } from '../../../rest-compat/routes.ts'
import { unknownId } from '../factories.ts'

/** A request of each route, for checks that apply to every route. */
export interface Example {
  readonly route: Route
  /** Operation name: the `operationId` of the published document. */
  readonly name: string
  readonly method: Route['method']
  /** URL with unknown ids and the required parameters. */
  readonly url: string
  /** A valid body, if the route takes one. */
  readonly body: object | undefined
}

const bodies: Readonly<Record<string, object>> = {
  PublicTokenExchange: { publicToken: 'pub_tkn_12345678901234567890123456789012' },
  CreateConnection: { provider: 'sandbox', credentials: { apiKey: 'sandbox-12-3' } },
  UpdateCurrentConnection: {},
  CreateShortLink: {},
  RequestSync: {},
  Passthrough: { method: 'GET', path: '/account' },
  CreateWebhookEndpoint: { url: 'https://receiver.example.com/hook' },
  UpdateWebhookEndpoint: {},
  RotateWebhookSecret: {},
  TestWebhookEndpoint: { type: 'vehicle.added' },
  EnableWebhookEndpoint: {},
  RecoverWebhookEndpoint: { since: '2026-01-31' },
  CreatePurchaseCheck: {
    idempotencyKey: 'purchase-1',
    vehicleId: unknownId('vehicle'),
    merchant: { name: 'Lone Star Fuel', siteId: 'site-1', categoryCode: '5542' },
    amount: { value: 125, currency: 'USD' },
  },
  CreatePurchaseCapture: {
    idempotencyKey: 'capture-1',
    checkId: unknownId('purchaseCheck'),
    amount: { value: 125, currency: 'USD' },
  },
  SetVehicleFacts: {},
  PassthroughRaw: { method: 'GET', path: '/account' },
}

export const nameOf = ({ operation }: Route): string => {
  const [definition] = parse(operation).definitions
  return (definition && 'name' in definition && definition.name?.value) || ''
}

export function exampleOf(route: Route): Example {
  const name = nameOf(route)
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, parameter) => unknownId(route.params![parameter]!))
  const required = 'startMonth' in route.query.shape ? '?startMonth=2026-01&endMonth=2026-01' : ''
  return { route, name, method: route.method, url: `${path}${required}`, body: bodies[name] }
}

export const examples: readonly Example[] = routes.map(exampleOf)

/** Adds parameters to the query of a URL. */
export const withQuery = (url: string, query: string): string =>
  `${url}${url.includes('?') ? '&' : '?'}${query}`
