import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { vi } from 'vitest'
import { run } from '../../../src/cli/program.ts'
import type { Database } from '../../../src/storage/database.ts'
import { type Home, makeHome, type Store } from '../../prove/support/service-process.ts'

/** Output and exit code of a command. */
export interface CommandResult {
  readonly code: number
  readonly out: string
  readonly error: string
}

/** Master key that encrypts the rows of the factories. */
export const MASTER_KEY = Buffer.alloc(32, 7).toString('base64')

export interface CliHarness extends AsyncDisposable {
  readonly home: Home
  readonly db: Database
  /** Runs a command in this process. */
  cli(...args: string[]): Promise<CommandResult>
  /** Runs a command with `--json` and parses its output. */
  json<T>(...args: string[]): Promise<T>
}

/** Opens an empty database, and the commands that work on it. */
export async function openCliHarness(
  store: Store,
  environment: Readonly<Record<string, string>> = { ENCRYPTION_KEY: MASTER_KEY },
): Promise<CliHarness> {
  const home = await makeHome(store)
  const db = await home.open()
  await db.migrate()
  const cli = (...args: string[]) => runInProcess(home, { ...home.environment, ...environment }, args)
  return {
    home,
    db,
    cli,
    async json<T>(...args: string[]) {
      const { code, out, error } = await cli('--json', ...args)
      if (code !== 0) throw new Error(error)
      return JSON.parse(out) as T
    },
    async [Symbol.asyncDispose]() {
      await db.close()
      await home.remove()
    },
  }
}

/** Runs a command in this process, with the settings of a home. */
export async function runInProcess(
  home: Home,
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
): Promise<CommandResult> {
  const before = { ...process.env }
  for (const name of ['MYSQL_URL', 'REDIS_URL', 'NODE_ENV']) delete process.env[name]
  Object.assign(process.env, environment)
  const out = captured(process.stdout)
  const error = captured(process.stderr)
  try {
    return { code: await run(['--data', home.folder, ...args]), out: out.text(), error: error.text() }
  } finally {
    out.end()
    error.end()
    process.exitCode = undefined
    process.env = before
  }
}

function captured(stream: NodeJS.WriteStream) {
  let printed = ''
  const spy = vi.spyOn(stream, 'write').mockImplementation((text) => {
    printed += String(text)
    return true
  })
  return { text: () => printed, end: () => spy.mockRestore() }
}

/** Runs a command as an operator does, in a separate process, with a text as its standard input. */
export const runProgram = (
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  input = '',
): Promise<CommandResult> =>
  new Promise((done) => {
    const { MYSQL_URL: _, REDIS_URL: __, ...rest } = process.env
    const program = join(process.cwd(), 'dist/src/cli/main.js')
    const child = execFile(
      process.execPath,
      [program, ...args],
      { env: { ...rest, ...environment } },
      (failed, out, error) => done({ code: Number(failed?.code ?? 0), out, error }),
    )
    child.stdin?.end(input)
  })
