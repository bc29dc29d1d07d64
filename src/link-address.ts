import { type Config, serves } from './config.ts'

type Said = Pick<Config, 'linkUrl' | 'publicUrl'>

/** Where fleets are told to find the link pages, without a slash at the end; null where no setting says. */
export function linkAddress({ linkUrl, publicUrl }: Said): string | null {
  return linkUrl ?? (publicUrl === undefined ? null : `${publicUrl}/link`)
}

/** They put links for fleets into answers and events, and serve no link pages. */
const LINKING_ROLES: ReadonlySet<Config['role']> = new Set([
  'worker',
  'subgraph:connections',
  'subgraph:events',
])

/** Whether links for fleets lead nowhere: a process that serves no link pages can only name itself in them. */
export const misleadsFleets = (config: Said & Pick<Config, 'role'>): boolean =>
  linkAddress(config) === null && LINKING_ROLES.has(config.role)

/** Whether the links for fleets depend on which of several processes has written them. */
export const linksDiffer = (config: Said & Pick<Config, 'role' | 'mysqlUrl' | 'redisUrl'>): boolean =>
  linkAddress(config) === null &&
  serves(config.role) &&
  config.mysqlUrl !== undefined &&
  config.redisUrl !== undefined
