import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { proof } from './proof.ts'

const VERSIONS = ['22', '24', '26']
const TESTS = ['test/unit', 'test/integration/first-light.test.ts']

const run = promisify(execFile)

/** Runs the unit tests and the first start on each supported version of Node. */
export const nodeVersions = proof(
  {
    name: 'node-versions',
    description: 'the unit tests and the first start pass on Node 22, 24 and 26',
    needs: 'a network to download Node',
    options: {},
    choices: { only: { preset: 'all', among: ['all', ...VERSIONS], description: 'one version' } },
  },
  async ({ only }) => {
    const failures: string[] = []
    for (const version of only === 'all' ? VERSIONS : [only]) failures.push(...(await proveOn(version)))
    return failures
  },
)

async function proveOn(version: string): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'odograph-node-'))
  try {
    await run('npm', ['install', '--no-save', '--prefix', folder, `node@${version}`])
    const node = join(folder, 'node_modules/node/bin/node')
    const { stdout } = await run(node, ['--version'])
    console.log(`\nNode ${stdout.trim()}`)
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts']
    const child = spawn(node, [...vitest, '--reporter', 'dot', ...TESTS], { stdio: 'inherit' })
    const [code] = await once(child, 'exit')
    return code === 0 ? [] : [`tests fail on Node ${stdout.trim()}`]
  } finally {
    await rm(folder, { recursive: true })
  }
}
