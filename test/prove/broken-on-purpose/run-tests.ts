import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { SourceTree } from './source-tree.ts'

/** Names of the tests that passed and failed. */
export interface Outcome {
  readonly passed: readonly string[]
  readonly failed: readonly string[]
  /** Reason why the tests could not run, or null. */
  readonly runError: string | null
}

interface Report {
  readonly testResults: readonly {
    readonly status: string
    readonly message: string
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[]
  }[]
}

export const VITEST = 'node_modules/vitest/vitest.mjs'
export const CONFIG = 'test/vitest.config.ts'
const MAX_TEST_MS = 60_000
const MAX_RUN_MS = 10 * 60_000

/** Runs the tests of a file whose names match a pattern, in a source tree. */
export async function runTests(
  { folder }: SourceTree,
  file: string,
  only: string | undefined,
): Promise<Outcome> {
  const report = join(folder, 'report.json')
  await rm(report, { force: true })
  const child = spawn(
    process.execPath,
    [
      VITEST,
      'run',
      file,
      `--config=${CONFIG}`,
      '--no-cache',
      '--silent',
      '--reporter=json',
      `--outputFile=${report}`,
      `--testTimeout=${MAX_TEST_MS}`,
      ...(only === undefined ? [] : [`--testNamePattern=${only}`]),
    ],
    { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  )
  let errorOutput = ''
  child.stderr.on('data', (chunk: Buffer) => (errorOutput = (errorOutput + chunk.toString()).slice(-2000)))
  const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), MAX_RUN_MS)
  await once(child, 'exit').finally(() => clearTimeout(timer))
  const text = await readFile(report, 'utf8').catch(() => null)
  return text === null
    ? { passed: [], failed: [], runError: errorOutput }
    : outcomeOf(JSON.parse(text) as Report)
}

function outcomeOf({ testResults }: Report): Outcome {
  const all = testResults.flatMap(({ assertionResults }) => assertionResults)
  const namesOf = (wanted: string) =>
    all.filter(({ status }) => status === wanted).map(({ fullName }) => fullName)
  const [passed, failed] = [namesOf('passed'), namesOf('failed')]
  const failedFile = testResults.find(({ status }) => status === 'failed')
  return { passed, failed, runError: failedFile && failed.length === 0 ? failedFile.message : null }
}
