import { type Config, servesCallers } from './config.ts'

type LinkSettings = Pick<Config, 'linkUrl' | 'publicUrl'>

/**
 * Returns the URL of the link pages, for links that fleets receive. It has no trailing slash. Null if neither LINK_URL
 * nor PUBLIC_URL is set.
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
 * Whether the links for fleets lead to no link pages. Without both settings, a process writes its own address into the
 * links, and these roles serve no link pages.
 */
export const hasUnreachableLinks = (config: LinkSettings & Pick<Config, 'role'>): boolean =>
  publicLinkUrl(config) === null && ROLES_WITH_LINKS.has(config.role)

/**
 * Whether the links for fleets can differ between processes. Several processes can share MySQL and Redis. Without both
 * settings, each writes its own address into the links.
 */
export const linksDependOnProcess = (
  config: LinkSettings & Pick<Config, 'role' | 'mysqlUrl' | 'redisUrl'>,
): boolean =>
  publicLinkUrl(config) === null &&
  servesCallers(config.role) &&
  config.mysqlUrl !== undefined &&
  config.redisUrl !== undefined
