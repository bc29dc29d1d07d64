import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataSource } from 'typeorm'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../src/storage/open-database.ts'
import { sqliteOptions } from '../../../src/storage/sql/dialect.ts'

test('a write of another process between a read and a write fails neither that write nor a later one', async () => {
  const path = join(tmpdir(), `odograph-test-${randomUUID()}.db`)
  const db = await openDatabase({ sqlitePath: path })
  const neighbour = await new DataSource(sqliteOptions(path)).initialize()
  try {
    await neighbour.query('CREATE TABLE notes (writer TEXT)')
    await neighbour.query('PRAGMA busy_timeout = 0')
    const note = (writer: string) => neighbour.query('INSERT INTO notes VALUES (?)', [writer])
    let isRefused = false
    for (let turn = 0; turn < 2; turn++)
      await db.transaction(async (tx) => {
        await tx.rows('SELECT * FROM notes')
        await note('neighbour').catch(() => (isRefused = true))
        await tx.run('INSERT INTO notes VALUES (?)', ['service'])
      })
    expect(isRefused).toBe(true)
    await note('neighbour')
    expect(await db.rows('SELECT writer FROM notes')).toEqual([
      { writer: 'service' },
      { writer: 'service' },
      { writer: 'neighbour' },
    ])
  } finally {
    await neighbour.destroy()
    await db.close()
    for (const tail of ['', '-wal', '-shm']) rmSync(path + tail, { force: true })
  }
})
