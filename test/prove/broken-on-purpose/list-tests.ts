import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { CONFIG, VITEST } from './run-tests.ts'

/** Returns the names of the tests in some files, by file. Runs none of them. */
export async function listTests(files: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const folder = await mkdtemp(join(tmpdir(), 'odograph-tests-'))
  try {
    const list = join(folder, 'list.json')
    const args = [VITEST, 'list', ...files, `--config=${CONFIG}`, `--json=${list}`]
    await once(spawn(process.execPath, args, { stdio: 'ignore' }), 'exit')
    const tests = JSON.parse(await readFile(list, 'utf8')) as readonly { name: string; file: string }[]
    const names = new Map<string, string[]>(files.map((file) => [file, []]))
    // The runner joins the names of a suite and its test by a space, and the list joins them by `>`.
    for (const { name, file } of tests)
      names.get(relative(process.cwd(), file))?.push(name.replaceAll(' > ', ' '))
    return names
  } finally {
    await rm(folder, { recursive: true })
  }
}
