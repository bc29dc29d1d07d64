import type { MigrationInterface } from 'typeorm'
import { FirstLight } from './0001-first-light.ts'
import { WholeModel } from './0002-whole-model.ts'
import { Connections } from './0003-connections.ts'
import { OpenWrites } from './0004-open-writes.ts'
import { Commits } from './0005-commits.ts'
import { Schedules } from './0006-schedules.ts'
import { Webhooks } from './0007-webhooks.ts'
import { Linking } from './0008-linking.ts'
import { LinkLimits } from './0009-link-limits.ts'
import { ProviderWebhooks } from './0010-provider-webhooks.ts'
import { LatestReads } from './0011-latest-reads.ts'
import { LeftOutRecords } from './0012-left-out-records.ts'

export interface Migration extends MigrationInterface {
  /** The words of its class and the milliseconds that order it, such as FirstLight1700000000001. */
  readonly name: string
}

/**
 * Every migration, in the order in which they are applied. While one is applied, and until every process has been
 * replaced, the version before it runs on the same tables. So a migration only adds what that version can leave out:
 * tables, indexes, columns that may be null or have a preset. What nothing uses any more is dropped one version after
 * the last that used it, and a new meaning is a new column. Each of its statements can be run again (`createTable`,
 * `addColumns`, `addIndex`): whoever is killed in the middle starts over. One that has been released never changes.
 */
export const migrations: readonly Migration[] = [
  new FirstLight(),
  new WholeModel(),
  new Connections(),
  new OpenWrites(),
  new Commits(),
  new Schedules(),
  new Webhooks(),
  new Linking(),
  new LinkLimits(),
  new ProviderWebhooks(),
  new LatestReads(),
  new LeftOutRecords(),
]
