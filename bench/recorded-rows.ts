import type { Rows } from '../src/storage/database.ts'

type Row = Readonly<Record<string, unknown>>

interface Recording {
  readonly parameters: readonly unknown[]
  readonly rows: readonly Row[]
}

/**
 * Returns a source of rows that queries the database only at the first run of a statement. Later runs get copies of the
 * same rows. They are copies because readers parse JSON columns in place.
 */
export function recordedRows(db: Rows): Rows {
  const recordings = new Map<string, Recording[]>()
  return {
    async rows<T>(sql: string, parameters: readonly unknown[] = []): Promise<T[]> {
      const known = recordings.get(sql)?.find((recording) => isSame(recording.parameters, parameters))
      const { rows } = known ?? (await record(sql, parameters))
      return rows.map((row) => ({ ...row })) as T[]
    },
  }

  async function record(sql: string, parameters: readonly unknown[]): Promise<Recording> {
    const recording = {
      parameters: [...parameters],
      rows: (await db.rows<Row>(sql, parameters)).map((row) => ({ ...row })),
    }
    recordings.set(sql, [...(recordings.get(sql) ?? []), recording])
    return recording
  }
}

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((value, at) => value === other[at])
