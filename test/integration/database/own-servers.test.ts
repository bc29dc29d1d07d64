import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KillableMariadb } from '../../support/database/killable-mariadb.ts'
import { stores } from '../../support/database/stores.ts'

test.skipIf(!stores.includes('mariadb'))(
  'a MariaDB server of a test leaves the temporary tables of other servers',
  async () => {
    // A server deletes such files of its folder for temporary files when it starts.
    const otherTable = join(tmpdir(), `#sql-temptable-${process.pid.toString(16)}-1-1.MAI`)
    writeFileSync(otherTable, '')
    // As root, the servers of tests run as another user.
    if (userInfo().uid === 0) execFileSync('chown', ['mysql', otherTable])
    try {
      await using server = await KillableMariadb.start()
      await server.query('SELECT 1')
      expect(existsSync(otherTable)).toBe(true)
    } finally {
      rmSync(otherTable, { force: true })
    }
  },
)
