import { type Config, servesCallers } from './config.ts'

type LinkSettings = Pick<Config, 'linkUrl' | 'publicUrl'>

/**
 * Returns the URL of the link pages in links for fleets, without a trailing slash; null if no setting defines
 * it.
 */
export function publicLinkUrl({ linkUrl, publicUrl }: LinkSettings): string | null {
  return linkUrl ?? (publicUrl === undefined ? null : `${publicUrl}/link`)
}

/** Roles that write links for fleets into responses and events, but serve no link pages. */
const ROLES_WITH_LINKS: ReadonlySet<Config['role']> = new Set([
  'worker',
  'subgraph:connections',
  'subgraph:events',
])

/**
 * Whether links for fleets are dead: without the setting, a process links to itself, and these roles serve no
 * link pages.
 */
export const hasUnreachableLinks = (config: LinkSettings & Pick<Config, 'role'>): boolean =>
  publicLinkUrl(config) === null && ROLES_WITH_LINKS.has(config.role)

/**
 * Whether links for fleets differ by the process that writes them. Several processes can share the database
 * and Redis.
 */
export const linksDependOnProcess = (
  config: LinkSettings & Pick<Config, 'role' | 'mysqlUrl' | 'redisUrl'>,
): boolean =>
  publicLinkUrl(config) === null &&
  servesCallers(config.role) &&
  config.mysqlUrl !== undefined &&
  config.redisUrl !== undefined
