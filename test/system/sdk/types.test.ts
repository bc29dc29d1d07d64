import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

test('the types reject wrong uses and accept correct ones', async () => {
  const tsc = join(process.cwd(), 'node_modules/typescript/bin/tsc')
  const project = join(import.meta.dirname, '../../sdk/uses')
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, '-p', project]).catch(
    (error: { stdout: string }) => error,
  )
  expect(stdout).toBe('')
})
