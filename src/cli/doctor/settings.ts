import type { Config } from '../../platform/config/config.ts'
import { linksDependOnProcess, hasUnreachableLinks } from '../../platform/config/link-url.ts'
import { fail, type Finding, ok, warn } from './finding.ts'

/** Finds settings that do not fit together or are unsafe in production. */
export function settingFindings(config: Config): Finding[] {
  const found = rules.filter(({ when }) => when(config))
  if (found.length === 0) return [ok('settings', 'understood')]
  return found.map(({ state, description, advice }) =>
    (state === 'fail' ? fail : warn)('settings', description, advice),
  )
}

interface Rule {
  readonly state: 'warn' | 'fail'
  readonly when: (config: Config) => boolean
  readonly description: string
  readonly advice: string
}

const isProduction = ({ environment }: Config) => environment === 'production'

const SET_PUBLIC_URL = 'set PUBLIC_URL, in every process, to where callers reach the gateways'

const rules: readonly Rule[] = [
  {
    state: 'warn',
    when: ({ mysqlUrl, redisUrl }) => mysqlUrl !== undefined && redisUrl === undefined,
    description: 'MYSQL_URL without REDIS_URL',
    advice: 'run one process only, or set REDIS_URL: jobs and notifications stay within a process',
  },
  {
    state: 'warn',
    when: ({ mysqlUrl, redisUrl }) => mysqlUrl === undefined && redisUrl !== undefined,
    description: 'REDIS_URL without MYSQL_URL',
    advice: 'set MYSQL_URL too, or leave both out: the embedded database serves one process',
  },
  {
    state: 'warn',
    when: ({ mysqlUrl, encryptionKey }) => mysqlUrl !== undefined && encryptionKey === undefined,
    description: 'MYSQL_URL without ENCRYPTION_KEY',
    advice: 'set ENCRYPTION_KEY to the same key for every process; a key file belongs to one folder',
  },
  {
    state: 'warn',
    when: ({ encryptionKey, encryptionKeysOld }) => encryptionKeysOld.includes(encryptionKey ?? ''),
    description: 'ENCRYPTION_KEYS_OLD names the current key too',
    advice: 'remove the value of ENCRYPTION_KEY from ENCRYPTION_KEYS_OLD',
  },
  {
    state: 'warn',
    when: ({ subgraphUrls, role }) => subgraphUrls.size > 0 && role !== 'all' && role !== 'gateway',
    description: 'SUBGRAPH_URLS for a process that is not a gateway',
    advice: 'set it where --role is gateway',
  },
  {
    state: 'warn',
    when: (config) => isProduction(config) && config.publicUrl === undefined,
    description: 'NODE_ENV=production without PUBLIC_URL',
    advice:
      'set PUBLIC_URL: answers contain addresses of this service, such as those of videos and link pages',
  },
  {
    state: 'fail',
    when: hasUnreachableLinks,
    description: 'a worker or a subgraph without PUBLIC_URL or LINK_URL',
    advice: `${SET_PUBLIC_URL}: otherwise the links for fleets, in answers and webhooks, lead to a process without link pages`,
  },
  {
    state: 'warn',
    when: (config) => linksDependOnProcess(config) && !isProduction(config),
    description: 'MYSQL_URL and REDIS_URL without PUBLIC_URL or LINK_URL',
    advice: `${SET_PUBLIC_URL}: otherwise each process puts its own address into the links for fleets`,
  },
  {
    state: 'warn',
    when: (config) => isProduction(config) && (config.introspection === 'on' || config.graphiql === 'on'),
    description: 'introspection or GraphiQL is on in production',
    advice: 'leave INTROSPECTION and GRAPHIQL at auto, unless the schema is meant to be public',
  },
  {
    state: 'warn',
    when: (config) => isProduction(config) && config.demo === 'on',
    description: 'the demo is on in production',
    advice: 'set DEMO=off: demo.json contains its keys',
  },
]
