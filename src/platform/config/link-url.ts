import { type Config, serves } from './config.ts'

type LinkSettings = Pick<Config, 'linkUrl' | 'publicUrl'>

/** Where fleets are told to find the link pages, without a slash at the end; null where no setting says. */
export function publicLinkUrl({ linkUrl, publicUrl }: LinkSettings): string | null {
  return linkUrl ?? (publicUrl === undefined ? null : `${publicUrl}/link`)
}

/** They put links for fleets into answers and events, and serve no link pages. */
const ROLES_WITH_LINKS: ReadonlySet<Config['role']> = new Set([
  'worker',
  'subgraph:connections',
  'subgraph:events',
])

/** Whether links for fleets lead nowhere: a process that serves no link pages can only name itself in them. */
export const hasUnreachableLinks = (config: LinkSettings & Pick<Config, 'role'>): boolean =>
  publicLinkUrl(config) === null && ROLES_WITH_LINKS.has(config.role)

/** Whether the links for fleets depend on which of several processes has written them. */
export const linksDependOnProcess = (
  config: LinkSettings & Pick<Config, 'role' | 'mysqlUrl' | 'redisUrl'>,
): boolean =>
  publicLinkUrl(config) === null &&
  serves(config.role) &&
  config.mysqlUrl !== undefined &&
  config.redisUrl !== undefined
