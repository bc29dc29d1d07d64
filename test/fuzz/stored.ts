import { createHash } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { Database } from '../../src/storage/database.ts'
import type { Store } from '../prove/support/service-process.ts'

/** Stored data of a service, read over a separate connection. */
export interface Stored {
  /** Returns a mark that changes with every write. */
  mark(): Promise<string>
  /** Returns the mark after the service has become idle. */
  settled(): Promise<string>
  /** Returns the tables that differ between two marks. */
  changes(before: string, after: string): string[]
}

export function storedIn(db: Database, store: Store): Stored {
  const mark = store === 'sqlite' ? sqliteMark(db) : mariadbMark(db)
  return { mark, settled: () => settled(db, mark), changes }
}

const LOOK_MS = 150
const MAX_LOOKS = 800

/** Waits until the mark is stable and no sync runs. */
async function settled(db: Database, mark: Stored['mark']): Promise<string> {
  let before = ''
  for (let observedState = 0; observedState < MAX_LOOKS; observedState++) {
    const [running] = await db.rows(
      "SELECT 1 FROM `syncs` WHERE `status` IN ('requested', 'in_progress') LIMIT 1",
    )
    const now = running ? '' : await mark()
    if (now !== '' && now === before) return now
    before = now
    await wait(LOOK_MS)
  }
  throw new Error('the service keeps writing without requests')
}

/** Reads every row only if the data version changed: SQLite counts the commits of other connections. */
function sqliteMark(db: Database): Stored['mark'] {
  let known: { version: number; mark: string } | null = null
  return async () => {
    const [row] = await db.rows<{ data_version: number }>('PRAGMA data_version')
    const version = Number(row?.data_version)
    if (known?.version === version) return known.mark
    known = { version, mark: await sqliteRows(db) }
    return known.mark
  }
}

async function sqliteRows(db: Database): Promise<string> {
  const tables = await db.rows<{ name: string }>("SELECT `name` FROM `sqlite_master` WHERE `type` = 'table'")
  const sums: Record<string, string> = {}
  for (const { name } of tables) {
    const rows = await db.rows(`SELECT * FROM \`${name}\``)
    const sum = createHash('sha1')
    for (const line of rows.map((row) => JSON.stringify(row)).toSorted()) sum.update(line)
    sums[name] = sum.digest('hex')
  }
  return JSON.stringify(sums)
}

function mariadbMark(db: Database): Stored['mark'] {
  return async () => {
    const tables = await db.rows<{ name: string }>(
      'SELECT table_name AS `name` FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY 1',
    )
    const names = tables.map(({ name }) => `\`${name}\``)
    const sums = await db.rows<{ Table: string; Checksum: string }>(`CHECKSUM TABLE ${names.join(', ')}`)
    return JSON.stringify(
      Object.fromEntries(sums.map(({ Table, Checksum }) => [Table.split('.').at(-1), String(Checksum)])),
    )
  }
}

/**
 * Tables written in the background, after any request: the last use of a key about once a minute, and the request log
 * once a second.
 */
const BEHIND_REQUESTS: ReadonlySet<string> = new Set(['api_keys', 'commits', 'request_log'])

function changes(before: string, after: string): string[] {
  const [one, other] = [before, after].map((mark) => JSON.parse(mark) as Record<string, string>)
  return Object.keys({ ...one, ...other }).filter(
    (table) => !BEHIND_REQUESTS.has(table) && one?.[table] !== other?.[table],
  )
}
