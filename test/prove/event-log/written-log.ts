import { createReadStream, existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Database } from '../../../src/storage/database.ts'
import { NO_TAG } from './receipt-file.ts'

/** The log of an application as stored, by position. */
export interface WrittenLog {
  readonly positions: ReadonlyMap<string, number>
  /** By position: tag, record and connection of each event; the latter two as numbers. */
  readonly tags: readonly string[]
  readonly records: readonly number[]
  readonly connections: readonly number[]
  readonly connectionIds: readonly string[]
  readonly problems: readonly string[]
}

const PAGE = 10_000
const MAX_REPORTED = 5

interface Row {
  readonly id: string
  readonly position: number
  readonly connectionId: string
  readonly subjectId: string | null
  readonly detail: string
}

/** Reads the whole log; it must be gapless. */
export async function writtenLog(db: Database, applicationId: string): Promise<WrittenLog> {
  const [positions, tags, problems] = [new Map<string, number>(), [''], [] as string[]]
  const [records, connections]: [number[], number[]] = [[], []]
  const [recordIds, connectionIds] = [numbering(), numbering()]
  for (let last = 0; ;) {
    const rows = await db.rows<Row>(
      `SELECT \`id\`, \`position\`, \`connectionId\`, \`subjectId\`, \`detail\` FROM \`events\`
        WHERE \`applicationId\` = ? AND \`position\` > ? ORDER BY \`position\` LIMIT ${PAGE}`,
      [applicationId, last],
    )
    for (const row of rows) {
      const position = Number(row.position)
      if (position !== last + 1 && problems.length < MAX_REPORTED)
        problems.push(`position ${position} comes after ${last}`)
      last = position
      positions.set(row.id, position)
      tags[position] = tagIn(row.detail)
      records[position] = recordIds.of(row.subjectId ?? '')
      connections[position] = connectionIds.of(row.connectionId)
    }
    if (rows.length < PAGE)
      return { positions, tags, records, connections, connectionIds: connectionIds.names, problems }
  }
}

const tagIn = (detail: string): string => /"sourceId":\s*"(\d-\d{8})"/.exec(detail)?.[1] ?? NO_TAG

function numbering() {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    names,
    of(name: string): number {
      const known = numbers.get(name)
      if (known !== undefined) return known
      numbers.set(name, names.length)
      return names.push(name) - 1
    },
  }
}

/**
 * Checks that committed events are in the log once, rolled back ones are not, and each writer's order is
 * kept.
 */
export async function judgeWriters(log: WrittenLog, journal: string): Promise<string[]> {
  const committed = await committedIn(journal)
  const problems = [...log.problems]
  const newest = new Map<string, number>()
  let found = 0
  for (const tag of log.tags.filter(Boolean)) {
    const [writer = '', digits = ''] = tag.split('-')
    if (digits === '') continue
    const number = Number(digits)
    if (committed.get(writer)?.[number] === 1) found++
    else problems.push(`${tag} is in the log and was not committed`)
    if (number <= (newest.get(writer) ?? -1))
      problems.push(`${tag} comes after ${newest.get(writer)} of its writer`)
    newest.set(writer, number)
  }
  const all = [...committed.values()].reduce(
    (sum, numbers) => sum + numbers.reduce((one, two) => one + two, 0),
    0,
  )
  if (found !== all) problems.push(`${found} of ${all} committed events are in the log`)
  return problems
}

const MAX_NUMBERS = 4_000_000

async function committedIn(journal: string): Promise<ReadonlyMap<string, Uint8Array>> {
  const committed = new Map<string, Uint8Array>()
  if (!existsSync(journal)) return committed
  for await (const line of createInterface({ input: createReadStream(journal) })) {
    const [writer = '', first, count] = line.split(' ')
    const numbers = committed.get(writer) ?? new Uint8Array(MAX_NUMBERS)
    committed.set(writer, numbers.fill(1, Number(first), Number(first) + Number(count)))
  }
  return committed
}
